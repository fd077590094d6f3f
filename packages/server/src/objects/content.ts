// Deletes all objects of a kind in a namespace, in batches, off the path of any request.
import { ApiError, type Kind } from '@sluice/resources';
import { collectionPrefix, keyText } from '../keys.ts';
import type { Parts } from '../parts.ts';
import { deleteWith } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Deletes under way at once: they share the store's syncs. */
const BATCH_OBJECTS = 32;

/** Nobody runs pods here, so that nobody would end them gracefully. */
const AT_ONCE: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: 0n,
  propagation: 'Background',
  orphanDependents: undefined,
  uid: undefined,
  resourceVersion: undefined,
};

/** @param namespace '': all. Resolves with what is left: objects that their finalizers hold. */
export async function deleteContent(parts: Parts, kind: Kind, namespace: string): Promise<number> {
  const cache = parts.cache.resource(kind.storagePrefix);
  const prefix = collectionPrefix(kind, namespace);
  let batch: Promise<void>[] = [];
  for (const leaf of cache.current().leaves(prefix, prefix)) {
    for (const key of leaf.keys) {
      if (!key.startsWith(prefix)) continue;
      batch.push(deleteKey(parts, kind, key, AT_ONCE));
      if (batch.length < BATCH_OBJECTS) continue;
      await Promise.all(batch);
      batch = [];
    }
  }
  await Promise.all(batch);
  return cache.current().sum(prefix, prefix).count;
}

/** Deletes the object under the key, if it is still there. */
export async function deleteKey(
  parts: Parts,
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
