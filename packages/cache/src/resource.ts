// One resource of the watch cache: its newest root, roots of the past, and who watches it.
import type { Key, Revision, StoreEvent } from '@sluice/storage';
import type { Edit } from './columns.ts';
import {
  CacheError,
  type Change,
  type Item,
  type ResourceCache,
  type Snapshot,
  type Subscription,
} from './contract.ts';
import type { History } from './history.ts';
import type { KeptSnapshots } from './kept-snapshots.ts';
import { EMPTY_LEAF } from './leaf.ts';
import { RootSnapshot } from './snapshot.ts';
import { leafOf, type Node, put, putAll, remove, Turnover } from './tree.ts';
import type { Twins } from './twins.ts';

/** Keys that are set back at the most to show an older resourceVersion, all in one turn; further back it has expired. */
export const UNDO_KEYS_MAX = 1000;

/** What all resources share. */
export type Shared = {
  readonly history: History;
  readonly twins: Twins;
  readonly kept: KeptSnapshots;
  revision: Revision;
};

type Subscriber = { after: Revision; onChange: (change: Change) => void; onEnd: () => void };

export class Resource implements ResourceCache {
  readonly prefix: Key;
  readonly #shared: Shared;
  readonly #subscribers = new Set<Subscriber>();
  #root: Node;
  /** The root's age: revisions from this on show it. */
  #changed: Revision;
  #replacedBytes = 0;
  #closed = false;

  constructor(prefix: Key, shared: Shared, root: Node = EMPTY_LEAF) {
    this.prefix = prefix;
    this.#shared = shared;
    this.#root = root;
    this.#changed = shared.revision;
  }

  /** Bytes of leaves replaced so far. */
  get replacedBytes(): number {
    return this.#replacedBytes;
  }

  current(): RootSnapshot {
    return this.#newestAs(this.#shared.revision);
  }

  at(revision: Revision): Snapshot {
    if (revision > this.#shared.revision)
      throw new CacheError('future', `revision ${revision} is not reached yet`);
    if (revision >= this.#changed) return this.#newestAs(revision);
    return this.#shared.kept.find(this, revision) ?? this.#undoneTo(revision);
  }

  keep(snapshot: Snapshot): void {
    if (!(snapshot instanceof RootSnapshot)) throw new TypeError('not a snapshot of this cache');
    this.#shared.kept.keep(this, snapshot);
  }

  changes(after: Revision, limit: number): readonly Change[] {
    const changes = this.#shared.history.after(after, this.prefix, limit);
    if (!changes) throw new CacheError('expired', `changes after ${after} are forgotten`);
    return changes;
  }

  subscribe(after: Revision, onChange: (change: Change) => void, onEnd: () => void): Subscription {
    const subscriber = { after, onChange, onEnd };
    if (this.#closed) onEnd();
    else this.#tellMissed(subscriber);
    return { stop: () => this.#subscribers.delete(subscriber) };
  }

  /** Takes over what a write did. */
  apply(event: StoreEvent): void {
    const previous = this.#held(event.key);
    const turnover = new Turnover();
    let item: Item | null = null;
    if (event.entry) {
      const { value, modRevision, createRevision } = event.entry;
      item = { key: event.key, bytes: owned(value), modRevision, createRevision };
      this.#root = put(this.#root, item, turnover);
    } else {
      this.#root = remove(this.#root, event.key, turnover);
    }
    this.#changed = event.revision;
    this.#retire(turnover);
    this.#tell({ revision: event.revision, key: event.key, item, previous });
  }

  close(): void {
    this.#closed = true;
    for (const subscriber of [...this.#subscribers]) subscriber.onEnd();
    this.#subscribers.clear();
  }

  #newestAs(revision: Revision): RootSnapshot {
    return new RootSnapshot(this.#root, revision, { replacedBefore: this.#replacedBytes, ownBytes: 0 });
  }

  #held(key: Key): Item | null {
    const leaf = leafOf(this.#root, key);
    const index = leaf.indexOf(key);
    if (index < 0) return null;
    const item = leaf.item(index);
    return { ...item, bytes: owned(item.bytes) };
  }

  #retire({ gone }: Turnover): void {
    let bytes = 0;
    for (const leaf of gone) {
      this.#shared.twins.retire(leaf);
      bytes += leaf.bytes;
    }
    this.#replacedBytes += bytes;
    this.#shared.kept.replaced(bytes);
  }

  #tell(change: Change): void {
    this.#shared.history.add(change);
    for (const subscriber of this.#subscribers) {
      if (change.revision > subscriber.after) subscriber.onChange(change);
    }
  }

  /** One who is told may write, and so make more to tell: it is over when there is no more. */
  #tellMissed(subscriber: Subscriber): void {
    for (;;) {
      const missed = this.changes(subscriber.after, Number.POSITIVE_INFINITY);
      if (missed.length === 0) break;
      for (const change of missed) subscriber.onChange(change);
      subscriber.after = missed.at(-1)!.revision;
    }
    this.#subscribers.add(subscriber);
  }

  /** The newest root with its changes undone, back to `revision`; kept, since its other pages will be asked for. */
  #undoneTo(revision: Revision): Snapshot {
    const edits = undoing(this.#shared.history.after(revision, this.prefix) ?? []);
    if (revision < this.#shared.history.floor || edits.length > UNDO_KEYS_MAX) {
      throw new CacheError('expired', `revision ${revision} is forgotten`);
    }
    const turnover = new Turnover({ joins: false });
    const root = putAll(this.#root, edits, turnover);
    let ownBytes = 0;
    for (const leaf of turnover.made) {
      // Held for one walk: a twin of it would outlive the snapshot.
      this.#shared.twins.retire(leaf);
      ownBytes += leaf.bytes;
    }
    const snapshot = new RootSnapshot(root, revision, { replacedBefore: this.#replacedBytes, ownBytes });
    this.#shared.kept.keep(this, snapshot);
    return snapshot;
  }
}

/** What each changed key held before the first of the changes, in key order. */
function undoing(changes: readonly Change[]): Edit[] {
  const before = new Map<Key, Edit>();
  for (const { key, previous } of changes) if (!before.has(key)) before.set(key, { key, item: previous });
  return [...before.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * Bytes that hold no others: a slice would hold the whole leaf, or the store's whole batch, for as long as the
 * history lasts.
 */
function owned(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
