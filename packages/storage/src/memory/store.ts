// The engine that keeps everything in memory: for tests, and for servers whose state may die with them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkKey } from '../keys.ts';
import { closed, compacted, conflict, future } from '../refusals.ts';
import type {
  Entry,
  Key,
  Range,
  Revision,
  Store,
  StoreEvent,
  Watch,
  WatchListener,
  Write,
} from '../store.ts';
import { Watchers } from '../watchers.ts';
import { SortedKeys } from './sorted-keys.ts';

const BATCH_LIMIT_ENTRIES = 1000;
const PIECE_LIMIT_EVENTS = 1000;

/** Values that events hold, in bytes; past it the older half is forgotten, though nobody has asked to compact. */
export const HISTORY_LIMIT_BYTES: number = 64 * 1024 * 1024;
const EVENT_OVERHEAD_BYTES = 256;

export type MemoryStoreOptions = { historyLimitBytes?: number };

export async function openMemoryStore(options: MemoryStoreOptions = {}): Promise<Store> {
  return new MemoryStore(options.historyLimitBytes ?? HISTORY_LIMIT_BYTES);
}

class MemoryStore implements Store {
  readonly #entries = new Map<Key, Entry>();
  readonly #keys = new SortedKeys();
  readonly #watchers = new Watchers({
    revision: () => this.revision,
    read: (after) => this.#eventsAfter(after),
  });
  /** Revisions have no gaps here: the event of revision r is at index r - 1 - compacted. */
  #history: StoreEvent[] = [];
  #historyBytes = 0;
  readonly #historyLimitBytes: number;
  #forgotten: Revision = 0n;
  #closed = false;
  revision: Revision = 0n;
  compacted: Revision = 0n;

  constructor(historyLimitBytes: number) {
    this.#historyLimitBytes = historyLimitBytes;
  }

  async get(key: Key): Promise<Entry | undefined> {
    this.#checkOpen();
    return this.#entries.get(key);
  }

  async range(prefix: Key): Promise<Range> {
    this.#checkOpen();
    const entries = this.#keys.startingWith(prefix).map((key) => this.#entries.get(key)!);
    return { revision: this.revision, batches: this.#batches(entries) };
  }

  async commit(write: Write): Promise<StoreEvent> {
    this.#checkOpen();
    checkKey(write.key);
    const previous = this.#entries.get(write.key) ?? null;
    if ((previous?.modRevision ?? 0n) !== write.expect || (write.value === null && previous === null)) {
      throw conflict(write, previous);
    }
    const revision = this.revision + 1n;
    const event = { revision, key: write.key, entry: entryOf(write, revision, previous), previous };
    this.revision = revision;
    this.#history.push(event);
    this.#historyBytes += sizeOf(event);
    this.#keep(event);
    this.#watchers.tell([event]);
    if (this.#historyBytes > this.#historyLimitBytes) await this.compact(this.#halfway());
    return event;
  }

  watch(after: Revision, listener: WatchListener): Watch {
    this.#checkOpen();
    if (after > this.revision) throw future(after, this.revision);
    if (after < this.compacted) throw compacted(after, this.compacted);
    return this.#watchers.add(after, listener);
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    if (revision > this.revision) throw future(revision, this.revision);
    if (revision <= this.compacted) return;
    this.compacted = revision;
    await this.#watchers.passed(revision);
    if (revision <= this.#forgotten) return;
    for (const event of this.#history.splice(0, Number(revision - this.#forgotten))) {
      this.#historyBytes -= sizeOf(event);
    }
    this.#forgotten = revision;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchers.end(null);
  }

  /** The revision up to which events hold half of the history's bytes. */
  #halfway(): Revision {
    let bytes = 0;
    for (const event of this.#history) {
      bytes += sizeOf(event);
      if (bytes >= this.#historyBytes / 2) return event.revision;
    }
    return this.revision;
  }

  #keep({ key, entry, previous }: StoreEvent): void {
    if (entry === null) {
      this.#entries.delete(key);
      this.#keys.delete(key);
      return;
    }
    this.#entries.set(key, entry);
    if (previous === null) this.#keys.add(key);
  }

  #eventsAfter(after: Revision): readonly StoreEvent[] {
    const first = Number(after - this.#forgotten);
    return this.#history.slice(first, first + PIECE_LIMIT_EVENTS);
  }

  async *#batches(entries: readonly Entry[]): AsyncIterable<readonly Entry[]> {
    for (let first = 0; first < entries.length; first += BATCH_LIMIT_ENTRIES) {
      this.#checkOpen();
      yield entries.slice(first, first + BATCH_LIMIT_ENTRIES);
      await nextTurn();
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closed();
  }
}

function entryOf(write: Write, revision: Revision, previous: Entry | null): Entry | null {
  if (write.value === null) return null;
  const createRevision = previous?.createRevision ?? revision;
  return { key: write.key, value: write.value(revision), createRevision, modRevision: revision };
}

/** What was there before is held by the event that put it there. */
function sizeOf({ entry }: StoreEvent): number {
  return EVENT_OVERHEAD_BYTES + (entry?.value.length ?? 0);
}
