// The heart of PUT and PATCH: reads what is there, makes what shall be, checks it, and stores it unless another was faster.

import type { Item } from '@sluice/cache';
import {
  type ApiObject,
  conflict,
  goQuote,
  invalid,
  invalidValue,
  type Kind,
  notFound,
  plainError,
  setDefaults,
} from '@sluice/resources';
import type { ResourceTarget } from '../api.ts';
import { keyText, objectKey } from '../keys.ts';
import { uint64Problem } from '../list/snapshot.ts';
import type { ObjectParts } from '../parts.ts';
import { createWith } from './create.ts';
import { ensureName, ensureNamespace, keepOldMetadata, metadataOf } from './metadata.ts';
import { prepareChanged, prepareStatus } from './preparation.ts';
import { claimNumbers } from './service-addresses.ts';
import { commit, findItem, readItem, retried, shownItem, storable, storedHalves } from './stored.ts';
import { joined } from './stored-objects.ts';
import { strategyOf } from './strategies.ts';
import { integerAt, textAt, textsAt } from './tree.ts';
import { checkChanged } from './validation.ts';

export type Change = {
  dryRun: boolean;
  /** The object must still be this one; '': any. */
  uid: string;
  /** Makes the whole new object of the old one (undefined: there is none); called again when another write came between. */
  make(old: ApiObject | undefined): ApiObject;
  /** What becomes of the made object besides what every change goes through; not given: it is the main resource's. */
  prepare?(made: ApiObject, old: ApiObject): ApiObject;
};

export type Changed = { created: boolean; item: Uint8Array; object: ApiObject };

/** @throws ApiError */
export async function changeObject(
  parts: ObjectParts,
  target: ResourceTarget,
  change: Change,
): Promise<Changed> {
  const { kind, namespace, name } = target;
  const key = objectKey(kind, namespace, name);
  return retried(async () => {
    const found = findItem(parts, kind, key);
    if (found) return changeFound(parts, target, found, change);
    if (target.subresource !== '' || !strategyOf(kind).createsOnUpdate) throw notFound(kind, name);
    const object = change.make(undefined);
    ensureNamespace(kind, object, namespace);
    ensureName(object, name);
    // The reference takes a resourceVersion here for the memory of an object that is gone.
    metadataOf(object).delete('resourceVersion');
    const item = await createWith(parts, kind, namespace, object, change.dryRun);
    return { created: true, item, object };
  });
}

async function changeFound(
  parts: ObjectParts,
  target: ResourceTarget,
  found: Item,
  change: Change,
): Promise<Changed | 'again'> {
  const { kind } = target;
  const old = readItem(parts, kind, found.bytes);
  checkUid(kind, target.name, found, old, change.uid);
  const made = change.make(old);
  setDefaults(kind, made);
  ensureNamespace(kind, made, target.namespace);
  ensureName(made, target.name);
  checkResourceVersion(kind, target.name, made, found);
  const object = storable(parts, kind, prepared(parts, target, made, old, change));
  checkChanged(kind, object, old);
  if (isReleased(object, old)) return removeReleased(parts, kind, found, object, change.dryRun);
  const claim = claimNumbers(parts, kind, found.key, object, old);
  try {
    return await store(parts, kind, found, object, change.dryRun);
  } finally {
    claim.release();
  }
}

async function store(
  parts: ObjectParts,
  kind: Kind,
  found: Item,
  object: ApiObject,
  dryRun: boolean,
): Promise<Changed | 'again'> {
  const halves = storedHalves(parts, kind, object);
  if (dryRun || sameBytes(joined(halves, found.modRevision), found.bytes)) {
    return { created: false, item: shownItem(kind, object, found.modRevision), object };
  }
  const revision = await commit(parts, kind, {
    key: found.key,
    expect: found.modRevision,
    halves,
  });
  if (revision === 'again') return 'again';
  return { created: false, item: shownItem(kind, object, revision), object };
}

function prepared(
  parts: ObjectParts,
  { kind, subresource }: ResourceTarget,
  made: ApiObject,
  old: ApiObject,
  change: Change,
): ApiObject {
  keepOldMetadata(made, old);
  if (change.prepare) return change.prepare(made, old);
  return subresource === 'status'
    ? prepareStatus(kind, made, old)
    : prepareChanged(kind, made, old, parts.now());
}

function checkUid(kind: Kind, name: string, found: Item, old: ApiObject, uid: string): void {
  const own = textAt(old, 'metadata', 'uid');
  if (uid === '' || uid === own) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`;
  throw conflict(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${keyText(found.key)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** None, and "0": whatever is there, if the kind allows that. */
function checkResourceVersion(kind: Kind, name: string, made: ApiObject, found: Item): void {
  const text = textAt(made, 'metadata', 'resourceVersion');
  const problem = text === '' ? undefined : uint64Problem(text);
  if (problem !== undefined) throw plainError(`strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  const revision = BigInt(text || 0);
  if (revision === found.modRevision) return;
  if (revision !== 0n) throw conflict(kind, name);
  if (!strategyOf(kind).needsResourceVersion) return;
  throw invalid({ group: kind.group, kind: kind.plural }, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

/** The last finalizer of an object that is being deleted is gone. */
function isReleased(object: ApiObject, old: ApiObject): boolean {
  if (textAt(old, 'metadata', 'deletionTimestamp') === '') return false;
  if (textsAt(object, 'metadata', 'finalizers').length > 0) return false;
  return (
    (integerAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0n) === 0n && !isHeldNamespace(object)
  );
}

/** A namespace has finalizers in its spec as well. */
function isHeldNamespace(object: ApiObject): boolean {
  return object.get('kind') === 'Namespace' && textsAt(object, 'spec', 'finalizers').length > 0;
}

/** The answer is the object as the client made it, at the revision it had. */
async function removeReleased(
  parts: ObjectParts,
  kind: Kind,
  found: Item,
  object: ApiObject,
  dryRun: boolean,
): Promise<Changed | 'again'> {
  if (!dryRun) {
    const revision = await commit(parts, kind, { key: found.key, expect: found.modRevision, halves: null });
    if (revision === 'again') return 'again';
  }
  return { created: false, item: shownItem(kind, object, found.modRevision), object };
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
