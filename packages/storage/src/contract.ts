// The contract suite: every clause of store.ts as a test, for any engine.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testAgainstModel } from './contract-model.ts';
import { testWatches } from './contract-watches.ts';
import type { Entry, Key, Revision, Store, StoreErrorReason, StoreEvent } from './store.ts';

/** Opens a new, empty store. The suite closes it; whatever else it needs to be gone is the engine's business. */
export type OpenStore = () => Promise<Store>;

export function testStore(name: string, open: OpenStore): void {
  describe(`${name} store`, () => {
    testWrites(open);
    testReads(open);
    testCompaction(open);
    testClose(open);
    testWatches(open);
    testAgainstModel(open);
  });
}

/** Stores `text` in which every `#` is the write's revision. */
export function put(store: Store, key: Key, expect: Revision, text = '#'): Promise<StoreEvent> {
  return store.commit({ key, expect, value: (revision) => Buffer.from(text.replaceAll('#', `${revision}`)) });
}

export function remove(store: Store, key: Key, expect: Revision): Promise<StoreEvent> {
  return store.commit({ key, expect, value: null });
}

/** `key@modRevision=text`, short enough to compare whole lists. */
export function show(entry: Entry | null | undefined): string {
  return entry ? `${entry.key}@${entry.modRevision}=${Buffer.from(entry.value)}` : 'nothing';
}

export async function readRange(store: Store, prefix: Key): Promise<string[]> {
  const shown: string[] = [];
  for await (const batch of (await store.range(prefix)).batches) shown.push(...batch.map(show));
  return shown;
}

export function refused(reason: StoreErrorReason): { name: string; reason: StoreErrorReason } {
  return { name: 'StoreError', reason };
}

