// The contract suite's part about watches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OpenStore, put, refused, remove, show, withStore } from './contract.ts';
import type { Revision, Store, StoreError, StoreEvent, Watch } from './store.ts';

export type Recording = { events: StoreEvent[]; ends: (StoreError | null)[]; watch: Watch };

export function record(store: Store, after: Revision): Recording {
  const events: StoreEvent[] = [];
  const ends: (StoreError | null)[] = [];
  const onEvents = (told: readonly StoreEvent[]): void => {
    assert.ok(told.length > 0);
    events.push(...told);
  };
  return { events, ends, watch: store.watch(after, { onEvents, onEnd: (error) => ends.push(error) }) };
}

/** Waits until a recording that started in the past holds the newest event. */
export async function settled(store: Store, { events }: Recording): Promise<void> {
  for (let turns = 0; events.at(-1)?.revision !== store.revision; turns++) {
    assert.ok(turns < 100_000, 'the watch never reached the newest revision');
    await nextTurn();
  }
}

export function testWatches(open: OpenStore): void {
  test('watch() tells every event after a revision, with what it replaced', () =>
    withStore(open, async (store) => {
      await put(store, 'a', 0n);
      await put(store, 'a', 1n);
      await put(store, 'b', 0n);
      await remove(store, 'a', 2n);
      await put(store, 'a', 0n);
      const line = ({ revision, key, entry, previous }: StoreEvent): string =>
        `${revision} ${key} ${show(entry)} was ${show(previous)}`;
      const all = [
        '1 a a@1=1 was nothing',
        '2 a a@2=2 was a@1=1',
        '3 b b@3=3 was nothing',
        '4 a nothing was a@2=2',
        '5 a a@5=5 was nothing',
      ];
      for (const after of [0n, 1n, 3n, 4n]) {
        const recording = record(store, after);
        await settled(store, recording);
        assert.deepEqual(recording.events.map(line), all.slice(Number(after)));
      }
      const fromNewest = record(store, 5n);
      await remove(store, 'b', 3n);
      assert.deepEqual(fromNewest.events.map(line), ['6 b nothing was b@3=3']);
    }));

  test('watch() refuses the future and what is forgotten', () =>
    withStore(open, async (store) => {
      assert.throws(() => record(store, 1n), refused('future'));
      for (const key of ['a', 'b', 'c']) await put(store, key, 0n);
      await remove(store, 'a', 1n);
      await store.compact(2n);
      assert.throws(() => record(store, 0n), refused('compacted'));
      assert.throws(() => record(store, 1n), refused('compacted'));
      assert.throws(() => record(store, 5n), refused('future'));
      const recording = record(store, 2n);
      await settled(store, recording);
      assert.deepEqual(
        recording.events.map(({ revision, previous }) => `${revision} was ${show(previous)}`),
        ['3 was nothing', '4 was a@1=1'],
      );
    }));

  test('commit() resolves after every watch was told', () =>
    withStore(open, async (store) => {
      const recordings = [record(store, 0n), record(store, 0n)];
      for (let index = 0; index < 10; index++) {
        const { revision } = await put(store, `key ${index}`, 0n);
        for (const { events } of recordings) assert.equal(events.at(-1)?.revision, revision);
      }
    }));

  test('watch() started within a burst misses nothing and tells nothing twice', () =>
    withStore(open, async (store) => {
      const recordings: { after: Revision; recording: Recording }[] = [];
      const start = (after: Revision): void => {
        recordings.push({ after, recording: record(store, after) });
      };
      const writer = async (name: string): Promise<void> => {
        for (let count = 0, held = 0n; count < 60; count++) {
          const event = count % 5 === 4 ? await remove(store, name, held) : await put(store, name, held);
          held = event.entry?.modRevision ?? 0n;
          if (count % 10 === 3) start(store.revision);
          if (count % 10 === 6) start(0n);
          if (count % 10 === 8) start(store.revision / 2n);
        }
      };
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map(writer));
      await put(store, 'last', 0n);
      for (const { after, recording } of recordings) {
        await settled(store, recording);
        assert.deepEqual(
          recording.events.map((event) => event.revision),
          Array.from({ length: Number(store.revision - after) }, (_, index) => after + BigInt(index) + 1n),
        );
      }
    }));

  test('watch() ends for a listener that throws, and for no other', () =>
    withStore(open, async (store) => {
      const before = record(store, 0n);
      const ends: (StoreError | null)[] = [];
      const onEvents = (): void => {
        throw new Error('broken listener');
      };
      store.watch(0n, { onEvents, onEnd: (error) => ends.push(error) });
      const behind = record(store, 0n);
      await put(store, 'a', 0n);
      await put(store, 'b', 0n);
      assert.deepEqual(
        [before, behind].map(({ events }) => events.length),
        [2, 2],
      );
      assert.equal(ends.length, 1);
      assert.match(String(ends[0]?.cause), /broken listener/);
      store.watch(0n, { onEvents, onEnd: (error) => ends.push(error) });
      await settled(store, record(store, 0n));
      assert.equal(ends.length, 2);
    }));

  test('stop() ends a watch without a word, also from within its listener', () =>
    withStore(open, async (store) => {
      const stopped = record(store, 0n);
      let seen = 0;
      const other: Watch = store.watch(0n, {
        onEvents: () => {
          seen++;
          other.stop();
          stopped.watch.stop();
        },
        onEnd: () => assert.fail('it was stopped'),
      });
      await put(store, 'a', 0n);
      const late = record(store, 0n);
      late.watch.stop();
      await put(store, 'b', 0n);
      await nextTurn();
      assert.deepEqual([stopped.events.length, stopped.ends.length, seen, late.events.length], [1, 0, 1, 0]);
    }));

  test('watch() keeps the order for listeners that write', () =>
    withStore(open, async (store) => {
      const writes: Promise<StoreEvent>[] = [];
      store.watch(0n, {
        onEvents: (events) => {
          for (const { key } of events) if (key.length < 5) writes.push(put(store, `${key}+`, 0n));
        },
        onEnd: () => {},
      });
      const recording = record(store, 0n);
      await put(store, 'a', 0n);
      while (writes.length < 4) await nextTurn();
      await Promise.all(writes);
      assert.deepEqual(
        recording.events.map(({ revision, key }) => `${revision} ${key}`),
        ['1 a', '2 a+', '3 a++', '4 a+++', '5 a++++'],
      );
    }));

  test('watch() started by a listener tells nothing up to its revision', () =>
    withStore(open, async (store) => {
      const started: { after: Revision; recording: Recording }[] = [];
      store.watch(0n, {
        onEvents: ([event]) => {
          if (event?.key !== 'a') return;
          const nested = put(store, 'b', 0n);
          const after = store.revision;
          started.push({ after, recording: record(store, after) });
          nested.then(() => put(store, 'c', 0n)).catch(assert.fail);
        },
        onEnd: () => {},
      });
      await put(store, 'a', 0n);
      while (store.revision < 3n) await nextTurn();
      const { after, recording } = started[0]!;
      const expected = [2n, 3n].filter((revision) => revision > after);
      assert.deepEqual(
        recording.events.map(({ revision }) => revision),
        expected,
      );
    }));

  test('compact() waits for watches that still read the past', () =>
    withStore(open, async (store) => {
      for (let round = 0; round < 20; round++) {
        const held = round === 0 ? 0n : BigInt(round - 1) * 200n;
        const expect = (index: number): Revision => (round === 0 ? 0n : held + BigInt(index) + 1n);
        await Promise.all(Array.from({ length: 200 }, (_, index) => put(store, `${index}`, expect(index))));
      }
      const recording = record(store, 0n);
      await store.compact(store.revision);
      assert.throws(() => record(store, 3999n), refused('compacted'));
      await settled(store, recording);
      assert.deepEqual([recording.events.length, recording.ends.length], [4000, 0]);
      assert.ok(
        recording.events.every(({ revision, entry }) => show(entry).endsWith(`@${revision}=${revision}`)),
      );
    }));
}
