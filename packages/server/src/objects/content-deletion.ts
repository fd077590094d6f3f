// DELETE of what holds other objects, a namespace or a definition: it is marked, and stays until its content is gone.
import { type ApiObject, forbidden, type Kind, withTerminating } from '@sluice/resources';
import type { Deletion } from './deletion.ts';
import { metadataOf, timeText } from './metadata.ts';
import { objectAt, put, textAt, textsAt } from './tree.ts';

const IMMORTAL = ['default', 'kube-system', 'kube-public'];

/** Stands on a definition until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** @throws ApiError 403 for namespaces that a cluster can't be without. */
export function checkMortal(kind: Kind, name: string): void {
  if (!isNamespace(kind) || !IMMORTAL.includes(name)) return;
  throw forbidden(kind, name, 'this namespace may not be deleted');
}

/** undefined: the kind holds nothing, or nothing is left. */
export function beginContentDeletion(kind: Kind, object: ApiObject, now: Date): Deletion | undefined {
  const isMarked = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  if (isNamespace(kind)) return isMarked ? namespaceHold(object) : markNamespace(object, now);
  if (isDefinition(kind) && !isMarked) return markDefinition(object, now);
  return undefined;
}

function markNamespace(namespace: ApiObject, now: Date): Deletion {
  metadataOf(namespace).set('deletionTimestamp', timeText(now));
  objectAt(namespace, 'status').set('phase', 'Terminating');
  return { stage: 'hold', isChanged: true };
}

function namespaceHold(namespace: ApiObject): Deletion | undefined {
  const isHeld = textsAt(namespace, 'spec', 'finalizers').length > 0;
  return isHeld ? { stage: 'ending', isChanged: false } : undefined;
}

function markDefinition(definition: ApiObject, now: Date): Deletion {
  const time = timeText(now);
  metadataOf(definition).set('deletionTimestamp', time);
  const finalizers = textsAt(definition, 'metadata', 'finalizers');
  if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
  metadataOf(definition).set('finalizers', finalizers);
  put(definition, 'status', withTerminating(definition, time).get('status'));
  return { stage: 'hold', isChanged: true };
}

function isNamespace(kind: Kind): boolean {
  return kind.group === '' && kind.plural === 'namespaces';
}

function isDefinition(kind: Kind): boolean {
  return kind.group === 'apiextensions.k8s.io' && kind.plural === 'customresourcedefinitions';
}
