// Label sets: one id per distinct set, found once per leaf, forgotten when there are too many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from './columns.ts';
import { LABEL_SETS_BYTES, LABEL_SETS_MAX, LabelSets, labelsOf } from './labels.ts';
import { Leaf } from './leaf.ts';

function itemBytes(labels: string): Buffer {
  return Buffer.from(
    `{"metadata":{"name":"a","annotations":{"labels":"no"}${labels}},"spec":{"labels":{"x":"y"}}}`,
  );
}

function leafWith(labels: readonly string[]): Leaf {
  const items = labels.map((one, i) => {
    return {
      key: `k${String(i).padStart(6, '0')}`,
      bytes: itemBytes(one),
      modRevision: 1n,
      createRevision: 1n,
    };
  });
  return new Leaf(columnsOf(items));
}

test('labelsOf() reads the labels of an item and of nothing else', () => {
  const read = (labels: string): Record<string, string> =>
    Object.fromEntries(labelsOf(itemBytes(labels)).entries());
  assert.deepEqual(read(',"labels":{"app":"web","example.test/tier":"","__proto__":"1"}'), {
    app: 'web',
    'example.test/tier': '',
    ['__proto__']: '1',
  });
  for (const none of ['', ',"labels":{}', ',"labels":null']) assert.deepEqual(read(none), {});
  assert.equal(labelsOf(Buffer.from('{"kind":"A","spec":{"metadata":{"labels":{"a":"b"}}}}')).size, 0);
});

test('idsOf() gives equal sets one id, over all leaves, and items without labels 0', () => {
  const sets = new LabelSets();
  const web = ',"labels":{"app":"web"}';
  const db = ',"labels":{"app":"db"}';
  const a = leafWith([web, '', db, web]);
  const b = leafWith([db, ',"labels":{}', web]);
  const ids = sets.idsOf(a);
  assert.deepEqual([...ids], [1, 0, 2, 1]);
  assert.deepEqual([...sets.idsOf(b)], [2, 0, 1]);
  assert.deepEqual(
    [...new Set(ids)].map((id) => sets.labels(id).get('app')),
    ['web', undefined, 'db'],
  );
  assert.equal(sets.idsOf(a), ids, 'found once');
  assert.equal(sets.count, 3);
});

test('idsOf() forgets all sets when they are too many; leaves find theirs anew', () => {
  const sets = new LabelSets();
  const first = leafWith([',"labels":{"n":"first"}']);
  const firstIds = sets.idsOf(first);
  for (let n = 0; sets.epoch === 0; n++) {
    sets.idsOf(leafWith(Array.from({ length: 1_000 }, (_, i) => `,"labels":{"n":"${n}-${i}"}`)));
    assert.ok(sets.count <= LABEL_SETS_MAX);
  }
  assert.equal(sets.count, 1_001);
  const again = sets.idsOf(first);
  assert.notEqual(again, firstIds);
  assert.equal(sets.labels(again[0]!).get('n'), 'first');
});

test('idsOf() forgets all sets when they are too large', () => {
  const sets = new LabelSets();
  const padding = 'x'.repeat(100_000);
  let leaves = 0;
  for (; sets.epoch === 0; leaves++) sets.idsOf(leafWith([`,"labels":{"n":"${leaves}${padding}"}`]));
  assert.ok(leaves * padding.length > LABEL_SETS_BYTES);
  assert.ok(leaves * padding.length < LABEL_SETS_BYTES + 3 * padding.length);
  assert.equal(sets.count, 2);
});
