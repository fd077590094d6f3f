// The watch cache's contract: what the server asks of it. One resource is everything below one storage prefix.
import type { Key, Revision } from '@sluice/storage';
import type { LabelSets } from './labels.ts';
import type { Leaf } from './leaf.ts';
import type { Twins } from './twins.ts';

/** One object as it is kept: the bytes a client will be sent, resourceVersion included. */
export type Item = { key: Key; bytes: Uint8Array; modRevision: Revision; createRevision: Revision };

/** One change, as watchers see it. `item` is null for a delete; `previous` null for a create. */
export type Change = { revision: Revision; key: Key; item: Item | null; previous: Item | null };

/** A resource at one revision: O(1) to take, immutable, shares its leaves with all others. */
export interface Snapshot {
  readonly revision: Revision;
  readonly count: number;
  /** Sum of the items' JSON bytes, commas not counted. */
  readonly bytes: number;
  get(key: Key): Item | undefined;
  /** Leaves that hold keys from `start` on while they begin with `prefix`; the first and last may hold others too. */
  leaves(prefix: Key, start: Key): Iterable<Leaf>;
  /** Items and bytes below `prefix` from key `start` on, from the tree's sums. */
  sum(prefix: Key, start: Key): { count: number; bytes: number };
}

export interface Subscription {
  stop(): void;
}

export interface ResourceCache {
  readonly prefix: Key;
  /** The newest state. Holds every write whose commit has resolved. */
  current(): Snapshot;
  /** The state right at `revision`, if it is still known. CacheError `expired` or `future` otherwise. */
  at(revision: Revision): Snapshot;
  /** Keeps the snapshot findable by at() for SNAPSHOT_KEPT_MS: a continue token was handed out. */
  keep(snapshot: Snapshot): void;
  /**
   * Changes after `after`, oldest first, `limit` at the most: for those who have much to catch up on before they
   * subscribe. CacheError `expired` when some are forgotten.
   */
  changes(after: Revision, limit: number): readonly Change[];
  /**
   * Changes after `after`, then those to come, in order; `after` may lie in the future. `onChange` must not throw and is
   * called during this call for changes already made. `onEnd`: the cache was closed.
   * CacheError `expired` when some are forgotten.
   */
  subscribe(after: Revision, onChange: (change: Change) => void, onEnd: () => void): Subscription;
}

/** Bytes of objects: the newest ones, those of changes, and those that only kept snapshots hold. */
export type HeldBytes = { items: number; history: number; snapshots: number };

export interface WatchCache {
  /** The newest revision applied, of any resource. */
  readonly revision: Revision;
  /** Changes up to and with this revision are forgotten: a watch from before it is too old. */
  readonly floor: Revision;
  /** It was closed, or the store ended the watch: what it shows is no longer the newest. */
  readonly closed: boolean;
  readonly twins: Twins;
  readonly labels: LabelSets;
  readonly held: HeldBytes;
  resource(prefix: Key): ResourceCache;
  close(): void;
}

/**
 * | reason | returned when |
 * |---|---|
 * | expired | the snapshot or the changes asked for are forgotten: 410 |
 * | future | the revision is not reached yet: 504 |
 */
export class CacheError extends Error {
  readonly reason: 'expired' | 'future';

  constructor(reason: 'expired' | 'future', message: string) {
    super(message);
    this.name = 'CacheError';
    this.reason = reason;
  }
}
