// Twins by their counts: what stays within the budget under walks, who shares a making, how many are made at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib from 'node:zlib';
import type { Deflated } from '@sluice/encoding';
import { columnsOf } from './columns.ts';
import { Leaf } from './leaf.ts';
import { TWIN_OVERHEAD_BYTES } from './twin.ts';
import { DEFLATING_MAX, type Deflate, Twins } from './twins.ts';

/** What each twin takes of the budget here. */
const SIZE = 1_000;

function leavesOf(count: number): Leaf[] {
  return Array.from({ length: count }, (_, i) => {
    const bytes = Buffer.from(`{"n":${i}}`);
    return new Leaf(columnsOf([{ key: `k${i}`, bytes, modRevision: 1n, createRevision: 1n }]));
  });
}

const pretend: Deflate = async (bytes) => {
  return { parts: [], bytes: SIZE - TWIN_OVERHEAD_BYTES, length: bytes.length, crc: 0, shift: 0 };
};

/** One walk by `readers`, each `distance` leaves behind the one before; gives the hits of one reader on average. */
async function walk(twins: Twins, leaves: readonly Leaf[], readers = 1, distance = 0): Promise<number> {
  const before = twins.counts.hits;
  for (let step = 0; step < leaves.length + (readers - 1) * distance; step++) {
    for (let reader = 0; reader < readers; reader++) {
      const leaf = leaves[step - reader * distance];
      if (leaf) await twins.deflated(leaf);
      assert.ok(twins.counts.bytes <= twins.budgetBytes);
      assert.equal(twins.counts.bytes, twins.counts.kept * SIZE);
    }
  }
  return (twins.counts.hits - before) / readers;
}

/** What one walk hits when the least recently used goes first. */
function leastRecentlyUsed(budget: number): (leaves: readonly Leaf[]) => number {
  const kept = new Set<Leaf>();
  return (leaves) => {
    let hits = 0;
    for (const leaf of leaves) {
      if (kept.delete(leaf)) hits++;
      kept.add(leaf);
      if (kept.size > budget) kept.delete(kept.values().next().value!);
    }
    return hits;
  };
}

test('deflated() serves half of each walk where half of the list fits, least recently used serves none', async () => {
  const leaves = leavesOf(200);
  const twins = new Twins(100 * SIZE, { deflate: pretend });
  const plain = leastRecentlyUsed(100);
  assert.equal(await walk(twins, leaves), 0);
  plain(leaves);
  for (let n = 2; n <= 10; n++) {
    assert.equal(await walk(twins, leaves), 100);
    assert.equal(plain(leaves), 0);
  }
  assert.equal(twins.counts.evicted, 0);
});

test('deflated() serves as much when the list is many times the budget, or nearly fits', async () => {
  for (const [count, budget] of [
    [3_000, 100],
    [110, 100],
    [100, 100],
  ] as const) {
    const leaves = leavesOf(count);
    const twins = new Twins(budget * SIZE, { deflate: pretend });
    await walk(twins, leaves);
    for (let n = 2; n <= 6; n++) assert.equal(await walk(twins, leaves), budget);
  }
});

test('deflated() serves each of several readers that walk one behind the other', async () => {
  for (const [readers, distance] of [
    [2, 3],
    [3, 70],
    [8, 5],
    [16, 3],
  ] as const) {
    const leaves = leavesOf(200);
    const twins = new Twins(100 * SIZE, { deflate: pretend });
    for (let n = 1; n <= 3; n++) await walk(twins, leaves, readers, distance);
    const hits = await walk(twins, leaves, readers, distance);
    assert.ok(hits >= 90, `${hits} hits with ${readers} readers`);
  }
});

test('deflated() serves lists that take turns, each its share', async () => {
  const [a, b] = [leavesOf(150), leavesOf(150)];
  const twins = new Twins(100 * SIZE, { deflate: pretend });
  for (let n = 1; n <= 3; n++) for (const list of [a, b]) await walk(twins, list);
  for (let n = 4; n <= 8; n++) assert.equal((await walk(twins, a)) + (await walk(twins, b)), 100);
});

test('deflated() gives a forgotten list’s place to one that is new, or hot anew, within a few walks', async () => {
  for (const fame of [1, 5, 100]) {
    const [old, hot] = [leavesOf(100), leavesOf(100)];
    const twins = new Twins(100 * SIZE, { deflate: pretend });
    for (let n = 0; n < fame; n++) await walk(twins, old);
    for (let n = 0; n < 3; n++) await walk(twins, hot);
    assert.ok((await walk(twins, hot)) >= 90);
    for (let n = 0; n < 12; n++) await walk(twins, old);
    assert.ok((await walk(twins, old)) >= 90);
  }
});

test('deflated() keeps a small hot list through scans of a large one', async () => {
  const [hot, large] = [leavesOf(50), leavesOf(2_000)];
  const twins = new Twins(100 * SIZE, { deflate: pretend });
  await walk(twins, large);
  for (let at = 0; at < 2_000; at += 200) {
    await walk(twins, hot);
    await walk(twins, large.slice(at, at + 200));
  }
  assert.equal(await walk(twins, hot), 50);
});