export async function withStore(open: OpenStore, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

function testWrites(open: OpenStore): void {
  test('commit() gives a revision that is at least 1 and greater than all before', () =>
    withStore(open, async (store) => {
      assert.equal(store.revision, 0n);
      let last = 0n;
      for (let index = 0; index < 20; index++) {
        const { revision } = await put(store, `key ${index}`, 0n);
        assert.ok(revision > last);
        assert.equal(store.revision, revision);
        last = revision;
      }
    }));

  test('commit() calls value() once, with the revision of the write', () =>
    withStore(open, async (store) => {
      const given: Revision[] = [];
      const value = (revision: Revision): Uint8Array => {
        given.push(revision);
        return Buffer.from(`made at ${revision}`);
      };
      const event = await store.commit({ key: 'a', expect: 0n, value });
      assert.deepEqual(given, [event.revision]);
      assert.equal(show(await store.get('a')), `a@${event.revision}=made at ${event.revision}`);
      await assert.rejects(store.commit({ key: 'a', expect: 0n, value }), refused('conflict'));
      assert.equal(given.length, 1);
    }));

  test('commit() answers with the event that watches see', () =>
    withStore(open, async (store) => {
      const created = await put(store, 'a', 0n);
      assert.equal(show(created.entry), 'a@1=1');
      assert.equal(created.previous, null);
      const updated = await put(store, 'a', created.revision);
      assert.equal(show(updated.entry), 'a@2=2');
      assert.equal(show(updated.previous), 'a@1=1');
      assert.equal(updated.entry?.createRevision, created.revision);
      const deleted = await remove(store, 'a', updated.revision);
      assert.equal(deleted.entry, null);
      assert.equal(show(deleted.previous), 'a@2=2');
      const again = await put(store, 'a', 0n);
      assert.equal(again.entry?.createRevision, again.revision);
    }));

  test('commit() rejects a wrong expectation with what the key holds, and writes nothing', () =>
    withStore(open, async (store) => {
      const none = { ...refused('conflict'), current: undefined };
      await assert.rejects(put(store, 'a', 1n), none);
      await assert.rejects(remove(store, 'a', 1n), none);
      await assert.rejects(remove(store, 'a', 0n), none);
      const { revision } = await put(store, 'a', 0n);
      for (const expect of [0n, revision - 1n, revision + 1n]) {
        await assert.rejects(put(store, 'a', expect), (error: { reason: string; current: Entry }) => {
          assert.equal(error.reason, 'conflict');
          assert.equal(show(error.current), 'a@1=1');
          return true;
        });
        await assert.rejects(remove(store, 'a', expect), refused('conflict'));
      }
      assert.equal(store.revision, revision);
      assert.deepEqual(await readRange(store, ''), ['a@1=1']);
    }));

  test('commit() lets one of many rivals win', () =>
    withStore(open, async (store) => {
      const rivals = Array.from({ length: 20 }, (_, index) => put(store, 'a', 0n, `rival ${index}`));
      const results = await Promise.allSettled(rivals);
      assert.deepEqual(results.map((result) => result.status).sort(), [
        'fulfilled',
        ...Array.from({ length: 19 }, () => 'rejected'),
      ]);
      assert.deepEqual(await readRange(store, ''), ['a@1=rival 0']);
    }));

  test('commit() passes on what value() throws, and goes on', () =>
    withStore(open, async (store) => {
      const value = (): Uint8Array => {
        throw new Error('no bytes');
      };
      await assert.rejects(store.commit({ key: 'a', expect: 0n, value }), /no bytes/);
      assert.equal(show((await put(store, 'a', 0n, 'x')).entry).slice(-2), '=x');
    }));

  test('commit() refuses keys that are empty, too long or no bytes', () =>
    withStore(open, async (store) => {
      for (const key of ['', 'k'.repeat(1025), 'ā']) await assert.rejects(put(store, key, 0n), RangeError);
      await put(store, 'k'.repeat(1024), 0n);
      assert.equal(store.revision, 1n);
    }));
}

function testReads(open: OpenStore): void {
  test('get() gives what a key holds now', () =>
    withStore(open, async (store) => {
      assert.equal(await store.get('a'), undefined);
      await put(store, 'a', 0n);
      await put(store, 'a', 1n, 'é\0#');
      assert.equal(show(await store.get('a')), 'a@2=é\u00002');
      assert.equal((await store.get('a'))?.createRevision, 1n);
      await remove(store, 'a', 2n);
      assert.equal(await store.get('a'), undefined);
      const empty = await store.commit({ key: 'empty', expect: 0n, value: () => new Uint8Array(0) });
      assert.equal((await store.get('empty'))?.value.length, 0);
      assert.equal(empty.entry?.value.length, 0);
    }));

  test('range() gives the keys of a prefix in byte order', () =>
    withStore(open, async (store) => {
      const keys = [
        '/b',
        '/a/\xff',
        '/a/',
        '/a',
        '/a/\xc3\xa9',
        '/a/b',
        '/a0',
        '/a/B',
        '/a/b/c',
        '\xff\xff',
        '\xff',
        '\0',
      ];
      for (const key of keys) await put(store, key, 0n, 'v');
      const inOrder = async (prefix: Key): Promise<string[]> =>
        (await readRange(store, prefix)).map((shown) => shown.slice(0, shown.lastIndexOf('@')));
      assert.deepEqual(await inOrder('/a/'), ['/a/', '/a/B', '/a/b', '/a/b/c', '/a/\xc3\xa9', '/a/\xff']);
      assert.deepEqual(await inOrder(''), [...keys].sort());
      assert.deepEqual(await inOrder('\xff'), ['\xff', '\xff\xff']);
      assert.deepEqual(await inOrder('/c'), []);
    }));

  test('range() shows one revision while writes go on', () =>
    withStore(open, async (store) => {
      const key = (index: number): Key => `key ${String(index).padStart(5, '0')}`;
      const value = 'v'.repeat(3000);
      for (let first = 0; first < 2500; first += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, index) => put(store, key(first + index), 0n, value)),
        );
      }
      const range = await store.range('key');
      assert.equal(range.revision, store.revision);
      const seen: Entry[] = [];
      for await (const batch of range.batches) {
        const { key: first, modRevision } = batch[0]!;
        await remove(store, first, modRevision);
        await put(store, `key 0 ${seen.length}`, 0n);
        await put(store, key(2499 - seen.length), BigInt(2500 - seen.length), 'changed');
        seen.push(...batch);
      }
      assert.ok(store.revision > range.revision + 2n);
      assert.deepEqual(
        seen.map((entry) => entry.key),
        Array.from({ length: 2500 }, (_, index) => key(index)),
      );
      assert.ok(
        seen.every((entry) => entry.modRevision <= range.revision && entry.value.length === value.length),
      );
    }));
}

