// What a Namespace has besides what its creator says: the label with its name, the finalizer that holds it, its phase.
import type { ApiObject } from '@sluice/resources';
import { metadataOf } from './metadata.ts';
import { objectAt, put, textAt, textsAt } from './tree.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
/** Stands in spec.finalizers until the namespace is empty. */
export const CONTENT_FINALIZER = 'kubernetes';

/** Its spec and status are the server's from the first write on. */
export function prepareNamespace(object: ApiObject, old: ApiObject | undefined): ApiObject {
  addNameLabel(object);
  if (old) {
    put(object, 'spec', old.get('spec'));
    put(object, 'status', old.get('status'));
    return object;
  }
  const finalizers = textsAt(object, 'spec', 'finalizers');
  if (!finalizers.includes(CONTENT_FINALIZER)) finalizers.push(CONTENT_FINALIZER);
  objectAt(object, 'spec').set('finalizers', finalizers);
  object.set('status', new Map([['phase', 'Active']]));
  return object;
}

/** By its label a namespace can be selected by name. */
export function addNameLabel(namespace: ApiObject): void {
  objectAt(metadataOf(namespace), 'labels').set(NAME_LABEL, textAt(namespace, 'metadata', 'name'));
}
