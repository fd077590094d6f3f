// Snapshots: they stay as they were, and ranges of them are found and counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Key } from '@sluice/storage';
import { PODS, put, remove, stateOf, worldOf } from './test-world.ts';

test('a snapshot stays as it was while writes go on', async (context) => {
  const { store, pods } = await worldOf(context);
  for (let n = 0; n < 3_000; n++) await put(store, `${PODS}default/p-${String(n).padStart(5, '0')}`);
  const snapshot = pods.current();
  const before = stateOf(snapshot);
  const { count, bytes, revision } = snapshot;
  for (let n = 0; n < 3_000; n += 2)
    await put(store, `${PODS}default/p-${String(n).padStart(5, '0')}`, 'new');
  for (let n = 0; n < 3_000; n += 3) await remove(store, `${PODS}default/p-${String(n).padStart(5, '0')}`);
  assert.deepEqual(stateOf(snapshot), before);
  assert.deepEqual([snapshot.count, snapshot.bytes, snapshot.revision], [count, bytes, revision]);
});

test('leaves() and sum() keep to a prefix and a start, also where they lie beside each other', async (context) => {
  const { store, pods } = await worldOf(context);
  for (const namespace of ['a', 'a-b', 'b']) {
    for (let n = 0; n < 900; n++) await put(store, `${PODS}${namespace}/p-${String(n).padStart(4, '0')}`);
  }
  const snapshot = pods.current();
  const all = [...stateOf(snapshot)];
  for (const prefix of [PODS, `${PODS}a/`, `${PODS}a-b/`, `${PODS}b/`, `${PODS}c/`]) {
    for (const start of [
      prefix,
      `${prefix}p-0450`,
      `${prefix}p-0899\0`,
      `${PODS}b/p-0100`,
      PODS,
      `${PODS}z`,
    ]) {
      const expected = all.filter(([key]) => key.startsWith(prefix) && key >= start);
      const bytes = expected.reduce((total, [, text]) => total + text.length - 1, 0);
      assert.deepEqual(snapshot.sum(prefix, start), { count: expected.length, bytes }, `${prefix} ${start}`);
      const leaves = [...snapshot.leaves(prefix, start)];
      const isShown = (key: Key): boolean => key.startsWith(prefix) && key >= start;
      assert.deepEqual(
        leaves.flatMap((leaf) => leaf.keys.filter(isShown)),
        expected.map(([key]) => key),
      );
      for (const leaf of leaves) assert.ok(leaf.keys.some(isShown), 'no leaf for nothing');
    }
  }
});
