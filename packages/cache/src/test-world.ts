// For tests: a watch cache over a store in memory, a clock, and what one would ask of them.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Key, openMemoryStore, type Revision, type Store } from '@sluice/storage';
import { CacheError, type Change, type ResourceCache, type Snapshot, type WatchCache } from './contract.ts';
import { openWatchCache } from './watch-cache.ts';

export const PODS: Key = '/registry/pods/';
export const SECRETS: Key = '/registry/secrets/';

export type World = { store: Store; cache: WatchCache; pods: ResourceCache; later: (ms: number) => void };

export async function worldOf(context: TestContext, store?: Store): Promise<World> {
  const opened = store ?? (await openMemoryStore());
  let now = 1_000;
  const cache = await openWatchCache(opened, { encodedCacheBytes: 1 << 20, now: () => now });
  context.after(async () => {
    cache.close();
    await opened.close();
  });
  return {
    store: opened,
    cache,
    pods: cache.resource(PODS),
    later: (ms) => {
      now += ms;
    },
  };
}

/** Writes whatever the key holds now. */
export async function put(store: Store, key: Key, text = 'x'): Promise<Revision> {
  const expect = (await store.get(key))?.modRevision ?? 0n;
  const value = (revision: Revision): Uint8Array => Buffer.from(`{"rv":"${revision}","text":"${text}"}`);
  return (await store.commit({ key, expect, value })).revision;
}

export async function remove(store: Store, key: Key): Promise<Revision> {
  return (await store.commit({ key, expect: (await store.get(key))!.modRevision, value: null })).revision;
}

/** Key → bytes, as lists show it. */
export function stateOf(snapshot: Snapshot, prefix: Key = PODS): Map<Key, string> {
  const state = new Map<Key, string>();
  for (const leaf of snapshot.leaves(prefix, prefix)) {
    for (let i = 0; i < leaf.count; i++) state.set(leaf.keys[i]!, Buffer.from(leaf.run(i, i + 1)).toString());
  }
  return state;
}

export function told(
  resource: ResourceCache,
  after: Revision,
): { changes: Change[]; ended: () => number; stop(): void } {
  const changes: Change[] = [];
  let ends = 0;
  const { stop } = resource.subscribe(
    after,
    (change) => changes.push(change),
    () => ends++,
  );
  return { changes, ended: () => ends, stop };
}

export function refuses(act: () => unknown, reason: CacheError['reason']): void {
  assert.throws(act, (error) => error instanceof CacheError && error.reason === reason);
}
