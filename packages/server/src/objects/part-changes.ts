// Subresources that are a part of the object: what a write to one changes, and what it leaves as it was.
import type { ApiObject } from '@sluice/resources';
import { prepareNamespace } from './namespace-object.ts';
import { countUp } from './preparation.ts';
import { equal, objectAt, put, valueAt } from './tree.ts';

/** /finalize of a namespace: spec.finalizers, and the metadata that came along. */
export function finalized(made: ApiObject, old: ApiObject): ApiObject {
  const finalizers = valueAt(made, 'spec', 'finalizers');
  const prepared = prepareNamespace(made, old);
  prepared.set('spec', new Map(objectAt(prepared, 'spec')));
  put(objectAt(prepared, 'spec'), 'finalizers', finalizers);
  return prepared;
}

/** /ephemeralcontainers of a pod. */
export function withEphemeralContainers(made: ApiObject, old: ApiObject): ApiObject {
  const containers = valueAt(made, 'spec', 'ephemeralContainers');
  const pod: ApiObject = new Map(old).set('metadata', made.get('metadata') ?? new Map());
  pod.set('spec', new Map(objectAt(old, 'spec')));
  put(objectAt(pod, 'spec'), 'ephemeralContainers', containers);
  if (!equal(containers, valueAt(old, 'spec', 'ephemeralContainers'))) countUp(pod, old);
  return pod;
}
