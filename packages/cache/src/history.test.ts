// The history's limits and its floor: what is forgotten, and that it is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, Item } from './contract.ts';
import { HISTORY_CHANGES, History } from './history.ts';

function changeOf(revision: bigint, key = '/registry/pods/a', length = 1_000): Change {
  const item: Item = { key, bytes: Buffer.alloc(length), modRevision: revision, createRevision: revision };
  return { revision, key, item, previous: null };
}

function revisionsAfter(history: History, revision: bigint, prefix = '/registry/'): bigint[] | undefined {
  return history.after(revision, prefix)?.map((change) => change.revision);
}

test('after() gives what came after a revision below a prefix, oldest first', () => {
  const history = new History(10n);
  for (const [revision, key] of [
    [12n, '/registry/pods/a'],
    [13n, '/registry/secrets/a'],
    [17n, '/registry/pods/b'],
  ] as const) {
    history.add(changeOf(revision, key));
  }
  assert.deepEqual(revisionsAfter(history, 10n), [12n, 13n, 17n]);
  assert.deepEqual(revisionsAfter(history, 10n, '/registry/pods/'), [12n, 17n]);
  assert.deepEqual(revisionsAfter(history, 12n), [13n, 17n]);
  assert.deepEqual(revisionsAfter(history, 15n), [17n], 'between two revisions');
  assert.deepEqual(revisionsAfter(history, 17n), []);
  assert.deepEqual(revisionsAfter(history, 99n), []);
  assert.deepEqual(
    history.after(10n, '/registry/pods/', 1)?.map((change) => change.revision),
    [12n],
  );
  assert.equal(revisionsAfter(history, 9n), undefined, 'before the floor');
  assert.equal(history.floor, 10n);
});

test('add() forgets the oldest past the limit of bytes, and raises the floor', () => {
  const history = new History(0n, 10_000);
  for (let revision = 1n; revision <= 100n; revision++) {
    history.add(changeOf(revision));
    assert.ok(history.bytes <= 10_000);
    const known = revisionsAfter(history, history.floor)!;
    assert.deepEqual(
      known,
      [...known.keys()].map((i) => history.floor + 1n + BigInt(i)),
    );
    assert.equal(known.at(-1), revision);
  }
  assert.equal(history.count, 6);
  assert.equal(revisionsAfter(history, history.floor - 1n), undefined);
});

test('add() forgets a change larger than the limit at once', () => {
  const history = new History(0n, 10_000);
  history.add(changeOf(1n));
  history.add(changeOf(2n, '/registry/pods/a', 20_000));
  assert.deepEqual([history.floor, history.count, history.bytes], [2n, 0, 0]);
  history.add(changeOf(3n));
  assert.deepEqual(revisionsAfter(history, 2n), [3n]);
});

test('add() forgets the oldest past the limit of changes', () => {
  const history = new History(0n, Number.POSITIVE_INFINITY);
  const change = changeOf(1n, '/registry/pods/a', 0);
  for (let n = 1; n <= HISTORY_CHANGES + 500; n++) history.add({ ...change, revision: BigInt(n) });
  assert.equal(history.count, HISTORY_CHANGES);
  assert.equal(history.floor, 500n);
});

test('add() lets go of what it forgets', async () => {
  const history = new History(0n, 100_000);
  const refs: WeakRef<Uint8Array>[] = [];
  for (let revision = 1n; revision <= 14n; revision++) {
    const change = changeOf(revision, '/registry/pods/a', 10_000);
    refs.push(new WeakRef(change.item!.bytes));
    history.add(change);
  }
  await collectGarbage();
  const held = refs.filter((ref) => ref.deref() !== undefined).length;
  assert.equal(history.count, 9);
  assert.equal(held, 9);
});

async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  // What WeakRefs gave out or were made of is held to the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
}
