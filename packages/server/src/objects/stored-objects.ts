// Where the handlers of single objects find and leave them: the cache, the store and the address book. Threads ask the event loop for them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Item, WatchCache } from '@sluice/cache';
import type { Halves } from '@sluice/resources';
import { type Key, type Revision, type Store, StoreError } from '@sluice/storage';
import type { AddressBook, Claim } from './address-book.ts';

export interface StoredObjects {
  /** The newest revision that finds show. */
  readonly revision: Revision;
  /** What is stored under the key of a resource, at the newest revision. */
  find(storagePrefix: Key, key: Key): Item | undefined;
  /**
   * Makes a write if the key is at `expect` (0n: there is none); `again` when another write came between: it is found when
   * this resolves. Without halves the key is deleted.
   * @throws StoreError when the store can't take it
   */
  commit(write: ObjectWrite): Promise<Revision | 'again'>;
  /** Addresses and ports for the service under the key. */
  claim(key: Key): Claim;
}

export type ObjectWrite = { key: Key; expect: Revision; halves: Halves | null };

export function openStoredObjects(store: Store, cache: WatchCache, addresses: AddressBook): StoredObjects {
  return {
    get revision() {
      return cache.revision;
    },
    find: (storagePrefix, key) => cache.resource(storagePrefix).current().get(key),
    async commit({ key, expect, halves }) {
      const value = halves && ((revision: Revision): Uint8Array => joined(halves, revision));
      try {
        return (await store.commit({ key, expect, value })).revision;
      } catch (error) {
        if (!(error instanceof StoreError) || error.reason !== 'conflict') throw error;
        const newest = error.current?.modRevision ?? 0n;
        do await nextTurn();
        while (cache.revision < newest && !cache.closed);
        return 'again';
      }
    },
    claim: (key) => addresses.claim(key),
  };
}

/** Item bytes at a revision. */
export function joined({ head, tail }: Halves, revision: Revision): Uint8Array {
  return Buffer.concat([head, Buffer.from(String(revision)), tail]);
}
