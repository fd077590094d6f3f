// One resource: the past is found or said to be forgotten, watchers miss and repeat nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Key, openMemoryStore, type Revision } from '@sluice/storage';
import type { Change, Snapshot } from './contract.ts';
import { SNAPSHOT_KEPT_MS } from './kept-snapshots.ts';
import { UNDO_KEYS_MAX } from './resource.ts';
import { PODS, put, refuses, remove, SECRETS, stateOf, told, worldOf } from './test-world.ts';

test('at() shows every revision that is not forgotten', async (context) => {
  const { store, pods } = await worldOf(context);
  const states = new Map<Revision, Map<Key, string>>([[0n, new Map()]]);
  for (let n = 0; n < 400; n++) {
    const key = `${PODS}default/p-${(n * 7) % 60}`;
    const isThere = (await store.get(key)) !== undefined;
    const revision = isThere && n % 3 === 0 ? await remove(store, key) : await put(store, key, `n${n}`);
    states.set(revision, stateOf(pods.current()));
    if (n % 5 === 0) states.set(await put(store, `${SECRETS}default/s`), stateOf(pods.current()));
  }
  for (const [revision, state] of states) {
    const snapshot = pods.at(revision);
    assert.equal(snapshot.revision, revision);
    assert.equal(snapshot.count, state.size);
    assert.deepEqual(stateOf(snapshot), state, `at ${revision}`);
  }
});

test('at() refuses revisions of the future and those that are forgotten', async (context) => {
  const store = await openMemoryStore();
  await put(store, `${PODS}default/a`);
  const loaded = await put(store, `${SECRETS}default/s`);
  const { cache, pods } = await worldOf(context, store);
  assert.equal(pods.at(loaded).count, 1);
  refuses(() => pods.at(loaded + 1n), 'future');
  refuses(() => pods.at(loaded - 1n), 'expired');
  for (let n = 0; n <= UNDO_KEYS_MAX; n++) await put(store, `${PODS}default/p-${n}`);
  refuses(() => pods.at(loaded), 'expired');
  assert.equal(pods.at(loaded + 1n).count, 2);
  assert.equal(cache.resource(SECRETS).at(loaded).count, 1, 'nothing changed here');
});

test('at() finds what was kept, the same one, until its time is over', async (context) => {
  const { store, pods, later } = await worldOf(context);
  for (let n = 0; n < 10; n++) await put(store, `${PODS}default/p-${n}`);
  const kept = pods.current();
  pods.keep(kept);
  for (let n = 0; n <= UNDO_KEYS_MAX; n++) await put(store, `${PODS}default/q-${n}`);
  assert.equal(pods.at(kept.revision), kept);
  later(SNAPSHOT_KEPT_MS - 1);
  assert.equal(pods.at(kept.revision), kept);
  later(1);
  refuses(() => pods.at(kept.revision), 'expired');
});

test('at() undoes once for all pages, and no twin is kept of what it makes', async (context) => {
  const { store, cache, pods } = await worldOf(context);
  const old = await put(store, `${PODS}default/a`);
  await put(store, `${PODS}default/a`, 'new');
  const snapshot = pods.at(old);
  assert.equal(pods.at(old), snapshot);
  for (const leaf of snapshot.leaves(PODS, PODS)) await cache.twins.deflated(leaf);
  assert.equal(cache.twins.counts.kept, 0);
  for (const leaf of pods.current().leaves(PODS, PODS)) await cache.twins.deflated(leaf);
  assert.equal(cache.twins.counts.kept, 1);
  await put(store, `${PODS}default/b`);
  assert.equal(cache.twins.counts.kept, 0, 'its leaf was replaced');
});

test('at() takes one short turn, however much it undoes', async (context) => {
  const { store, pods } = await worldOf(context);
  const text = 'x'.repeat(1_000);
  const keys = Array.from({ length: 20_000 }, (_, n) => `${PODS}default/p-${String(n).padStart(6, '0')}`);
  for (const key of keys) await put(store, key, text);
  const revision = store.revision;
  for (let n = 0; n < UNDO_KEYS_MAX; n++) await put(store, keys[n * 20]!, text);
  const times = [0n, 1n, 2n, 3n, 4n].map((later) => {
    const start = performance.now();
    assert.equal(pods.at(revision + later).count, keys.length);
    return performance.now() - start;
  });
  // A quiet machine takes less than half of a turn's 20 ms.
  assert.ok(Math.min(...times) < 60, `${times} ms`);
});

test('what the history holds of an object is not a slice of something larger', async (context) => {
  const store = await openMemoryStore();
  for (let n = 0; n < 100; n++) await put(store, `${PODS}default/p-${n}`);
  const { pods } = await worldOf(context, store);
  const { changes } = told(pods, store.revision);
  await put(store, `${PODS}default/p-1`);
  await remove(store, `${PODS}default/p-2`);
  const held = changes.flatMap(({ item, previous }) => [item, previous]).filter((item) => item !== null);
  assert.equal(held.length, 3);
  for (const { bytes } of held) assert.equal(bytes.buffer.byteLength, bytes.length);
});

test('keep() takes only snapshots of this cache', async (context) => {
  const { pods } = await worldOf(context);
  assert.throws(() => pods.keep({ ...pods.current() } as Snapshot), TypeError);
});

