// A full disk refuses writes, keeps what it has, and takes writes again once there is room.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { put, readRange, remove } from '../contract.ts';
import { record, settled } from '../contract-watches.ts';
import { type Store, StoreError } from '../store.ts';
import { openInChild } from './open-child.ts';
import { openEmbeddedStore } from './store.ts';

const DISK_MIB = 12;
const disk = mkdtempSync(join(tmpdir(), 'sluice-full-'));
let isMounted = false;

before(() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk], { stdio: 'ignore' });
    isMounted = true;
  } catch {
    isMounted = false;
  }
});

after(() => {
  if (isMounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

const value = 'v'.repeat(100_000);

async function outcome(write: Promise<unknown>): Promise<string> {
  try {
    await write;
    return 'kept';
  } catch (error) {
    return error instanceof StoreError ? error.reason : String(error);
  }
}

/** Writes several at a time until one finds no room. */
async function fill(store: Store, prefix: string): Promise<{ kept: string[]; refused: string[] }> {
  const kept: string[] = [];
  const refused: string[] = [];
  for (let round = 0; refused.length === 0; round++) {
    assert.ok(round < 1000, 'the disk never got full');
    const keys = [1, 2, 3, 4, 5].map((index) => `${prefix}/${round}/${index}`);
    const outcomes = await Promise.all(keys.map((key) => outcome(put(store, key, 0n, value))));
    for (const [index, key] of keys.entries()) {
      assert.match(outcomes[index]!, /^(kept|full)$/);
      (outcomes[index] === 'kept' ? kept : refused).push(key);
    }
  }
  return { kept, refused };
}

const keysOf = async (store: Store): Promise<string[]> =>
  (await readRange(store, '')).map((shown) => shown.slice(0, shown.indexOf('@')));

test('commit() rejects with full, keeps nothing of the write, and the store goes on', async (t) => {
  if (!isMounted) {
    t.skip('needs the right to mount a small disk');
    return;
  }
  const directory = join(disk, 'store');
  const store = await openEmbeddedStore({ directory });
  const recording = record(store, 0n);
  const { kept, refused } = await fill(store, 'first');
  assert.ok(kept.length > 50);
  assert.deepEqual(await keysOf(store), [...kept].sort());
  for (const key of refused) assert.equal(await store.get(key), undefined);
  assert.deepEqual(
    recording.events.map((event) => event.key),
    kept,
  );
  const ballast = join(disk, 'ballast');
  // The file can't grow any more at all: what is deleted and forgotten must be enough to go on.
  assert.throws(() => writeFileSync(ballast, Buffer.alloc(DISK_MIB * 1024 * 1024)), { code: 'ENOSPC' });
  for (const key of kept.slice(0, 40)) {
    const { modRevision } = (await store.get(key))!;
    await remove(store, key, modRevision);
  }
  await store.compact(store.revision);
  const second = await fill(store, 'second');
  assert.ok(second.kept.length > 20, `${second.kept.length} writes after 40 deletes`);
  const all = [...kept.slice(40), ...second.kept].sort();
  assert.deepEqual(await keysOf(store), all);
  assert.deepEqual(recording.ends, []);
  const late = record(store, store.compacted);
  await settled(store, late);
  assert.deepEqual(
    late.events.map((event) => event.key),
    second.kept,
  );
  const { revision } = store;
  await store.close();
  assert.equal((await openInChild('read', directory)).said, `${all.length} entries at ${revision}`);
});
