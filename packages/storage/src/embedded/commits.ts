// Group commit: writes that wait together become one transaction, share its sync, and are answered after it.
import { checkKey } from '../keys.ts';
import { closed, conflict } from '../refusals.ts';
import type { Entry, Key, Revision, StoreError, StoreEvent, Write } from '../store.ts';
import { type Database, META, storeError } from './database.ts';
import {
  DELETE,
  encodeCurrent,
  encodeKey,
  encodeRecord,
  encodeRevision,
  encodeState,
  PUT,
} from './records.ts';
import { Snapshot } from './snapshot.ts';

/** What one transaction takes; larger ones make the first of its writers wait for the last one's bytes. */
const BATCH_LIMIT_BYTES = 4 * 1024 * 1024;
const BATCH_LIMIT_WRITES = 512;
/** Pages that LMDB copies for a write besides its value. */
const OVERHEAD_BYTES = 64 * 1024;

const NOTHING: Uint8Array = new Uint8Array(0);

type Waiting = { write: Write; resolve: (event: StoreEvent) => void; reject: (error: unknown) => void };
type Prepared = Waiting & { event: StoreEvent; record: Buffer };
type Job = { run: () => Promise<void>; resolve: () => void; reject: (error: unknown) => void };

/**
 *   commit() ──▶ waiting ──take──▶ batch: one write of a key at most, checked against `snapshot`
 *                   ▲                │
 *     a second write of a key        ▼ one LMDB transaction, synced on another thread
 *     stays for the next batch     told to watches, then answered; `snapshot` moves on
 *
 * So no write is ever judged by another one that may still fail.
 */
export class Commits {
  /** The newest durable state that watches were told of: what reads and preconditions see. */
  snapshot: Snapshot;
  /** Events up to this revision are gone, and that is durable. */
  forgotten: Revision;
  readonly #database: Database;
  readonly #tell: (events: readonly StoreEvent[]) => void;
  readonly #onFailure: (error: StoreError) => void;
  #waiting: Waiting[] = [];
  readonly #jobs: Job[] = [];
  /** The greatest revision ever handed to a write's value(), stored or not. */
  #given: Revision;
  #running: Promise<void> | undefined;
  #failure: StoreError | undefined;
  #isClosed = false;

  constructor(
    database: Database,
    state: { revision: Revision; compacted: Revision },
    hooks: { tell: (events: readonly StoreEvent[]) => void; onFailure: (error: StoreError) => void },
  ) {
    this.#database = database;
    this.#tell = hooks.tell;
    this.#onFailure = hooks.onFailure;
    this.#given = state.revision;
    this.forgotten = state.compacted;
    this.snapshot = new Snapshot(database, state.revision);
  }

  get revision(): Revision {
    return this.snapshot.revision;
  }

  async commit(write: Write): Promise<StoreEvent> {
    checkKey(write.key);
    this.#checkUsable();
    const event = new Promise<StoreEvent>((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
    });
    this.#start();
    return event;
  }

  /** Runs a piece of other work that writes, between two batches. */
  async between(run: () => Promise<void>): Promise<void> {
    this.#checkUsable();
    const done = new Promise<void>((resolve, reject) => {
      this.#jobs.push({ run, resolve, reject });
    });
    this.#start();
    return done;
  }

