// A store is open in one process at a time, and a process that was killed keeps nobody out.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { put, readRange, refused } from '../contract.ts';
import { decodeOwner, encodeOwner, isRunning, newOwner } from './lock.ts';
import { openInChild } from './open-child.ts';
import { openEmbeddedStore } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

test('openEmbeddedStore() names the process that has the directory open', async () => {
  const directory = join(scratch, 'held');
  const child = await openInChild('hold', directory);
  assert.equal(child.said, 'open at 0');
  await assert.rejects(openEmbeddedStore({ directory }), {
    ...refused('locked'),
    message: `${directory} is open in the process with pid ${child.pid}`,
  });
  await child.kill();
  const store = await openEmbeddedStore({ directory });
  await put(store, 'a', 0n);
  const second = await openInChild('read', directory);
  assert.equal(second.said, `locked: ${directory} is open in the process with pid ${process.pid}`);
  await assert.rejects(openEmbeddedStore({ directory }), refused('locked'));
  assert.deepEqual(await readRange(store, ''), ['a@1=1']);
  await put(store, 'b', 0n);
  await store.close();
  assert.equal((await openInChild('read', directory)).said, '2 entries at 2');
});

test('openEmbeddedStore() lets one of several that start together in', async () => {
  const directory = join(scratch, 'rivals');
  for (let round = 0; round < 3; round++) {
    const children = await Promise.all([1, 2, 3].map(() => openInChild('hold', directory)));
    const said = children.map((child) => child.said.split(' ')[0]).sort();
    assert.deepEqual(said, ['locked:', 'locked:', 'open']);
    await Promise.all(children.map((child) => child.kill()));
  }
});

test('isRunning() knows a process from another one with its pid', () => {
  const owner = newOwner();
  assert.deepEqual(decodeOwner(encodeOwner(owner)), owner);
  assert.equal(isRunning(owner), true);
  assert.equal(isRunning({ ...owner, started: `${owner.started}1` }), false);
  assert.equal(isRunning({ ...owner, boot: 'an earlier one' }), false);
  assert.equal(isRunning({ ...owner, space: 'pid:[1]' }), false);
  assert.equal(isRunning({ ...owner, pid: 2 ** 22 + 1 }), false);
});
