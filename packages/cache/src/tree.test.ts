// The tree against a sorted Map: order, sums, bounds, what a write shares with the roots before it, and what it costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnsOf } from './columns.ts';
import type { Item } from './contract.ts';
import { EMPTY_LEAF, LEAF_MAX_BYTES, LEAF_MAX_ITEMS, Leaf } from './leaf.ts';
import { RootSnapshot } from './snapshot.ts';
import {
  build,
  FANOUT_MAX,
  Inner,
  leafOf,
  leavesFrom,
  type Node,
  put,
  remove,
  sumBefore,
  Turnover,
} from './tree.ts';

type Model = Map<string, Item>;

let revision = 0n;

function itemOf(key: string, length: number): Item {
  revision++;
  const bytes = Buffer.alloc(length, `{"k":"${key}","r":${revision}}`);
  return { key, bytes, modRevision: revision, createRevision: revision - 1n };
}

function keyOf(n: number): string {
  return `/registry/configmaps/default/${String(n).padStart(9, '0')}`;
}

/** Its leaves in order, after everything a node promises was checked. */
function checked(node: Node): Leaf[] {
  const depths = new Set<number>();
  const leaves: Leaf[] = [];
  const walk = (at: Node, depth: number): void => {
    if (at instanceof Leaf) {
      depths.add(depth);
      leaves.push(at);
      const fits = at.bytes <= LEAF_MAX_BYTES && at.count <= LEAF_MAX_ITEMS;
      assert.ok(fits || at.count === 1, `a leaf of ${at.count} items and ${at.bytes} bytes`);
      assert.ok(at.count > 0 || at === EMPTY_LEAF);
      let bytes = 0;
      for (let i = 0; i < at.count; i++) bytes += at.bytesOf(i).length;
      assert.equal(at.bytes, bytes);
      return;
    }
    assert.ok(at.children.length >= 1 && at.children.length <= FANOUT_MAX);
    const leafStart = leaves.length;
    for (const [i, child] of at.children.entries()) {
      const childStart = leaves.length;
      walk(child, depth + 1);
      assert.equal(at.firstKeys[i], leaves[childStart]!.keys[0]);
    }
    const below = leaves.slice(leafStart);
    assert.equal(
      at.count,
      below.reduce((total, leaf) => total + leaf.count, 0),
    );
    assert.equal(
      at.bytes,
      below.reduce((total, leaf) => total + leaf.bytes, 0),
    );
  };
  walk(node, 0);
  assert.equal(depths.size, 1, 'all leaves are equally deep');
  if (node instanceof Inner) assert.ok(node.children.length > 1, 'a root has two children at least');
  return leaves;
}

function assertHolds(root: Node, model: Model): void {
  const leaves = checked(root);
  const keys = [...model.keys()].sort();
  assert.deepEqual(
    leaves.flatMap((leaf) => leaf.keys),
    keys,
  );
  const snapshot = new RootSnapshot(root, 0n, { replacedBefore: 0, ownBytes: 0 });
  for (const key of keys) {
    const held = snapshot.get(key)!;
    const item = model.get(key)!;
    assert.ok(Buffer.from(held.bytes).equals(item.bytes), key);
    assert.equal(held.modRevision, item.modRevision);
    assert.equal(held.createRevision, item.createRevision);
  }
}

function assertFinds(root: Node, model: Model, probe: string): void {
  const before = [...model].filter(([key]) => key < probe);
  assert.deepEqual(sumBefore(root, probe), {
    count: before.length,
    bytes: before.reduce((total, [, item]) => total + item.bytes.length, 0),
  });
  const from = [...leavesFrom(root, probe)].flatMap((leaf) => leaf.keys).filter((key) => key >= probe);
  assert.deepEqual(from, [...model.keys()].filter((key) => key >= probe).sort());
  assert.equal(leafOf(root, probe).indexOf(probe) >= 0, model.has(probe));
}

