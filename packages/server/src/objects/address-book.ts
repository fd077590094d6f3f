// Who has which of the numbers that only one object may have: service addresses and node ports.
import type { Item, ResourceCache } from '@sluice/cache';
import type { Key } from '@sluice/storage';

export interface AddressBook {
  claim(key: Key): Claim;
}

/** Numbers for one object, held from when they are taken until it is stored with them, or isn't. */
export interface Claim {
  /** False when another object has it, or is about to have it. */
  take(number: string): boolean;
  release(): void;
}

/** Follows the objects of a resource from now on, until the cache is closed. */
export function openAddressBook(
  cache: ResourceCache,
  numbersOf: (item: Uint8Array) => readonly string[],
): AddressBook {
  const owners = new Map<string, Key>();
  const held = new Map<string, Claim>();

  function add({ key, bytes }: Item): void {
    for (const number of numbersOf(bytes)) owners.set(number, key);
  }

  function remove({ key, bytes }: Item): void {
    for (const number of numbersOf(bytes)) if (owners.get(number) === key) owners.delete(number);
  }

  const first = cache.current();
  for (const leaf of first.leaves(cache.prefix, cache.prefix)) {
    for (let index = 0; index < leaf.count; index++) add(leaf.item(index));
  }
  cache.subscribe(
    first.revision,
    ({ previous, item }) => {
      if (previous) remove(previous);
      if (item) add(item);
    },
    () => {},
  );
  return {
    claim(key) {
      const claim: Claim = {
        take(number) {
          const owner = owners.get(number);
          const holder = held.get(number);
          if ((owner !== undefined && owner !== key) || (holder !== undefined && holder !== claim))
            return false;
          held.set(number, claim);
          return true;
        },
        release() {
          for (const [number, holder] of held) if (holder === claim) held.delete(number);
        },
      };
      return claim;
    },
  };
}
