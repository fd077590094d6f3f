// What kinds do to an object before it is checked and stored: status and generation, and the special cases of single kinds.
import {
  type ApiObject,
  defaultDefinition,
  type Kind,
  withFirstStatus,
  withKeptStatus,
} from '@sluice/resources';
import { metadataOf, timeText } from './metadata.ts';
import { addNameLabel, prepareNamespace } from './namespace-object.ts';
import { qosClass } from './qos-class.ts';
import { hasStatus, type Strategy, strategyOf } from './strategies.ts';
import { equal, integer, integerAt, objectAt, put, textAt, valueAt } from './tree.ts';

/** Gives the object that is to be stored; may change the one given. */
export function prepareNew(kind: Kind, object: ApiObject, now: Date): ApiObject {
  // Kubelets register their node together with its status.
  if (hasStatus(kind) && !(kind.group === '' && kind.plural === 'nodes')) object.delete('status');
  if (strategyOf(kind).generation) metadataOf(object).set('generation', integer(1));
  return (kind.custom ? undefined : SPECIAL[resourceOf(kind)]?.(object, undefined, now)) ?? object;
}

/** The main resource leaves the status alone. */
export function prepareChanged(kind: Kind, object: ApiObject, old: ApiObject, now: Date): ApiObject {
  if (hasStatus(kind)) put(object, 'status', old.get('status'));
  const prepared = (kind.custom ? undefined : SPECIAL[resourceOf(kind)]?.(object, old, now)) ?? object;
  const { generation } = strategyOf(kind);
  if (generation && isNewGeneration(kind, prepared, old, generation)) countUp(prepared, old);
  return prepared;
}

/** A write to /status: the old object with the new status, and of the metadata what the kind allows. */
export function prepareStatus(kind: Kind, object: ApiObject, old: ApiObject): ApiObject {
  const result: ApiObject = new Map(old);
  put(result, 'status', object.get('status'));
  result.set('metadata', metadataOf(object));
  if (resourceOf(kind) === 'namespaces') addNameLabel(result);
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
  for (const name of names) if (!equal(object.get(name), old.get(name))) return true;
  if (counts === 'spec') return false;
  return !equal(valueAt(object, 'metadata', counts), valueAt(old, 'metadata', counts));
}

export function countUp(object: ApiObject, old: ApiObject): void {
  metadataOf(object).set('generation', integer((integerAt(old, 'metadata', 'generation') ?? 0n) + 1n));
}

function resourceOf(kind: Kind): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** `old` is undefined for a new object. */
type Prepare = (object: ApiObject, old: ApiObject | undefined, now: Date) => ApiObject;

const SPECIAL: Readonly<Record<string, Prepare>> = {
  namespaces: prepareNamespace,
  pods(object, old) {
    if (!old) {
      object.set(
        'status',
        new Map([
          ['phase', 'Pending'],
          ['qosClass', qosClass(object)],
        ]),
      );
    }
    return object;
  },
  persistentvolumeclaims(object, old) {
    if (!old) object.set('status', new Map([['phase', 'Pending']]));
    return object;
  },
  persistentvolumes(object, old, now) {
    if (!old)
      object.set(
        'status',
        new Map([
          ['phase', 'Pending'],
          ['lastPhaseTransitionTime', timeText(now)],
        ]),
      );
    return object;
  },
  secrets(object) {
    const plain = object.get('stringData');
    object.delete('stringData');
    if (plain instanceof Map && plain.size > 0) {
      const data = objectAt(object, 'data');
      for (const [name, text] of plain) {
        if (typeof text === 'string') data.set(name, Buffer.from(text).toString('base64'));
      }
    }
    if (textAt(object, 'type') === '') object.set('type', 'Opaque');
    return object;
  },
  'customresourcedefinitions.apiextensions.k8s.io'(object, old) {
    const defaulted = defaultDefinition(object);
    return old ? withKeptStatus(defaulted, old) : withFirstStatus(defaulted);
  },
};
