// The store contract: what every engine does, on one page. The suite in contract.ts holds each engine to it.
//
// There are only these things: a key, an entry (the value a key has now, and the revisions that made it so),
// a write, an event (what a write did), and a revision, the store's clock.
//
//   revision   1        2              3                4
//   write      create a create b       update a (if 1)  delete b (if 2)
//   get(a)     1        1              3                3
//   watch(1)            put b@2        put a@3 was @1   delete b@4 was @2

/** A point of the store's clock: 64 bits, the first write is at least 1, never used twice, not even after a restart. */
export type Revision = bigint;

/**
 * A key is a binary string: one character for each byte of its UTF-8 form, so that comparing strings
 * compares bytes. `/registry/configmaps/default/a`: kube-apiserver's own layout.
 */
export type Key = string;

/** What a key holds now. `value` must not be changed by whoever receives it. */
export type Entry = { key: Key; value: Uint8Array; createRevision: Revision; modRevision: Revision };

export type Write = {
  key: Key;
  /** The modRevision the key must have; 0n: it must not exist. */
  expect: Revision;
  /**
   * Gives the bytes to store, once the write's own revision is known: an object holds its resourceVersion in its
   * bytes. Called once, synchronously, and only if the write goes through. null deletes the key.
   */
  value: ((revision: Revision) => Uint8Array) | null;
};

/** One write as watchers see it. `entry` is null for a delete; `previous` is null for a create. */
export type StoreEvent = { revision: Revision; key: Key; entry: Entry | null; previous: Entry | null };

export type WatchListener = {
  /** Events in revision order, each once; those of one sync may come together. */
  onEvents(events: readonly StoreEvent[]): void;
  /** The watch is over and nothing more will come: the store failed or was closed. Not called after stop(). */
  onEnd(error: StoreError | null): void;
};

export interface Watch {
  stop(): void;
}

/**
 * How a store is filled at start and read whole: every entry below a prefix, in key order, at one revision. Read the
 * batches once, to the end or until you leave the loop: an engine may keep old pages for as long as that takes.
 */
export type Range = { revision: Revision; batches: AsyncIterable<readonly Entry[]> };

export interface Store {
  /** The newest durable revision. */
  readonly revision: Revision;
  /** Events up to and with this revision are forgotten; 0n: none is. */
  readonly compacted: Revision;

  get(key: Key): Promise<Entry | undefined>;

  /** Entries whose key starts with `prefix`. Writes made meanwhile don't show. */
  range(prefix: Key): Promise<Range>;

  /**
   * Makes one write and resolves once it is durable and every watcher has been told.
   * Writes that wait together share one sync.
   * @throws StoreError `conflict` when the key is not at `expect`; `full`, `closed`, `failed`.
   */
  commit(write: Write): Promise<StoreEvent>;

  /**
   * Tells every event whose revision is greater than `after`, then those to come.
   * @throws StoreError `compacted` when some of them are forgotten; `future` when `after` is beyond `revision`.
   */
  watch(after: Revision, listener: WatchListener): Watch;

  /** Forgets events up to and with `revision`; what keys hold now is never forgotten. */
  compact(revision: Revision): Promise<void>;

  /** Finishes the writes that were accepted, ends watches, lets the directory go. */
  close(): Promise<void>;
}

/**
 * | reason | returned when |
 * |---|---|
 * | conflict | the key isn't at the revision the write expects; `current` tells what it holds (undefined: nothing) |
 * | compacted | events asked for are forgotten |
 * | future | a revision asked for is not reached yet |
 * | full | the disk or the map has no room; nothing of the write is kept, the store goes on |
 * | locked | another process has the directory open |
 * | damaged | the directory is not a store of this kind, or its content can't be read; nothing in it was changed |
 * | closed | the store was closed |
 * | failed | the operating system refused a read or a write; the write may or may not be durable |
 */
export type StoreErrorReason =
  | 'conflict'
  | 'compacted'
  | 'future'
  | 'full'
  | 'locked'
  | 'damaged'
  | 'closed'
  | 'failed';

export class StoreError extends Error {
  readonly reason: StoreErrorReason;
  readonly current: Entry | undefined;

  constructor(reason: StoreErrorReason, message: string, options: { current?: Entry; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.reason = reason;
    this.current = options.current;
  }
}
