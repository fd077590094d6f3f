// Filling the cache: every key under its resource, leaves full and joined, nothing of the store's batches held.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Entry, Range } from '@sluice/storage';
import { LEAF_FILL_BYTES, LEAF_FILL_ITEMS } from './leaf.ts';
import { loadTrees, resourcePrefix } from './load.ts';
import { leavesFrom } from './tree.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

function entryOf(key: string, value: Uint8Array): Entry {
  return { key, value, createRevision: 3n, modRevision: 4n };
}

function numbered(n: number): string {
  return `/registry/configmaps/default/cm-${String(n).padStart(7, '0')}`;
}

/** Entries made when they are asked for, so that nothing but the cache holds them. */
function rangeOf(count: number, batchSize: number, make: (n: number) => Entry): Range {
  async function* batches(): AsyncGenerator<readonly Entry[], void> {
    for (let n = 0; n < count; n += batchSize) {
      yield Array.from({ length: Math.min(batchSize, count - n) }, (_, i) => make(n + i));
    }
  }
  return { revision: 9n, batches: batches() };
}

test('resourcePrefix() follows the layout of kube-apiserver', () => {
  for (const [key, prefix] of [
    ['/registry/pods/default/a', '/registry/pods/'],
    ['/registry/namespaces/a', '/registry/namespaces/'],
    ['/registry/minions/node-1', '/registry/minions/'],
    ['/registry/services/specs/default/a', '/registry/services/specs/'],
    ['/registry/services/endpoints/default/a', '/registry/services/endpoints/'],
    ['/registry/example.test/widgets/default/a', '/registry/example.test/widgets/'],
    ['/registry/example.test/globals/a', '/registry/example.test/globals/'],
    [
      '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.test',
      '/registry/apiextensions.k8s.io/customresourcedefinitions/',
    ],
    ['/registry/health', undefined],
    ['/registry/example.test/a', undefined],
    ['/registry/services', undefined],
    ['compact_rev_key', undefined],
    ['/other/pods/default/a', undefined],
  ] as const) {
    assert.equal(resourcePrefix(key), prefix, key);
  }
});

test('loadTrees() gives each resource its items, in key order, in full leaves', async () => {
  const keys = [
    '/registry/apps.test/b/x',
    '/registry/configmaps/a/a',
    '/registry/configmaps/a/b',
    '/registry/configmaps/b/a',
    '/registry/health',
    '/registry/services/endpoints/a/a',
    '/registry/services/specs/a/a',
    '/registry/services/specs/a/b',
  ];
  const range = rangeOf(keys.length, 3, (n) => entryOf(keys[n]!, Buffer.from(`{"n":${n}}`)));
  const trees = await loadTrees(range);
  const loaded = [...trees].flatMap(([prefix, root]) =>
    [...leavesFrom(root, '')].flatMap((leaf) => leaf.keys.map((key) => [prefix, key])),
  );
  const expected = keys.filter((key) => key !== '/registry/health').map((key) => [resourcePrefix(key), key]);
  assert.deepEqual(loaded, expected);
  const [leaf] = leavesFrom(trees.get('/registry/services/specs/')!, '');
  assert.equal(Buffer.from(leaf!.join()).toString(), ',{"n":6},{"n":7}');
  assert.deepEqual([leaf!.item(0).modRevision, leaf!.item(0).createRevision], [4n, 3n]);
});

test('loadTrees() fills leaves by bytes and by number', async () => {
  for (const [size, count] of [
    [10, 5_000],
    [1_000, 5_000],
    [LEAF_FILL_BYTES + 1, 5],
  ] as const) {
    const range = rangeOf(count, 1_000, (n) => entryOf(numbered(n), Buffer.alloc(size)));
    const leaves = [...leavesFrom((await loadTrees(range)).get('/registry/configmaps/')!, '')];
    const perLeaf = Math.max(1, Math.min(LEAF_FILL_ITEMS, Math.floor(LEAF_FILL_BYTES / size)));
    assert.equal(leaves.length, Math.ceil(count / perLeaf));
    for (const leaf of leaves.slice(0, -1)) assert.equal(leaf.count, perLeaf);
  }
});

test('loadTrees() lets other things happen between few megabytes', async () => {
  const value = Buffer.alloc(100_000);
  let turns = 0;
  let isOver = false;
  const count = async (): Promise<void> => {
    for (; !isOver; turns++) await nextTurn();
  };
  const counting = count();
  await loadTrees(rangeOf(1_000, 1_000, (n) => entryOf(numbered(n), value)));
  isOver = true;
  await counting;
  assert.ok(turns >= 20, `${turns} turns for 100 MB`);
});

test('loadTrees() holds the bytes of large items once, and nothing of the batches', async () => {
  const count = 2_000;
  const size = 100_000;
  const refs: WeakRef<Uint8Array>[] = [];
  gc();
  const before = process.memoryUsage().arrayBuffers;
  const trees = await loadTrees(
    rangeOf(count, 100, (n) => {
      const value = Buffer.allocUnsafeSlow(size).fill('x');
      refs.push(new WeakRef(value));
      return entryOf(numbered(n), value);
    }),
  );
  const limit = count * size * 1.06;
  const held = await settled(() => process.memoryUsage().arrayBuffers - before, limit);
  assert.ok(held <= limit, `${held} bytes for ${count * size}`);
  assert.equal(refs.filter((ref) => ref.deref() !== undefined).length, 0);
  assert.equal(trees.get('/registry/configmaps/')!.count, count);
});

test('loadTrees() costs at most 200 bytes beside the bytes of a small item', async () => {
  const count = 200_000;
  const size = 200;
  const memory = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  gc();
  const before = memory();
  const trees = await loadTrees(
    rangeOf(count, 1_000, (n) =>
      entryOf(Buffer.from(numbered(n)).toString('latin1'), Buffer.alloc(size, 'x')),
    ),
  );
  const limit = count * (size + 200);
  const held = await settled(() => memory() - before, limit);
  assert.ok(held <= limit, `${held / count - size} bytes an item`);
  assert.equal(trees.get('/registry/configmaps/')!.count, count);
});

/** What is measured once garbage is gone, which buffers are only a while after they were collected. */
async function settled(measure: () => number, limit: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    await pause(20);
    gc();
    const held = measure();
    if (held <= limit || tries === 100) return held;
  }
}
