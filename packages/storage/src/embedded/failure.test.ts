// A store whose disk fails stops, says so to everybody, and holds what it had answered when it is opened again.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openInChild } from './open-child.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-failure-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

// A file limit that falls within a page run makes LMDB's write short, though the disk has room: an I/O error.
test('commit() rejects with failed once the disk failed, and watches end', async () => {
  const directory = join(scratch, 'store');
  const child = await openInChild('fill', directory, 2_000_000);
  assert.match(
    child.said,
    /^\d+ kept, then failed, later failed, watch StoreError: the store's files can't be used: .*, read 50000$/,
  );
  assert.equal(await child.exit, '0');
  const kept = Number(child.said.split(' ')[0]);
  assert.ok(kept > 20);
  assert.equal((await openInChild('read', directory)).said, `${kept} entries at ${kept}`);
});
