// The watch cache: all that the store holds, as trees of leaves, always at the store's newest durable revision.
import type { Key, Revision, Store, StoreEvent, Watch } from '@sluice/storage';
import type { WatchCache } from './contract.ts';
import { History } from './history.ts';
import { LabelSets } from './labels.ts';
import { loadTrees, resourcePrefix } from './load.ts';
import { Resource, type Shared } from './resource.ts';
import { Twins } from './twins.ts';

/** How often kept snapshots are looked over, so that those of quiet resources go too. */
const LET_GO_EVERY_MS = 30_000;

export type WatchCacheOptions = {
  /** Budget for twins, in bytes. */
  encodedCacheBytes: number;
  /** Milliseconds; for tests of what time does. */
  now?: () => number;
};

/** Reads the store whole and follows it from there. */
export async function openWatchCache(store: Store, options: WatchCacheOptions): Promise<WatchCache> {
  const range = await store.range('/registry/');
  const trees = await loadTrees(range);
  const shared: Shared = {
    history: new History(range.revision),
    twins: new Twins(options.encodedCacheBytes),
    revision: range.revision,
    now: options.now ?? Date.now,
  };
  const resources = new Map<Key, Resource>();
  for (const [prefix, root] of trees) resources.set(prefix, new Resource(prefix, shared, root));
  return new StoreCache(store, shared, resources);
}

class StoreCache implements WatchCache {
  readonly labels = new LabelSets();
  readonly #shared: Shared;
  readonly #resources: Map<Key, Resource>;
  readonly #watch: Watch;
  readonly #timer: NodeJS.Timeout;

  constructor(store: Store, shared: Shared, resources: Map<Key, Resource>) {
    this.#shared = shared;
    this.#resources = resources;
    this.#watch = store.watch(shared.revision, {
      onEvents: (events) => this.#apply(events),
      onEnd: () => this.close(),
    });
    this.#timer = setInterval(() => {
      for (const resource of this.#resources.values()) resource.letGo();
    }, LET_GO_EVERY_MS).unref();
  }

  get revision(): Revision {
    return this.#shared.revision;
  }

  get floor(): Revision {
    return this.#shared.history.floor;
  }

  get twins(): Twins {
    return this.#shared.twins;
  }

  resource(prefix: Key): Resource {
    let resource = this.#resources.get(prefix);
    if (!resource) {
      resource = new Resource(prefix, this.#shared);
      this.#resources.set(prefix, resource);
    }
    return resource;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watch.stop();
    for (const resource of this.#resources.values()) resource.close();
  }

  #apply(events: readonly StoreEvent[]): void {
    for (const event of events) {
      // First, so that whoever is told finds the state it is told of.
      this.#shared.revision = event.revision;
      this.resource(resourcePrefix(event.key)).apply(event);
    }
  }
}
