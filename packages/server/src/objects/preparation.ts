// What all kinds do to an object before it is checked and stored: status and generation.
import type { ApiObject, Kind } from '@sluice/resources';
import { prepareKind } from './kind-preparations.ts';
import { metadataOf } from './metadata.ts';
import { addNameLabel } from './namespace-object.ts';
import { isSame } from './sameness.ts';
import { hasStatus, type Strategy, strategyOf } from './strategies.ts';
import { integer, integerAt, put } from './tree.ts';

/** Gives the object that is to be stored; may change the one given. */
export function prepareNew(kind: Kind, object: ApiObject, now: Date): ApiObject {
  // Kubelets register their node together with its status.
  if (hasStatus(kind) && !(kind.group === '' && kind.plural === 'nodes')) object.delete('status');
  if (strategyOf(kind).generation) metadataOf(object).set('generation', integer(1));
  return prepareKind(kind, object, undefined, now);
}

/** The main resource leaves the status alone. */
export function prepareChanged(kind: Kind, object: ApiObject, old: ApiObject, now: Date): ApiObject {
  if (hasStatus(kind)) put(object, 'status', old.get('status'));
  const prepared = prepareKind(kind, object, old, now);
  const { generation } = strategyOf(kind);
  if (generation && isNewGeneration(kind, prepared, old, generation)) countUp(prepared, old);
  return prepared;
}

/** A write to /status: the old object with the new status, and of the metadata what the kind allows. */
export function prepareStatus(kind: Kind, object: ApiObject, old: ApiObject): ApiObject {
  const result: ApiObject = new Map(old);
  put(result, 'status', object.get('status'));
  result.set('metadata', metadataOf(object));
  if (kind.group === '' && kind.plural === 'namespaces') addNameLabel(result);
  const keeps = KEPT_BY_STATUS[strategyOf(kind).statusKeeps ?? 'spec'];
  for (const name of keeps) put(metadataOf(result), name, metadataOf(old).get(name));
  return result;
}

const KEPT_BY_STATUS: Readonly<Record<NonNullable<Strategy['statusKeeps']> | 'spec', readonly string[]>> = {
  spec: [],
  labels: ['labels'],
  owners: ['ownerReferences', 'deletionTimestamp'],
  metadata: ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName', 'deletionTimestamp'],
};

function isNewGeneration(
  kind: Kind,
  object: ApiObject,
  old: ApiObject,
  counts: NonNullable<Strategy['generation']>,
): boolean {
  const uncounted = ['kind', 'apiVersion', 'metadata', ...(hasStatus(kind) ? ['status'] : [])];
  const names = new Set([...object.keys(), ...old.keys()]);
  for (const name of uncounted) names.delete(name);
  const paths = [...names].map((name) => [name]);
  if (counts !== 'spec') paths.push(['metadata', counts]);
  return !isSame(kind, object, old, paths);
}

export function countUp(object: ApiObject, old: ApiObject): void {
  metadataOf(object).set('generation', integer((integerAt(old, 'metadata', 'generation') ?? 0n) + 1n));
}
