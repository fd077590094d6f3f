// The watch cache over a store in memory: it shows what the store holds, from the first moment to the last.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMemoryStore, StoreError } from '@sluice/storage';
import { PODS, put, remove, SECRETS, stateOf, told, worldOf } from './test-world.ts';
import { openWatchCache } from './watch-cache.ts';

test('openWatchCache() shows what the store held before', async (context) => {
  const store = await openMemoryStore();
  for (let n = 0; n < 3_000; n++) await put(store, `${PODS}default/p-${n}`);
  const last = await remove(store, `${PODS}default/p-7`);
  const { cache, pods } = await worldOf(context, store);
  assert.equal(cache.revision, last);
  assert.equal(cache.floor, last);
  assert.equal(pods.current().count, 2_999);
  const entry = (await store.get(`${PODS}default/p-8`))!;
  const item = pods.current().get(entry.key)!;
  assert.deepEqual(Buffer.from(item.bytes), Buffer.from(entry.value));
  assert.deepEqual([item.modRevision, item.createRevision], [entry.modRevision, entry.createRevision]);
  assert.equal(pods.current().get(`${PODS}default/p-7`), undefined);
});

test('openWatchCache() resolves with the writes that were made while it read', async (context) => {
  const store = await openMemoryStore();
  for (let n = 0; n < 5_000; n++) await put(store, `${PODS}default/p-${n}`);
  let isOpen = false;
  let written = 0n;
  const writes = (async () => {
    for (let n = 0; !isOpen; n++) {
      written = await put(store, `${PODS}default/p-${n % 100}`, `while reading ${n}`);
      // More than the store tells at once to a watch that is behind.
      if (n % 500 === 0) await nextTurn();
    }
  })();
  const { cache, pods } = await worldOf(context, store);
  assert.equal(cache.revision, store.revision);
  assert.ok(cache.revision > 5_000n);
  isOpen = true;
  await writes;
  assert.equal(cache.revision, written);
  for (const [key, text] of stateOf(pods.current())) {
    assert.equal(text, `,${Buffer.from((await store.get(key))!.value)}`);
  }
});

test('openWatchCache() rejects when the store is closed, or forgets what it needs, while it reads', async () => {
  const closing = await openMemoryStore();
  for (let n = 0; n < 5_000; n++) await put(closing, `${PODS}default/p-${n}`);
  const opening = openWatchCache(closing, { encodedCacheBytes: 0 });
  await nextTurn();
  await closing.close();
  await assert.rejects(opening, (error) => error instanceof StoreError && error.reason === 'closed');

  const compacting = await openMemoryStore();
  for (let n = 0; n < 5_000; n++) await put(compacting, `${PODS}default/p-${n}`);
  const late = openWatchCache(compacting, { encodedCacheBytes: 0 });
  await nextTurn();
  await compacting.compact(await put(compacting, `${PODS}default/q`));
  await assert.rejects(late, (error) => error instanceof StoreError && error.reason === 'compacted');
});

test('current() holds every write whose commit has resolved', async (context) => {
  const { store, cache, pods } = await worldOf(context);
  for (let n = 0; n < 50; n++) {
    const key = `${PODS}default/p-${n % 7}`;
    const revision = await put(store, key, `n${n}`);
    assert.equal(cache.revision, revision);
    assert.equal(pods.current().revision, revision);
    assert.equal(pods.current().get(key)!.modRevision, revision);
  }
  await remove(store, `${PODS}default/p-3`);
  assert.equal(pods.current().get(`${PODS}default/p-3`), undefined);
  assert.equal(pods.current().count, 6);
});

test('close() ends each subscription once, those to come as well', async (context) => {
  const { store, cache, pods } = await worldOf(context);
  const one = told(pods, 0n);
  const two = told(cache.resource(SECRETS), 0n);
  two.stop();
  cache.close();
  cache.close();
  assert.deepEqual([one.ended(), two.ended()], [1, 0]);
  assert.equal(cache.closed, true);
  await put(store, `${PODS}default/a`);
  assert.deepEqual(one.changes, []);
  assert.equal(told(pods, 0n).ended(), 1);
  assert.equal(told(cache.resource('/registry/nodes/'), 0n).ended(), 1);
});

test('the end of the store closes the cache', async (context) => {
  const { store, cache, pods } = await worldOf(context);
  const { ended } = told(pods, 0n);
  assert.equal(cache.closed, false);
  await store.close();
  assert.equal(cache.closed, true);
  assert.equal(ended(), 1);
});

test('keys that are no object’s move the revision and nothing else', async (context) => {
  const { store, cache } = await worldOf(context);
  assert.equal(await put(store, 'compact_rev_key'), cache.revision);
  assert.equal(await put(store, '/registry/health'), cache.revision);
  assert.equal(cache.revision, 2n);
});
