// The object of a bookmark: an empty one of its kind, and what kube-apiserver's conversion adds to it.
import { JsonNumber } from '@sluice/encoding';
import type { ApiObject, Kind } from '@sluice/resources';

/** What is printed of empty fields the kind's codec knows; this is what it can't know. */
export function emptyObject({ group, kind }: Kind): ApiObject {
  const object: ApiObject = new Map([['metadata', new Map()]]);
  if (group === 'apps') ADDED[kind]?.(object);
  return object;
}

export function annotationsOf(object: ApiObject): ApiObject {
  const metadata = object.get('metadata') as ApiObject;
  const annotations = (metadata.get('annotations') as ApiObject | undefined) ?? new Map();
  metadata.set('annotations', annotations);
  return annotations;
}

/** Numbers that have no pointer in the internal version; the template's generation was a field once. */
const ADDED: Readonly<Record<string, (object: ApiObject) => void>> = {
  Deployment: addReplicas,
  ReplicaSet: addReplicas,
  StatefulSet: addReplicas,
  DaemonSet: (object) => annotationsOf(object).set('deprecated.daemonset.template.generation', '0'),
};

function addReplicas(object: ApiObject): void {
  object.set('spec', new Map([['replicas', new JsonNumber('0')]]));
}
