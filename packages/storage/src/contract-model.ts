// The contract suite's model: random writes, compactions and watches against a store that is an array of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type OpenStore, put, readRange, refused, remove, show, withStore } from './contract.ts';
import { type Recording, record, settled } from './contract-watches.ts';
import type { Key, Revision, Store, StoreEvent } from './store.ts';

const RUNS = 60;

type Command =
  | { type: 'write'; key: Key; isDelete: boolean; isRight: boolean }
  | { type: 'burst'; keys: Key[] }
  | { type: 'compact'; share: number }
  | { type: 'watch'; share: number }
  | { type: 'stop' };

const keys = fc.constantFrom('/a/1', '/a/2', '/a/10', '/b/1', '/b\xff');
const share = fc.double({ min: 0, max: 1, noNaN: true });

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      key: keys,
      isDelete: fc.boolean(),
      isRight: fc.integer({ max: 5, min: 0 }).map((n) => n > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('burst' as const), keys: fc.uniqueArray(keys) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), share }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('watch' as const), share }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stop' as const) }) },
);

export function testAgainstModel(open: OpenStore): void {
  test('commit(), watch(), range() and compact() do what the model does', () =>
    fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), (commands) =>
        withStore(open, async (store) => {
          const model = new Model(store);
          for (const one of commands) await model.run(one);
          await model.check();
        }),
      ),
      { numRuns: RUNS },
    ));
}

class Model {
  readonly #store: Store;
  readonly #events: StoreEvent[] = [];
  readonly #held = new Map<Key, Revision>();
  readonly #recordings: { after: Revision; recording: Recording; stoppedAt: Revision | undefined }[] = [];
  #compacted: Revision = 0n;

  constructor(store: Store) {
    this.#store = store;
  }

  async run(command: Command): Promise<void> {
    if (command.type === 'write') await this.#write(command.key, command.isDelete, command.isRight);
    if (command.type === 'burst') await Promise.all(command.keys.map((key) => this.#write(key, false, true)));
    if (command.type === 'compact') await this.#compact(this.#revisionAt(command.share));
    if (command.type === 'watch') this.#watch(this.#revisionAt(command.share));
    if (command.type === 'stop') await this.#stop();
    assert.equal(this.#store.compacted, this.#compacted);
  }

  async check(): Promise<void> {
    const store = this.#store;
    const all = [...this.#held.keys()].sort();
    for (const prefix of ['', '/a/', '/b', '/a/1']) {
      const expected = all.filter((key) => key.startsWith(prefix)).map((key) => this.#shown(key));
      assert.deepEqual(await readRange(store, prefix), expected);
    }
    for (const key of all) assert.equal(show(await store.get(key)), this.#shown(key));
    this.#events.sort((one, other) => Number(one.revision - other.revision));
    for (const { after, recording, stoppedAt = store.revision } of this.#recordings) {
      if (stoppedAt === store.revision && after < stoppedAt) await settled(store, recording);
      const expected = this.#events.filter(({ revision }) => revision > after && revision <= stoppedAt);
      assert.deepEqual(recording.events.map(line), expected.map(line));
    }
  }

  async #write(key: Key, isDelete: boolean, isRight: boolean): Promise<void> {
    const held = this.#held.get(key) ?? 0n;
    const expect = isRight ? held : held + 1n;
    const done = isDelete ? remove(this.#store, key, expect) : put(this.#store, key, expect);
    if (!isRight || (isDelete && held === 0n)) {
      await assert.rejects(done, refused('conflict'));
      return;
    }
    const event = await done;
    assert.equal(show(event.previous), held === 0n ? 'nothing' : `${key}@${held}=${held}`);
    this.#events.push(event);
    if (isDelete) this.#held.delete(key);
    else this.#held.set(key, event.revision);
  }

  async #compact(revision: Revision): Promise<void> {
    await this.#store.compact(revision);
    if (revision > this.#compacted) this.#compacted = revision;
  }

  #watch(after: Revision): void {
    if (after < this.#compacted) assert.throws(() => record(this.#store, after), refused('compacted'));
    else this.#recordings.push({ after, recording: record(this.#store, after), stoppedAt: undefined });
  }

  async #stop(): Promise<void> {
    const running = this.#recordings.find(({ stoppedAt }) => stoppedAt === undefined);
    if (running === undefined) return;
    if (running.after < this.#store.revision) await settled(this.#store, running.recording);
    running.recording.watch.stop();
    running.stoppedAt = this.#store.revision;
  }

  #revisionAt(part: number): Revision {
    return BigInt(Math.floor(part * Number(this.#store.revision)));
  }

  #shown(key: Key): string {
    const revision = this.#held.get(key);
    return `${key}@${revision}=${revision}`;
  }
}

function line({ revision, key, entry, previous }: StoreEvent): string {
  return `${revision} ${key} ${show(entry)} was ${show(previous)}`;
}
