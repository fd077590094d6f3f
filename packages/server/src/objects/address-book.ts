// Who has which of the numbers that only one object may have: service addresses and node ports.
import { randomInt } from 'node:crypto';
import type { Item, ResourceCache } from '@sluice/cache';
import type { Key } from '@sluice/storage';
import { openSlices } from '../list/slices.ts';

export interface AddressBook {
  claim(key: Key): Claim;
}

/** Numbers for one object, held from when they are taken until it is stored with them, or isn't. */
export interface Claim {
  /** False when another object has it, or is about to have it. */
  take(number: string): boolean;
  /** One that nobody has, from anywhere in the range; undefined: there is none. */
  takeAny(range: NumberRange): string | undefined;
  release(): void;
}

/** `before` followed by a number from `first` to `last`. */
export type NumberRange = { before: string; first: number; last: number };

/** Reads the objects of a resource, in slices, and follows them until the cache is closed. */
export async function openAddressBook(
  cache: ResourceCache,
  numbersOf: (item: Uint8Array) => readonly string[],
): Promise<AddressBook> {
  const owners = new Map<string, Key>();
  const held = new Map<string, Claim>();

  function add({ key, bytes }: Item): void {
    for (const number of numbersOf(bytes)) owners.set(number, key);
  }

  function remove({ key, bytes }: Item): void {
    for (const number of numbersOf(bytes)) if (owners.get(number) === key) owners.delete(number);
  }

  const first = cache.current();
  const slices = openSlices();
  for (const leaf of first.leaves(cache.prefix, cache.prefix)) {
    for (let index = 0; index < leaf.count; index++) {
      add(leaf.item(index));
      await slices.next();
    }
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
        takeAny(range) {
          for (const number of numbersFromAnywhere(range)) if (claim.take(number)) return number;
          return undefined;
        },
        release() {
          for (const [number, holder] of held) if (holder === claim) held.delete(number);
        },
      };
      return claim;
    },
  };
}

/** Not from the range's start, so that numbers just let go of come back late. */
function* numbersFromAnywhere({ before, first, last }: NumberRange): Generator<string> {
  const count = last - first + 1;
  const start = randomInt(count);
  for (let step = 0; step < count; step++) yield `${before}${first + ((start + step) % count)}`;
}
