// The engine that keeps a store in a directory, durable at every answered write, on LMDB.
import { resolve } from 'node:path';
import { closed, compacted, future } from '../refusals.ts';
import {
  type Entry,
  type Key,
  type Range,
  type Revision,
  type Store,
  StoreError,
  type StoreEvent,
  type Watch,
  type WatchListener,
  type Write,
} from '../store.ts';
import { Watchers } from '../watchers.ts';
import { Commits } from './commits.ts';
import { compactRecords } from './compaction.ts';
import { Database, META, storeError } from './database.ts';
import { rangeBatches } from './range.ts';
import { decodeState } from './records.ts';

const PIECE_LIMIT_EVENTS = 256;
const PIECE_LIMIT_BYTES = 1024 * 1024;

export type EmbeddedStoreOptions = {
  /** Made if it isn't there; holds nothing but the store. */
  directory: string;
};

/** @throws StoreError `locked`, `damaged`, `full`, `failed`. */
export async function openEmbeddedStore({ directory }: EmbeddedStoreOptions): Promise<Store> {
  const database = new Database(resolve(directory));
  const state = database.tables.meta.getBinaryFast(META.state, {});
  if (state === undefined) {
    await database.close();
    throw new StoreError(
      'damaged',
      `${directory} is not a store that can be opened: its state record is missing`,
    );
  }
  return new EmbeddedStore(database, decodeState(state));
}

class EmbeddedStore implements Store {
  readonly #database: Database;
  readonly #commits: Commits;
  readonly #watchers: Watchers;
  compacted: Revision;
  #compacting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #failure: StoreError | undefined;

  constructor(database: Database, state: { revision: Revision; compacted: Revision }) {
    this.#database = database;
    this.compacted = state.compacted;
    this.#watchers = new Watchers({
      revision: () => this.revision,
      read: (after) => this.#eventsAfter(after),
    });
    this.#commits = new Commits(database, state, {
      tell: (events) => this.#watchers.tell(events),
      onFailure: (error) => {
        this.#failure = error;
        this.#watchers.end(error);
      },
    });
  }

  get revision(): Revision {
    return this.#commits.revision;
  }

  async get(key: Key): Promise<Entry | undefined> {
    this.#checkOpen();
    return inStoreWords(() => this.#commits.snapshot.entry(key));
  }

  async range(prefix: Key): Promise<Range> {
    this.#checkOpen();
    const snapshot = this.#commits.snapshot.hold();
    return { revision: snapshot.revision, batches: rangeBatches(snapshot, prefix, () => this.#isOpen) };
  }

  async commit(write: Write): Promise<StoreEvent> {
    this.#checkOpen();
    return this.#commits.commit(write);
  }

  watch(after: Revision, listener: WatchListener): Watch {
    this.#checkOpen();
    if (this.#failure !== undefined) throw this.#failure;
    if (after > this.revision) throw future(after, this.revision);
    if (after < this.compacted) throw compacted(after, this.compacted);
    return this.#watchers.add(after, listener);
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    if (revision > this.revision) throw future(revision, this.revision);
    if (revision > this.compacted) {
      this.compacted = revision;
      this.#compacting = this.#compacting.catch(() => {}).then(() => this.#forget(revision));
    }
    await this.#compacting;
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  get #isOpen(): boolean {
    return this.#closing === undefined;
  }

  /** No new watch needs what is forgotten here; those that still read it are waited for. */
  async #forget(to: Revision): Promise<void> {
    await this.#watchers.passed(to);
    await compactRecords(this.#commits, to, () => this.#isOpen);
    this.#checkOpen();
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#watchers.end(null);
    await this.#compacting.catch(() => {});
    await this.#database.close();
  }

  #eventsAfter(after: Revision): readonly StoreEvent[] {
    const { snapshot } = this.#commits;
    const events: StoreEvent[] = [];
    let bytes = 0;
    for (const revision of snapshot.revisionsAfter(after, snapshot.revision, PIECE_LIMIT_EVENTS)) {
      const event = snapshot.event(revision);
      events.push(event);
      bytes += (event.entry?.value.length ?? 0) + (event.previous?.value.length ?? 0);
      if (bytes >= PIECE_LIMIT_BYTES) break;
    }
    return events;
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw closed();
  }
}

function inStoreWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw storeError(error);
  }
}
