// A process that is killed under load loses nothing that it had answered, and leaves nothing half done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { record, settled } from '../contract-watches.ts';
import type { Entry, Key, Revision, Store, StoreEvent } from '../store.ts';
import { checkValue } from './crash-child.ts';
import { openEmbeddedStore } from './store.ts';

const ROUNDS = 50;
const LONGEST_ROUND_MS = 150;

const scratch = mkdtempSync(join(tmpdir(), 'sluice-crash-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** What the child answered: the last revision of each key, and whether it was deleted. */
type Answered = Map<Key, { revision: Revision; isDelete: boolean }>;

/** Lets a child write until it is killed; gives the answers that came through before. */
async function writeUntilKilled(directory: string, round: number, answered: Answered): Promise<number> {
  const script = fileURLToPath(new URL('./crash-child.js', import.meta.url));
  const child = spawn(process.execPath, [script, directory, `${round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data;
  });
  while (text === '' && child.exitCode === null) await sleep(2);
  await sleep(Math.random() * LONGEST_ROUND_MS);
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL');
  // The last line may be cut.
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines) {
    const [, key = '', revision = '0', op = ''] = line.split(' ');
    answered.set(key, { revision: BigInt(revision), isDelete: op === 'delete' });
  }
  return lines.length;
}

/** What keys hold, and the last event of each that is not forgotten. */
type Found = { entries: Map<Key, Entry>; last: Map<Key, StoreEvent> };

/** Every entry is whole, get() and range() agree, and so do the events. */
async function checkStore(store: Store): Promise<Found> {
  const entries = new Map<Key, Entry>();
  for await (const batch of (await store.range('')).batches) {
    for (const entry of batch) {
      checkValue(entry);
      entries.set(entry.key, entry);
    }
  }
  for (const [key, entry] of entries)
    assert.deepEqual((await store.get(key))?.modRevision, entry.modRevision);
  const last = new Map<Key, StoreEvent>();
  if (store.compacted === store.revision) return { entries, last };
  const recording = record(store, store.compacted);
  await settled(store, recording);
  recording.watch.stop();
  for (const event of recording.events) {
    const { key, entry, previous } = event;
    if (entry !== null) checkValue(entry);
    if (previous !== null) checkValue(previous);
    const before = last.get(key);
    if (before !== undefined) assert.equal(previous?.modRevision, before.entry?.modRevision);
    last.set(key, event);
  }
  for (const [key, { entry }] of last) assert.equal(entries.get(key)?.modRevision, entry?.modRevision);
  return { entries, last };
}

test('commit() answers only what survives SIGKILL', { timeout: 120_000 }, async (t) => {
  const directory = join(scratch, 'store');
  const answered: Answered = new Map();
  let newest = 0n;
  let answers = 0;
  for (let round = 0; round < ROUNDS; round++) {
    answers += await writeUntilKilled(directory, round, answered);
    const store = await openEmbeddedStore({ directory });
    const { entries, last } = await checkStore(store);
    assert.ok(store.revision >= newest, 'revisions went back');
    for (const [key, { revision, isDelete }] of answered) {
      const held = entries.get(key)?.modRevision;
      // A writer's next write may be durable though its answer was never sent.
      const isReplaced = (last.get(key)?.revision ?? 0n) > revision;
      assert.ok(
        isReplaced || held === (isDelete ? undefined : revision),
        `the write of ${key} at ${revision} is lost`,
      );
    }
    // What was found is as good as answered: the next child forgets how it came to be.
    for (const [key, { revision, entry }] of last) answered.set(key, { revision, isDelete: entry === null });
    const event = await store.commit({
      key: 'between',
      expect: entries.get('between')?.modRevision ?? 0n,
      value: () => Buffer.alloc(4),
    });
    assert.ok(event.revision > newest);
    newest = event.revision;
    answered.set('between', { revision: newest, isDelete: false });
    await store.close();
  }
  t.diagnostic(`${answers} answered writes in ${ROUNDS} rounds`);
  assert.ok(answers > ROUNDS);
});
