// Deletes all objects of a kind in a namespace, in batches, off the path of any request.
import type { Kind } from '@sluice/resources';
import { collectionPrefix } from '../keys.ts';
import type { Parts } from '../parts.ts';
import { hereOrInThread } from '../threads/here-or-in-thread.ts';
import type { DeleteOptions } from './delete-options.ts';
import { findItem } from './stored.ts';

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
      batch.push(deleteStored(parts, kind, key, AT_ONCE));
      if (batch.length < BATCH_OBJECTS) continue;
      await Promise.all(batch);
      batch = [];
    }
  }
  await Promise.all(batch);
  return cache.current().sum(prefix, prefix).count;
}

/** Deletes the object under the key, if it is still there; a large one in a thread. */
export function deleteStored(parts: Parts, kind: Kind, key: string, options: DeleteOptions): Promise<void> {
  const bytes = findItem(parts, kind, key)?.bytes.length ?? 0;
  return hereOrInThread(parts, 'deleteKey', kind, { key, options }, bytes);
}