test('deflated() gives what zlib reads, of the leaf without its first comma', async () => {
  const [leaf] = leavesOf(1);
  const twins = new Twins(1 << 20);
  const { parts, length, crc } = await twins.deflated(leaf!);
  const inflated = zlib.inflateRawSync(Buffer.concat(parts), { finishFlush: zlib.constants.Z_SYNC_FLUSH });
  assert.equal(inflated.toString(), '{"n":0}');
  assert.equal(length, inflated.length);
  assert.equal(crc, zlib.crc32(inflated));
});

test('deflated() makes one twin for all who ask at the same time', async () => {
  const [leaf] = leavesOf(1);
  const twins = new Twins(10 * SIZE, { deflate: pretend });
  const asked = Array.from({ length: 20 }, () => twins.deflated(leaf!));
  assert.equal(new Set(await Promise.all(asked)).size, 1);
  assert.deepEqual(twins.counts, { hits: 0, made: 1, kept: 1, evicted: 0, bytes: SIZE });
  await twins.deflated(leaf!);
  assert.equal(twins.counts.hits, 1);
});

test('deflated() makes no more than DEFLATING_MAX at a time, in the order asked for', async () => {
  const leaves = leavesOf(60);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  let running = 0;
  const deflate: Deflate = async (bytes) => {
    started.push(Number(Buffer.from(bytes).toString().slice(5, -1)));
    assert.ok(++running <= DEFLATING_MAX, `${running} at a time`);
    await new Promise<void>((resolve) => finish.push(resolve));
    running--;
    return await pretend(bytes);
  };
  const twins = new Twins(100 * SIZE, { deflate });
  const asked = leaves.slice(0, 30).map((leaf) => twins.deflated(leaf));
  for (const leaf of leaves.slice(30)) {
    await nextTurn();
    assert.equal(running, DEFLATING_MAX);
    finish.shift()!();
    // One asks right when a place gets free: those who wait come first.
    queueMicrotask(() => queueMicrotask(() => asked.push(twins.deflated(leaf))));
  }
  while (finish.length > 0) {
    finish.shift()!();
    await nextTurn();
  }
  await Promise.all(asked);
  assert.deepEqual(
    started,
    leaves.map((_, i) => i),
  );
});

test('deflated() leaves no trace of a failure, and tells it to all who wait', async () => {
  const [leaf] = leavesOf(1);
  let fails = true;
  const deflate: Deflate = async (bytes) => {
    if (fails) throw new Error('no memory');
    return await pretend(bytes);
  };
  const twins = new Twins(10 * SIZE, { deflate });
  const asked = [twins.deflated(leaf!), twins.deflated(leaf!)];
  for (const one of asked) await assert.rejects(async () => await one, /no memory/);
  for (let n = 0; n < 3 * DEFLATING_MAX; n++) void twins.deflated(leaf!);
  await nextTurn();
  assert.deepEqual(twins.counts, { hits: 0, made: 0, kept: 0, evicted: 0, bytes: 0 });
  fails = false;
  await twins.deflated(leaf!);
  assert.equal(twins.counts.kept, 1);
});

test('retire() frees the budget, and nothing of the leaf is kept again', async () => {
  const leaves = leavesOf(4);
  const twins = new Twins(3 * SIZE, { deflate: pretend });
  await walk(twins, leaves);
  twins.retire(leaves[1]!);
  assert.equal(twins.counts.bytes, 2 * SIZE);
  await twins.deflated(leaves[1]!);
  assert.equal(twins.counts.bytes, 2 * SIZE);
  await twins.deflated(leaves[3]!);
  assert.equal(twins.counts.bytes, 3 * SIZE);
  const late = leavesOf(1)[0]!;
  const made = twins.deflated(late);
  twins.retire(late);
  twins.retire(leaves[0]!);
  await made;
  assert.equal(late.twins?.deflated.value, undefined);
  assert.equal(twins.counts.bytes, 2 * SIZE);
  assert.equal(await walk(twins, leaves), 2);
});

test('deflated() pushes nothing out for a twin that finds no room even so', async () => {
  const [large, ...small] = leavesOf(11);
  const isLarge = (deflated: Deflated): Deflated => ({ ...deflated, bytes: 9 * SIZE });
  const deflate: Deflate = async (bytes) =>
    bytes.length === 7 && bytes[5] === 0x30 ? isLarge(await pretend(bytes)) : await pretend(bytes);
  const twins = new Twins(10 * SIZE, { deflate });
  for (let n = 0; n < 5; n++) for (const leaf of small) await twins.deflated(leaf);
  for (let n = 0; n < 10; n++) {
    for (let m = 0; m < 4; m++) for (const leaf of small.slice(0, 5)) await twins.deflated(leaf);
    await twins.deflated(large!);
    assert.equal(twins.counts.kept, 10, 'five are idle, the large one would need nine places');
  }
  const none = new Twins(0, { deflate: pretend });
  await walk(none, small);
  assert.equal(none.counts.kept, 0);
});
