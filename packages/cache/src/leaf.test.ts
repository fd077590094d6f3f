// Leaves: what a reader gets before and after joining, what buffers they hold, revisions to the last bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, concat, edited, slice } from './columns.ts';
import type { Item } from './contract.ts';
import { LEAF_BUFFERS_MAX, LEAF_HELD_MAX, Leaf } from './leaf.ts';
import { leafOf, type Node, put, Turnover } from './tree.ts';

function itemOf(key: string, text: string, modRevision = 7n, createRevision = 3n): Item {
  return { key, bytes: Buffer.from(text), modRevision, createRevision };
}

function abc(): Item[] {
  return [itemOf('a', '{"a":1}'), itemOf('b', '{"b":22}'), itemOf('c', '{}')];
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

test('join() puts a comma before each item', () => {
  const leaf = new Leaf(columnsOf(abc()));
  assert.equal(text(leaf.join()), ',{"a":1},{"b":22},{}');
  assert.equal(leaf.join(), leaf.join());
  assert.equal(leaf.bytes, 17);
  assert.equal(leaf.heldBytes, 20);
  assert.equal(text(new Leaf(columnsOf([])).join()), '');
});

test('run() gives neighbours with a comma before each', () => {
  const leaf = new Leaf(columnsOf(abc()));
  assert.equal(text(leaf.run(0, 3)), ',{"a":1},{"b":22},{}');
  assert.equal(text(leaf.run(1, 2)), ',{"b":22}');
  assert.equal(text(leaf.run(1, 3)), ',{"b":22},{}');
  for (const at of [0, 1, 3]) assert.equal(leaf.run(at, at).length, 0);
  assert.equal(leaf.run(0, 2).buffer, leaf.join().buffer, 'a view, no copy');
});

test('bytesOf() and item() give the same before and after join()', () => {
  const items = abc();
  const leaf = new Leaf(columnsOf(items));
  const before = items.map((_, i) => leaf.item(i));
  assert.equal(leaf.bytesOf(1).buffer, items[1]!.bytes.buffer, 'no copy');
  leaf.join();
  for (const [i, item] of items.entries()) {
    assert.ok(Buffer.from(leaf.bytesOf(i)).equals(item.bytes));
    assert.equal(leaf.lengthOf(i), item.bytes.length);
    assert.deepEqual(
      { ...leaf.item(i), bytes: text(leaf.item(i).bytes) },
      { ...item, bytes: text(item.bytes) },
    );
    assert.ok(Buffer.from(before[i]!.bytes).equals(item.bytes), 'what was given out stays');
  }
});

test('indexFrom() and indexOf() find by byte order', () => {
  const leaf = new Leaf(columnsOf([itemOf('b', '{}'), itemOf('d', '{}'), itemOf('\xc3\xa9', '{}')]));
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'z', '\xc3\xa9', '\xff'].map((key) => leaf.indexFrom(key)),
    [0, 0, 1, 1, 2, 2, 3],
  );
  assert.deepEqual(
    ['a', 'b', 'c', '\xc3\xa9'].map((key) => leaf.indexOf(key)),
    [-1, 0, -1, 2],
  );
});

test('item() gives all 64 bits of a revision', () => {
  const revisions = [0n, 1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
  const items = revisions.map((revision, i) => itemOf(`k${i}`, '{}', revision, revisions.at(-1 - i)));
  for (const leaf of [
    new Leaf(columnsOf(items)),
    new Leaf(edited(columnsOf(items.slice(1)), [{ key: 'k0', item: items[0]! }])),
  ]) {
    assert.deepEqual(
      items.map((_, i) => [leaf.item(i).modRevision, leaf.item(i).createRevision]),
      items.map((item) => [item.modRevision, item.createRevision]),
    );
  }
});

test('edited(), slice() and concat() make leaves that share buffers', () => {
  const leaf = new Leaf(columnsOf([...abc(), itemOf('x', '"a long item"')]));
  const joined = leaf.join();
  const replaced = new Leaf(edited(leaf.columns, [{ key: 'b', item: itemOf('b', '[0]') }]));
  assert.equal(replaced.bytesOf(0).buffer, joined.buffer);
  assert.equal(text(replaced.run(0, 3)), ',{"a":1},[0],{}');
  assert.equal(text(new Leaf(edited(leaf.columns, [{ key: 'a', item: null }])).run(0, 2)), ',{"b":22},{}');
  assert.equal(text(new Leaf(slice(leaf.columns, 1, 3)).join()), ',{"b":22},{}');
  const both = new Leaf(
    concat(slice(leaf.columns, 2, 3), columnsOf([itemOf('d', '[]'), itemOf('e', '[1]')])),
  );
  assert.deepEqual(both.keys, ['c', 'd', 'e']);
  assert.equal(text(both.join()), ',{},[],[1]');
  assert.equal(text(leaf.run(0, 3)), ',{"a":1},{"b":22},{}', 'the leaf itself stays');
});

test('a leaf whose items are replaced again and again holds a bounded number of dead bytes', () => {
  for (const length of [10, 3_000, 100_000]) {
    const bytes = Buffer.alloc(length, 'x');
    const items = Array.from({ length: 60 }, (_, i) => ({ ...itemOf(`k${10 + i}`, ''), bytes }));
    let root: Node = new Leaf(columnsOf(items.slice(0, Math.max(2, Math.floor(200_000 / length)))));
    for (let i = 0; i < 200; i++) {
      const key = items[i % 7 === 0 ? 1 : 0]!.key;
      root = put(root, { ...itemOf(key, ''), bytes: Buffer.alloc(length, 'y') }, new Turnover());
      const leaf = leafOf(root, key);
      assert.ok(leaf.heldBytes <= LEAF_HELD_MAX * (leaf.bytes + leaf.count));
      assert.ok(leaf.columns.buffers.length <= LEAF_BUFFERS_MAX);
    }
  }
});

test('join() lets the buffers go that the items came in', () => {
  const leaf = new Leaf(columnsOf(abc()));
  assert.equal(leaf.columns.buffers.length, 3);
  leaf.join();
  assert.deepEqual(leaf.columns.buffers, [leaf.join()]);
  assert.equal(leaf.join().buffer.byteLength, leaf.join().length, 'in a buffer of its own');
});