test('subscribe() tells what was missed and what comes, in order, each once', async (context) => {
  const { store, pods } = await worldOf(context);
  const first = await put(store, `${PODS}default/a`, 'one');
  const second = await put(store, `${PODS}default/a`, 'two');
  await put(store, `${SECRETS}default/s`);
  const all = told(pods, 0n);
  const late = told(pods, first);
  const now = told(pods, second);
  const third = await remove(store, `${PODS}default/a`);
  const fourth = await put(store, `${PODS}default/b`);
  const revisions = ({ changes }: { changes: Change[] }): Revision[] =>
    changes.map(({ revision }) => revision);
  assert.deepEqual(revisions(all), [first, second, third, fourth]);
  assert.deepEqual(revisions(late), [second, third, fourth]);
  assert.deepEqual(revisions(now), [third, fourth]);
  const text = (item: Change['item']): string | undefined =>
    item?.bytes && Buffer.from(item.bytes).toString();
  assert.deepEqual(
    all.changes.map(({ item, previous }) => [text(item), text(previous)]),
    [
      [`{"rv":"${first}","text":"one"}`, undefined],
      [`{"rv":"${second}","text":"two"}`, `{"rv":"${first}","text":"one"}`],
      [undefined, `{"rv":"${second}","text":"two"}`],
      [`{"rv":"${fourth}","text":"x"}`, undefined],
    ],
  );
  assert.deepEqual(
    pods.changes(first, 2).map(({ revision }) => revision),
    [second, third],
  );
});

test('subscribe() from the future tells nothing before it', async (context) => {
  const { store, pods } = await worldOf(context);
  const revision = await put(store, `${PODS}default/a`);
  const { changes } = told(pods, revision + 2n);
  for (let n = 0; n < 4; n++) await put(store, `${PODS}default/p-${n}`);
  assert.deepEqual(
    changes.map((change) => change.revision),
    [revision + 3n, revision + 4n],
  );
});

test('subscribe() and changes() refuse when changes are forgotten', async (context) => {
  const store = await openMemoryStore();
  const loaded = await put(store, `${PODS}default/a`);
  const { pods } = await worldOf(context, store);
  refuses(() => told(pods, loaded - 1n), 'expired');
  refuses(() => pods.changes(loaded - 1n, 10), 'expired');
  assert.deepEqual(told(pods, loaded).changes, []);
});

test('subscribe() has the state it tells of in current()', async (context) => {
  const { store, cache, pods } = await worldOf(context);
  let seen = 0;
  pods.subscribe(
    0n,
    ({ key, item, revision }) => {
      seen++;
      assert.equal(cache.revision, revision);
      assert.equal(pods.current().revision, revision);
      assert.equal(pods.current().get(key)?.modRevision, item?.modRevision);
    },
    () => {},
  );
  for (let n = 0; n < 20; n++) await put(store, `${PODS}default/p-${n % 3}`);
  await remove(store, `${PODS}default/p-0`);
  assert.equal(seen, 21);
});

test('subscribe() from within a change, and writes from within one, lose and repeat nothing', async (context) => {
  const { store, pods } = await worldOf(context);
  await put(store, `${PODS}default/a`);
  const outer: Revision[] = [];
  const inner: Revision[] = [];
  const writes: Promise<Revision>[] = [];
  pods.subscribe(
    0n,
    ({ revision }) => {
      outer.push(revision);
      if (outer.length < 5) writes.push(put(store, `${PODS}default/p-${revision}`));
      if (outer.length === 3)
        pods.subscribe(
          0n,
          (change) => inner.push(change.revision),
          () => {},
        );
    },
    () => {},
  );
  for (let n = 0; n < 5; n++) await put(store, `${PODS}default/q-${n}`);
  await Promise.all(writes);
  const everything = pods.changes(0n, 100).map(({ revision }) => revision);
  assert.equal(everything.length, 10);
  assert.deepEqual(outer, everything);
  assert.deepEqual(inner, everything);
});

test('subscribe() that writes during what it missed is told of that too', async (context) => {
  const { store, pods } = await worldOf(context);
  const revision = await put(store, `${PODS}default/a`);
  const heard: Revision[] = [];
  const value = (): Uint8Array => Buffer.from('{}');
  pods.subscribe(
    0n,
    (change) => {
      heard.push(change.revision);
      // Commits of this store happen right away.
      if (heard.length === 1) void store.commit({ key: `${PODS}default/b`, expect: 0n, value });
    },
    () => {},
  );
  await put(store, `${PODS}default/c`);
  assert.deepEqual(heard, [revision, revision + 1n, revision + 2n]);
});

test('stop() ends a subscription, also from within a change', async (context) => {
  const { store, pods } = await worldOf(context);
  const one = told(pods, 0n);
  const heard: Revision[] = [];
  const two = pods.subscribe(
    0n,
    ({ revision }) => {
      heard.push(revision);
      two.stop();
      one.stop();
    },
    () => {},
  );
  await put(store, `${PODS}default/a`);
  await put(store, `${PODS}default/b`);
  assert.equal(heard.length, 1);
  assert.equal(one.changes.length, 1);
});