function testCompaction(open: OpenStore): void {
  test('compact() keeps what keys hold and forgets how they came to it', () =>
    withStore(open, async (store) => {
      await put(store, 'kept', 0n);
      await put(store, 'changed', 0n);
      await put(store, 'changed', 2n);
      await put(store, 'deleted', 0n);
      await remove(store, 'deleted', 4n);
      assert.equal(store.compacted, 0n);
      await store.compact(4n);
      assert.equal(store.compacted, 4n);
      assert.deepEqual(await readRange(store, ''), ['changed@3=3', 'kept@1=1']);
      await store.compact(store.revision);
      assert.deepEqual(await readRange(store, ''), ['changed@3=3', 'kept@1=1']);
      assert.equal((await store.get('changed'))?.createRevision, 2n);
      assert.equal(store.revision, 5n);
      assert.equal((await put(store, 'deleted', 0n)).revision, 6n);
    }));

  test('compact() leaves what a later event replaced', () =>
    withStore(open, async (store) => {
      await put(store, 'a', 0n);
      await put(store, 'a', 1n);
      await store.compact(2n);
      const { previous } = await put(store, 'a', 2n);
      assert.equal(show(previous), 'a@2=2');
      await store.compact(2n);
      assert.equal(show(await store.get('a')), 'a@3=3');
    }));

  test('compact() refuses the future and ignores the past', () =>
    withStore(open, async (store) => {
      await assert.rejects(store.compact(1n), refused('future'));
      await put(store, 'a', 0n);
      await store.compact(0n);
      await store.compact(1n);
      await store.compact(1n);
      await store.compact(0n);
      assert.equal(store.compacted, 1n);
    }));

  test('compact() lets writes through', () =>
    withStore(open, async (store) => {
      for (let round = 0; round < 10; round++) {
        const writes = Array.from({ length: 100 }, (_, index) => put(store, `${round}/${index}`, 0n));
        await Promise.all(writes);
      }
      const compactions = [300n, 900n, 1000n].map((revision) => store.compact(revision));
      const writes = Array.from({ length: 100 }, (_, index) => put(store, `more/${index}`, 0n));
      await Promise.all([...writes, ...compactions]);
      assert.equal((await readRange(store, '')).length, 1100);
    }));
}

function testClose(open: OpenStore): void {
  test('close() finishes accepted writes, ends watches and refuses what comes later', async () => {
    const store = await open();
    await put(store, 'a', 0n);
    const told: string[] = [];
    const end = (error: unknown): number => told.push(`end ${error}`);
    store.watch(1n, {
      onEvents: (events) => told.push(...events.map((event) => show(event.entry))),
      onEnd: end,
    });
    const range = await store.range('');
    const accepted = put(store, 'b', 0n);
    await Promise.all([store.close(), store.close()]);
    assert.equal((await accepted).revision, 2n);
    assert.deepEqual(told, ['b@2=2', 'end null']);
    await assert.rejects(put(store, 'c', 0n), refused('closed'));
    await assert.rejects(store.get('a'), refused('closed'));
    await assert.rejects(store.range(''), refused('closed'));
    await assert.rejects(store.compact(1n), refused('closed'));
    assert.throws(() => store.watch(2n, { onEvents: () => {}, onEnd: () => {} }), refused('closed'));
    await assert.rejects(range.batches[Symbol.asyncIterator]().next(), refused('closed'));
    assert.equal(store.revision, 2n);
  });
}
