// DELETE of one object: it goes at once, or is marked and waits.
import type { Item } from '@sluice/cache';
import { ApiError, type ApiObject, type Kind, notFound } from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget, StatusAnswer } from '../api.ts';
import { keyText, objectKey } from '../keys.ts';
import type { ObjectParts } from '../parts.ts';
import { beginContentDeletion, checkMortal } from './content-deletion.ts';
import { type DeleteOptions, readDeleteOptions } from './delete-options.ts';
import { beginDeletion, checkPreconditions } from './deletion.ts';
import { commit, findItem, readItem, retried, shownItem, storedHalves } from './stored.ts';
import { strategyOf } from './strategies.ts';
import { textAt } from './tree.ts';

/** @throws ApiError */
export async function deleteObject(
  parts: ObjectParts,
  { kind, namespace, name }: ResourceTarget,
  request: ApiRequest,
): Promise<ObjectAnswer | StatusAnswer> {
  const options = await readDeleteOptions(request);
  checkMortal(kind, name);
  const deleted = await deleteWith(parts, kind, namespace, name, options);
  if (deleted.isGone && !strategyOf(kind).answersDeleted) return goneAnswer(kind, deleted.object);
  const code = !deleted.isGone && options.orphanDependents === false ? 202 : 200;
  return { type: 'object', code, kind, item: deleted.item };
}

/** Deletes the object under the key, if it is still there. */
export async function deleteKey(
  parts: ObjectParts,
  kind: Kind,
  key: string,
  options: DeleteOptions,
): Promise<void> {
  const path = keyText(key.slice(kind.storagePrefix.length));
  const slash = kind.namespaced ? path.indexOf('/') : -1;
  try {
    await deleteWith(parts, kind, path.slice(0, Math.max(0, slash)), path.slice(slash + 1), options);
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 404;
    if (!isGone) throw error;
  }
}

/** The object as it is now, or as it was last. */
export type Deleted = { isGone: boolean; item: Uint8Array; object: ApiObject };

/** @throws ApiError 404, 409 */
export async function deleteWith(
  parts: ObjectParts,
  kind: Kind,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<Deleted> {
  const key = objectKey(kind, namespace, name);
  return retried(async () => {
    const found = findItem(parts, kind, key);
    if (!found) throw notFound(kind, name);
    const object = readItem(parts, kind, found.bytes);
    checkPreconditions(kind, object, options);
    const now = parts.now();
    const deletion = beginContentDeletion(kind, object, now) ?? beginDeletion(kind, object, options, now);
    const isGone = deletion.stage === 'remove';
    if (options.dryRun) return { isGone, item: shownItem(kind, object, found.modRevision), object };
    const marked = deletion.isChanged ? await mark(parts, kind, found, object) : found.modRevision;
    if (marked === 'again') return 'again';
    const revision = isGone ? await commit(parts, kind, { key, expect: marked, halves: null }) : marked;
    if (revision === 'again') return 'again';
    return { isGone, item: shownItem(kind, object, revision), object };
  });
}

/** Watchers see the mark before they see the object go. */
function mark(parts: ObjectParts, kind: Kind, found: Item, object: ApiObject): Promise<bigint | 'again'> {
  const halves = storedHalves(parts, kind, object);
  return commit(parts, kind, { key: found.key, expect: found.modRevision, halves });
}

function goneAnswer(kind: Kind, object: ApiObject): StatusAnswer {
  const details = {
    name: textAt(object, 'metadata', 'name'),
    group: kind.group,
    kind: kind.plural,
    uid: textAt(object, 'metadata', 'uid'),
  };
  return { type: 'status', code: 200, status: { status: 'Success', details } };
}