const length = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 64 }) },
  { weight: 6, arbitrary: fc.integer({ min: 5_000, max: 60_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: LEAF_MAX_BYTES - 200, max: LEAF_MAX_BYTES * 2 }) },
);
/** Keys that grow, that shrink, a few hot ones, and any. */
const place = fc.oneof(
  fc.constant('grow' as const),
  fc.constant('shrink' as const),
  fc.integer({ min: 500_000, max: 500_008 }),
  fc.integer({ min: 400_000, max: 600_000 }),
);
const step = fc.record({
  place,
  length,
  removes: fc.boolean(),
  pick: fc.nat(),
  repeat: fc.integer({ min: 1, max: 40 }),
});

test('put() and remove() hold what a sorted map holds, and leave older roots as they were', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let root: Node = EMPTY_LEAF;
      let low = 500_000;
      let high = 500_000;
      const model: Model = new Map();
      const past: { root: Node; model: Model }[] = [];
      for (const { place, length, removes, pick, repeat } of steps) {
        if (past.length < 6) past.push({ root, model: new Map(model) });
        for (let i = 0; i < repeat; i++) {
          const turnover = new Turnover();
          const before: ReadonlySet<Leaf> = new Set(leavesFrom(root, ''));
          if (removes && model.size > 0) {
            const keys = [...model.keys()];
            const key = keys[(pick + i) % keys.length]!;
            root = remove(root, key, turnover);
            model.delete(key);
          } else {
            const n = place === 'grow' ? high++ : place === 'shrink' ? low-- : place + i;
            const item = itemOf(keyOf(n), length);
            root = put(root, item, turnover);
            model.set(item.key, item);
          }
          const after: ReadonlySet<Leaf> = new Set(leavesFrom(root, ''));
          assert.ok(areSame(turnover.gone, difference(before, after)), 'gone: what only the old root has');
          assert.ok(areSame(turnover.made, difference(after, before)), 'made: what only the new root has');
        }
        assertFinds(root, model, keyOf(400_000 + (pick % 200_000)));
      }
      for (const state of [...past, { root, model }]) assertHolds(state.root, state.model);
    }),
    { numRuns: 60 },
  );
});

test('remove() of a key that is not there gives the root itself', () => {
  const turnover = new Turnover();
  const root = put(EMPTY_LEAF, itemOf(keyOf(1), 10), turnover);
  assert.equal(remove(root, keyOf(2), turnover), root);
  assert.equal(remove(EMPTY_LEAF, keyOf(2), turnover), EMPTY_LEAF);
});

test('remove() of all items leads back to the empty leaf', () => {
  const keys = Array.from({ length: 5_000 }, (_, n) => keyOf(n));
  let root = keys.reduce<Node>((at, key) => put(at, itemOf(key, 2_000), new Turnover()), EMPTY_LEAF);
  for (const key of keys.toSorted((a, b) => a.slice(-3).localeCompare(b.slice(-3)))) {
    root = remove(root, key, new Turnover());
  }
  assert.equal(root, EMPTY_LEAF);
});

test('put() gives a huge item a leaf of its own amid small ones', () => {
  let root: Node = EMPTY_LEAF;
  for (let n = 0; n < 900; n++) root = put(root, itemOf(keyOf(n * 10), 100), new Turnover());
  root = put(root, itemOf(keyOf(4_505), LEAF_MAX_BYTES * 4), new Turnover());
  const counts = checked(root).map((leaf) => leaf.count);
  assert.deepEqual(counts, [451, 1, 449]);
});

test('put() of growing keys leaves full leaves behind, whose twins stay', () => {
  let root: Node = EMPTY_LEAF;
  let gone = 0;
  for (let n = 0; n < 20_000; n++) {
    const turnover = new Turnover();
    root = put(root, itemOf(keyOf(n), 1_000), turnover);
    gone += [...turnover.gone].filter((leaf) => leaf.bytes > LEAF_MAX_BYTES - 1_000).length;
  }
  const leaves = checked(root);
  assert.equal(gone, 0);
  assert.equal(leaves.length, Math.ceil(20_000 / Math.floor(LEAF_MAX_BYTES / 1_000)));
});

