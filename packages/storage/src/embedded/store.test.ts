// Holds the embedded engine to the contract, and to what only an engine on disk can do.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { put, readRange, refused, remove, show, testStore } from '../contract.ts';
import { record, settled } from '../contract-watches.ts';
import { openEmbeddedStore } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-storage-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

let count = 0;
const newDirectory = (): string => join(scratch, `store ${++count}`);

testStore('embedded', () => openEmbeddedStore({ directory: newDirectory() }));

test('openEmbeddedStore() finds everything again', async () => {
  const directory = newDirectory();
  const first = await openEmbeddedStore({ directory });
  await put(first, 'a', 0n);
  await put(first, 'b', 0n, 'x'.repeat(100_000));
  await put(first, 'a', 1n);
  await remove(first, 'b', 2n);
  await put(first, 'c', 0n);
  await first.compact(2n);
  await put(first, 'd', 0n);
  await first.close();
  const second = await openEmbeddedStore({ directory });
  assert.deepEqual([second.revision, second.compacted], [6n, 2n]);
  assert.deepEqual(await readRange(second, ''), ['a@3=3', 'c@5=5', 'd@6=6']);
  assert.equal((await second.get('a'))?.createRevision, 1n);
  assert.throws(() => record(second, 1n), refused('compacted'));
  const recording = record(second, 2n);
  await settled(second, recording);
  assert.deepEqual(
    recording.events.map(({ previous }) => show(previous).slice(0, 5)),
    ['a@1=1', 'b@2=x', 'nothi', 'nothi'],
  );
  await second.close();
});

test('openEmbeddedStore() gives no revision twice, not even when everything is deleted and forgotten', async () => {
  const directory = newDirectory();
  let last = 0n;
  for (let round = 0; round < 5; round++) {
    const store = await openEmbeddedStore({ directory });
    assert.equal(store.revision, last);
    const { revision } = await put(store, 'a', 0n);
    assert.ok(revision > last);
    last = (await remove(store, 'a', revision)).revision;
    await store.compact(last);
    assert.deepEqual(await readRange(store, ''), []);
    await store.close();
  }
});

test('range() hands out values in memory of their own', async () => {
  const store = await openEmbeddedStore({ directory: newDirectory() });
  const sizes = [0, 1, 40_000, 1_500_000, 100_000, 32, 900_000, 200_000];
  for (const [index, size] of sizes.entries()) await put(store, `key ${index}`, 0n, `${index}`.repeat(size));
  const seen: Uint8Array[] = [];
  for await (const batch of (await store.range('')).batches) {
    const backing = new Set(batch.map(({ value }) => value.buffer));
    assert.equal(backing.size, 1);
    const used = batch.reduce((sum, { value }) => sum + value.length, 0);
    assert.ok(batch.length === 1 || used <= 1024 * 1024);
    seen.push(...batch.map(({ value }) => value));
  }
  for (const index of sizes.keys()) await remove(store, `key ${index}`, BigInt(index + 1));
  await store.compact(store.revision);
  for (let index = 0; index < 30; index++) await put(store, `other ${index}`, 0n, 'o'.repeat(200_000));
  await store.close();
  assert.deepEqual(
    seen.map((value) => Buffer.from(value).toString() === `${seen.indexOf(value)}`.repeat(value.length)),
    sizes.map(() => true),
  );
  assert.deepEqual(
    seen.map((value) => value.length),
    sizes,
  );
});

test('compact() overtakes no watch that reads large values', async () => {
  const store = await openEmbeddedStore({ directory: newDirectory() });
  let held = 0n;
  for (let index = 0; index < 300; index++)
    held = (await put(store, 'a', held, 'x'.repeat(200_000))).revision;
  const recording = record(store, 0n);
  await store.compact(held);
  await settled(store, recording);
  assert.deepEqual([recording.events.length, recording.ends.length], [300, 0]);
  assert.ok(recording.events.slice(1).every(({ previous }) => previous?.value.length === 200_000));
  await store.close();
});

test('compact() gives space back to later writes', async () => {
  const directory = newDirectory();
  const store = await openEmbeddedStore({ directory });
  let held = 0n;
  for (let index = 0; index < 400; index++) {
    held = (await put(store, 'a', held, 'x'.repeat(100_000))).revision;
    if (index % 10 === 9) await store.compact(held);
  }
  await store.close();
  assert.ok(statSync(join(directory, 'data.mdb')).size < 8_000_000);
});