  /** For a job: deletes records, and keeps in the same transaction that events up to `forgotten` are gone. */
  async forget(forgotten: Revision, revisions: readonly Revision[]): Promise<void> {
    const { revisions: records, meta } = this.#database.tables;
    const state = encodeState({ revision: this.revision, compacted: forgotten });
    try {
      await this.#database.write(
        () => [...revisions.map((one) => records.remove(encodeRevision(one))), meta.put(META.state, state)],
        OVERHEAD_BYTES,
      );
      this.#moveOn(this.revision);
    } catch (error) {
      throw this.#noted(error);
    }
    this.forgotten = forgotten;
  }

  /** Refuses what comes from now on and resolves when everything accepted before is settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    this.snapshot.release();
  }

  #checkUsable(): void {
    if (this.#isClosed) throw closed();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Writes of one turn share the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#jobs.length > 0) {
      const batch = this.#take();
      if (batch.length > 0) await this.#store(batch);
      const job = this.#jobs.shift();
      if (job !== undefined) await job.run().then(job.resolve, job.reject);
    }
    // In the same turn as the check above: the next commit() must find either a loop that looks again, or none.
    this.#running = undefined;
  }

  /** The next batch; what can't be part of it yet goes on waiting, in its order. */
  #take(): Prepared[] {
    const batch: Prepared[] = [];
    const later: Waiting[] = [];
    const keys = new Set<Key>();
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const isFull = bytes >= BATCH_LIMIT_BYTES || batch.length >= BATCH_LIMIT_WRITES;
      if (isFull || keys.has(waiting.write.key)) {
        keys.add(waiting.write.key);
        later.push(waiting);
        continue;
      }
      const prepared = this.#prepare(waiting);
      if (prepared === undefined) continue;
      batch.push(prepared);
      keys.add(waiting.write.key);
      bytes += prepared.record.length;
    }
    this.#waiting = later;
    return batch;
  }

  /** Judges a write and makes its bytes; undefined when it is refused. */
  #prepare(waiting: Waiting): Prepared | undefined {
    try {
      const { write } = waiting;
      const previous = this.#previousOf(write);
      const revision = this.#given + 1n;
      const value = write.value?.(revision);
      this.#given = revision;
      const createRevision = previous?.createRevision ?? revision;
      const op = value === undefined ? DELETE : PUT;
      const head = { op, createRevision, previousRevision: previous?.modRevision ?? 0n, key: write.key };
      const made = encodeRecord(head, value ?? NOTHING);
      const kept = { key: write.key, value: made.value, createRevision, modRevision: revision };
      const event = { revision, key: write.key, entry: value === undefined ? null : kept, previous };
      return { ...waiting, event, record: made.record };
    } catch (error) {
      waiting.reject(error);
      return undefined;
    }
  }

  #previousOf(write: Write): Entry | null {
    const previous = this.snapshot.entry(write.key) ?? null;
    const isThere = (previous?.modRevision ?? 0n) === write.expect;
    if (!isThere || (previous === null && write.value === null)) throw conflict(write, previous);
    return previous;
  }

  async #store(batch: readonly Prepared[], isLastTry = false): Promise<void> {
    if (this.#failure !== undefined) {
      for (const { reject } of batch) reject(this.#failure);
      return;
    }
    try {
      await this.#write(batch);
      this.#moveOn(batch.at(-1)!.event.revision);
    } catch (error) {
      await this.#settleFailed(batch, this.#noted(error), isLastTry);
      return;
    }
    this.#tell(batch.map(({ event }) => event));
    for (const { resolve, event } of batch) resolve(event);
  }

  /** When there is no room for all, there may be for some: each gets the answer it would get alone. */
  async #settleFailed(batch: readonly Prepared[], error: StoreError, isLastTry: boolean): Promise<void> {
    if (error.reason !== 'full' || isLastTry) {
      for (const { reject } of batch) reject(error);
      return;
    }
    await this.#turnPages();
    for (const one of batch) await this.#store([one], true);
  }

  /**
   * LMDB reuses the pages that a transaction freed only after another one: when all writes fail, that is never. A
   * transaction of almost nothing makes what was just deleted or compacted usable.
   */
  async #turnPages(): Promise<void> {
    const { meta } = this.#database.tables;
    const state = encodeState({ revision: this.revision, compacted: this.forgotten });
    try {
      await this.#database.write(() => [meta.put(META.state, state)], OVERHEAD_BYTES);
      this.#moveOn(this.revision);
    } catch (error) {
      this.#noted(error);
    }
  }

  /** After anything but a full disk nobody knows what is durable: the store stops here. */
  #noted(error: unknown): StoreError {
    const noted = storeError(error);
    if (noted.reason !== 'full' && this.#failure === undefined) {
      this.#failure = noted;
      this.#onFailure(noted);
    }
    return noted;
  }

  async #write(batch: readonly Prepared[]): Promise<void> {
    const { revisions, current, meta } = this.#database.tables;
    const state = encodeState({ revision: batch.at(-1)!.event.revision, compacted: this.forgotten });
    const bytes = batch.reduce((sum, { record }) => sum + record.length + OVERHEAD_BYTES, 0);
    await this.#database.write(() => {
      const made = batch.flatMap(({ event, record }) => [
        revisions.put(encodeRevision(event.revision), record, { append: true }),
        event.entry === null
          ? current.remove(encodeKey(event.key))
          : current.put(encodeKey(event.key), encodeCurrent(event.entry)),
      ]);
      return [...made, meta.put(META.state, state)];
    }, bytes);
  }

  #moveOn(revision: Revision): void {
    const before = this.snapshot;
    this.snapshot = new Snapshot(this.#database, revision);
    before.release();
  }
}