test('put() of growing keys fills the nodes above the leaves too', () => {
  const { bytes } = itemOf('', LEAF_MAX_BYTES);
  let root: Node = EMPTY_LEAF;
  for (let n = 0; n < 1_000; n++) root = put(root, { ...itemOf(keyOf(n), 0), bytes }, new Turnover());
  checked(root);
  assert.ok(root instanceof Inner);
  assert.equal(root.children.length, Math.ceil(1_000 / FANOUT_MAX));
});

test('put() of shrinking keys between full leaves makes no leaf per key', () => {
  const full = (from: number): Leaf =>
    new Leaf(columnsOf(Array.from({ length: LEAF_MAX_ITEMS }, (_, i) => itemOf(keyOf(from + i), 20))));
  let root = build([full(0), full(500_000)]);
  for (let n = 400_000; n > 390_000; n--) root = put(root, itemOf(keyOf(n), 20), new Turnover());
  assert.equal(root.count, 2 * LEAF_MAX_ITEMS + 10_000);
  assert.ok(checked(root).length < 30, `${checked(root).length} leaves`);
});

test('put() among a million items touches one path, in microseconds', () => {
  const bytes = Buffer.from('{"metadata":{}}');
  const leaves: Leaf[] = [];
  for (let n = 0; n < 1_000_000; n += 500) {
    const items = Array.from({ length: 500 }, (_, i) => {
      return { key: keyOf((n + i) * 10), bytes, modRevision: 1n, createRevision: 1n };
    });
    leaves.push(new Leaf(columnsOf(items)));
  }
  let root = build(leaves);
  const puts = 2_000;
  let made = 0;
  const start = process.hrtime.bigint();
  for (let i = 0; i < puts; i++) {
    const turnover = new Turnover();
    root = put(root, itemOf(keyOf((i * 7_919 * 10 + (i % 10)) % 10_000_000), 100), turnover);
    made += turnover.made.size;
  }
  const microseconds = Number(process.hrtime.bigint() - start) / 1_000 / puts;
  assert.ok(made <= puts * 2, `${made} leaves made`);
  assert.ok(microseconds < 1_000, `${microseconds} µs a put`);
  const old = root;
  root = put(root, itemOf(keyOf(5), 100), new Turnover());
  assert.ok(nodesOnlyIn(root, old) <= 4, 'nodes copied: the leaf and those above it');
});

test('leavesFrom() begins at the leaf of the key, sumBefore() ends there', () => {
  const leaves = [0, 10, 20].map(
    (from) => new Leaf(columnsOf([1, 2, 3].map((n) => itemOf(keyOf(from + n), 5)))),
  );
  const root = build(leaves);
  const places = (start: string): number[] =>
    [...leavesFrom(root, start)].map((leaf) => leaves.indexOf(leaf));
  assert.deepEqual(places(''), [0, 1, 2]);
  assert.deepEqual(places(keyOf(11)), [1, 2]);
  assert.deepEqual(places(keyOf(19)), [1, 2]);
  assert.deepEqual(places(keyOf(22)), [2]);
  assert.deepEqual(sumBefore(root, keyOf(12)), { count: 4, bytes: 20 });
  assert.deepEqual(sumBefore(root, '~'), { count: 9, bytes: 45 });
  assert.deepEqual([...leavesFrom(EMPTY_LEAF, '')], []);
});

function difference(a: ReadonlySet<Leaf>, b: ReadonlySet<Leaf>): Set<Leaf> {
  return new Set([...a].filter((leaf) => !b.has(leaf)));
}

function areSame(a: ReadonlySet<Leaf>, b: ReadonlySet<Leaf>): boolean {
  return a.size === b.size && [...a].every((leaf) => b.has(leaf));
}

function nodesOnlyIn(root: Node, other: Node): number {
  const known = new Set(nodesOf(other));
  return nodesOf(root).filter((node) => !known.has(node)).length;
}

function nodesOf(node: Node): Node[] {
  return node instanceof Leaf ? [node] : [node, ...node.children.flatMap(nodesOf)];
}
