// One resource of the watch cache: its newest root, the snapshots that pages still need, and who watches it.
import type { Key, Revision, StoreEvent } from '@sluice/storage';
import {
  CacheError,
  type Change,
  type Item,
  type ResourceCache,
  type Snapshot,
  type Subscription,
} from './contract.ts';
import type { History } from './history.ts';
import { EMPTY_LEAF, type Leaf, rowOf } from './leaf.ts';
import { RootSnapshot } from './snapshot.ts';
import { leafOf, type Node, put, remove } from './tree.ts';
import type { Twins } from './twins.ts';

/** How long a walk of pages may take between two pages. */
export const SNAPSHOT_KEPT_MS: number = 5 * 60_000;
export const SNAPSHOTS_KEPT_MAX = 1000;
/** Bytes of leaves replaced since the oldest kept snapshot: what keeping costs at the most. */
export const SNAPSHOTS_KEPT_BYTES: number = 256 * 1024 * 1024;
/** Changes undone at the most to show an older resourceVersion; further back it has expired. */
const UNDO_CHANGES_MAX = 10_000;

/** What all resources share. */
export type Shared = {
  readonly history: History;
  readonly twins: Twins;
  revision: Revision;
  readonly now: () => number;
};

type Kept = { snapshot: RootSnapshot; untilMs: number; replacedBytes: number };
type Subscriber = { after: Revision; onChange: (change: Change) => void; onEnd: () => void };

export class Resource implements ResourceCache {
  readonly prefix: Key;
  readonly #shared: Shared;
  readonly #subscribers = new Set<Subscriber>();
  /** By revision, oldest first. */
  readonly #kept = new Map<Revision, Kept>();
  #root: Node;
  #changed: Revision;

  constructor(prefix: Key, shared: Shared, root: Node = EMPTY_LEAF) {
    this.prefix = prefix;
    this.#shared = shared;
    this.#root = root;
    this.#changed = shared.revision;
  }

  current(): RootSnapshot {
    return new RootSnapshot(this.#root, this.#shared.revision);
  }

  at(revision: Revision): Snapshot {
    if (revision > this.#shared.revision)
      throw new CacheError('future', `revision ${revision} is not reached yet`);
    if (revision >= this.#changed) return new RootSnapshot(this.#root, revision);
    this.#letGo();
    return this.#kept.get(revision)?.snapshot ?? this.#undoneTo(revision);
  }

  keep(snapshot: Snapshot): void {
    if (!(snapshot instanceof RootSnapshot)) throw new TypeError('not a snapshot of this cache');
    this.#kept.delete(snapshot.revision);
    this.#kept.set(snapshot.revision, {
      snapshot,
      untilMs: this.#shared.now() + SNAPSHOT_KEPT_MS,
      replacedBytes: 0,
    });
    this.#letGo();
  }

  subscribe(after: Revision, onChange: (change: Change) => void, onEnd: () => void): Subscription {
    const missed = this.#shared.history.after(after, this.prefix);
    if (!missed) throw new CacheError('expired', `changes after ${after} are forgotten`);
    for (const change of missed) onChange(change);
    const subscriber = { after, onChange, onEnd };
    this.#subscribers.add(subscriber);
    return { stop: () => this.#subscribers.delete(subscriber) };
  }

  /** Takes over what a write did. */
  apply(event: StoreEvent): void {
    const previous = this.#held(event.key);
    const retired: Leaf[] = [];
    let item: Item | null = null;
    if (event.entry) {
      const { value, modRevision, createRevision } = event.entry;
      item = { key: event.key, bytes: owned(value), modRevision, createRevision };
      this.#root = put(this.#root, rowOf(item), retired);
    } else {
      this.#root = remove(this.#root, event.key, retired);
    }
    this.#changed = event.revision;
    this.#retire(retired);
    this.#tell({ revision: event.revision, key: event.key, item, previous });
  }

  /** Lets go of snapshots whose time is over. */
  letGo(): void {
    this.#letGo();
  }

  close(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.onEnd();
    this.#subscribers.clear();
    this.#kept.clear();
  }

  #held(key: Key): Item | null {
    const leaf = leafOf(this.#root, key);
    const index = leaf.indexOf(key);
    if (index < 0) return null;
    const item = leaf.item(index);
    return { ...item, bytes: owned(item.bytes) };
  }

  #retire(retired: readonly Leaf[]): void {
    let bytes = 0;
    for (const leaf of retired) {
      this.#shared.twins.retire(leaf);
      bytes += leaf.bytes;
    }
    if (this.#kept.size === 0) return;
    for (const kept of this.#kept.values()) kept.replacedBytes += bytes;
    this.#letGo();
  }

  #tell(change: Change): void {
    this.#shared.history.add(change);
    for (const subscriber of this.#subscribers) {
      if (change.revision > subscriber.after) subscriber.onChange(change);
    }
  }

  #letGo(): void {
    const now = this.#shared.now();
    for (const [revision, kept] of this.#kept) {
      const over =
        kept.untilMs <= now ||
        this.#kept.size > SNAPSHOTS_KEPT_MAX ||
        kept.replacedBytes > SNAPSHOTS_KEPT_BYTES;
      if (over) this.#kept.delete(revision);
    }
  }

  /** The newest root with its changes undone, back to `revision`; kept, since its other pages will be asked for. */
  #undoneTo(revision: Revision): Snapshot {
    const changes = this.#shared.history.after(revision, this.prefix);
    if (!changes || changes.length > UNDO_CHANGES_MAX) {
      throw new CacheError('expired', `revision ${revision} is forgotten`);
    }
    const retired: Leaf[] = [];
    let root = this.#root;
    for (const { key, previous } of changes.reverse()) {
      root = previous ? put(root, rowOf(previous), retired) : remove(root, key, retired);
    }
    const snapshot = new RootSnapshot(root, revision);
    this.keep(snapshot);
    return snapshot;
  }
}

/** A copy: a slice would hold the whole leaf, or the store's whole batch, for as long as the history lasts. */
function owned(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
