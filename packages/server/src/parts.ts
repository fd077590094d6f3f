// What the handlers work with: where objects lie, how they are read, which kinds there are, what is switched on, what time it is.
import type { WatchCache } from '@sluice/cache';
import type { Kinds } from '@sluice/resources';
import type { Store } from '@sluice/storage';
import type { Gates } from './gates.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { openAddressBook } from './objects/address-book.ts';
import { numbersOf } from './objects/service-numbers.ts';
import { openStoredObjects, type StoredObjects } from './objects/stored-objects.ts';
import { ObjectThreads } from './threads/object-threads.ts';
import { FramedEvents } from './watch/framed-events.ts';

/** What the handlers of single objects need: they run on the event loop and in threads alike. */
export type ObjectParts = { objects: StoredObjects; kinds: Kinds; gates: Gates; now: () => Date };

/** What there is on the event loop alone. */
export type Parts = ObjectParts & {
  store: Store;
  cache: WatchCache;
  threads: ObjectThreads;
  events: FramedEvents;
  limits: Limits;
};

/** Resolves when the services that there are have been read. */
export async function openParts(
  store: Store,
  cache: WatchCache,
  kinds: Kinds,
  gates: Gates,
  limits: Limits = DEFAULT_LIMITS,
  now: () => Date = () => new Date(),
): Promise<Parts> {
  const { storagePrefix } = kinds.find('', 'v1', 'services')!;
  const addresses = await openAddressBook(cache.resource(storagePrefix), numbersOf);
  const objects = openStoredObjects(store, cache, addresses);
  const threads = new ObjectThreads({ objects, cache, kinds, gates });
  return { objects, kinds, gates, now, store, cache, threads, limits, events: new FramedEvents() };
}
