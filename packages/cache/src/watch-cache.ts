// The watch cache: all that the store holds, as trees of leaves, always at the store's newest durable revision.
import type { Key, Revision, Store, StoreEvent } from '@sluice/storage';
import { StoreError } from '@sluice/storage';
import type { HeldBytes, WatchCache } from './contract.ts';
import { History } from './history.ts';
import { KeptSnapshots } from './kept-snapshots.ts';
import { LabelSets } from './labels.ts';
import { loadTrees, REGISTRY, resourcePrefix } from './load.ts';
import { Resource, type Shared } from './resource.ts';
import type { Node } from './tree.ts';
import { Twins } from './twins.ts';

/** How often kept snapshots are looked over, so that they go although nobody asks. */
const LET_GO_EVERY_MS = 30_000;

export type WatchCacheOptions = {
  /** Budget for twins, in bytes. */
  encodedCacheBytes: number;
  /** Milliseconds; for tests of what time does. */
  now?: () => number;
};

/** Reads the store whole and follows it from there; resolves when it has caught up with writes made meanwhile. */
export async function openWatchCache(store: Store, options: WatchCacheOptions): Promise<WatchCache> {
  const range = await store.range(REGISTRY);
  const trees = await loadTrees(range);
  const shared: Shared = {
    history: new History(range.revision),
    twins: new Twins(options.encodedCacheBytes),
    kept: new KeptSnapshots(options.now ?? Date.now),
    revision: range.revision,
  };
  const cache = new StoreCache(shared, trees);
  await cache.follow(store);
  return cache;
}

class StoreCache implements WatchCache {
  readonly labels = new LabelSets();
  readonly #shared: Shared;
  readonly #resources = new Map<Key, Resource>();
  readonly #timer: NodeJS.Timeout;
  #stopWatch: (() => void) | undefined;
  #closed = false;

  constructor(shared: Shared, trees: ReadonlyMap<Key, Node>) {
    this.#shared = shared;
    for (const [prefix, root] of trees) this.#resources.set(prefix, new Resource(prefix, shared, root));
    this.#timer = setInterval(() => shared.kept.letGo(), LET_GO_EVERY_MS).unref();
  }

  get revision(): Revision {
    return this.#shared.revision;
  }

  get floor(): Revision {
    return this.#shared.history.floor;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get twins(): Twins {
    return this.#shared.twins;
  }

  get held(): HeldBytes {
    let items = 0;
    for (const resource of this.#resources.values()) items += resource.current().bytes;
    return { items, history: this.#shared.history.bytes, snapshots: this.#shared.kept.bytes };
  }

  resource(prefix: Key): Resource {
    let resource = this.#resources.get(prefix);
    if (!resource) {
      resource = new Resource(prefix, this.#shared);
      if (this.#closed) resource.close();
      this.#resources.set(prefix, resource);
    }
    return resource;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.#stopWatch?.();
    this.#shared.kept.clear();
    this.#shared.twins.close();
    for (const resource of this.#resources.values()) resource.close();
  }

  /** Applies the store's events from now on. Resolves when none is missing. */
  async follow(store: Store): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const watch = store.watch(this.revision, {
          onEvents: (events) => {
            this.#apply(events);
            if (this.revision >= store.revision) resolve();
          },
          onEnd: (error) => {
            reject(error ?? new StoreError('closed', 'the store was closed while the cache was filled'));
            this.close();
          },
        });
        this.#stopWatch = () => watch.stop();
        if (this.revision >= store.revision) resolve();
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #apply(events: readonly StoreEvent[]): void {
    for (const event of events) {
      // First, so that whoever is told finds the state it is told of.
      this.#shared.revision = event.revision;
      const prefix = resourcePrefix(event.key);
      if (prefix !== undefined) this.resource(prefix).apply(event);
    }
  }
}
