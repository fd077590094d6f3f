// The order of a merged list: as the patch has it, with what only the server has in between where it was.
import type { JsonValue } from '@sluice/encoding';
import { identity } from './tree.ts';

/**
 * `items` are the merged ones; those that are in `patch` come in its order, the others in that of `before`. Where both
 * were there before, their old order decides who is next; otherwise the patch's item is.
 */
export function inPatchOrder(
  items: readonly JsonValue[],
  patch: readonly JsonValue[],
  before: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const [inPatch, inBefore] = [places(patch, mergeKey), places(before, mergeKey)];
  const placed = items.map((item): Placed => {
    const own = itemIdentity(item, mergeKey);
    return { item, patch: inPatch.get(own) ?? NOWHERE, before: inBefore.get(own) ?? NOWHERE };
  });
  const own = placed.filter(({ patch }) => patch >= 0).sort((a, b) => a.patch - b.patch);
  const others = placed.filter(({ patch }) => patch < 0).sort((a, b) => a.before - b.before);
  const all: Placed[] = [];
  let [mine, theirs] = [0, 0];
  while (mine < own.length && theirs < others.length) {
    const [one, other] = [own[mine]!, others[theirs]!];
    const isTheirs = one.before >= 0 && other.before >= 0 && other.before < one.before;
    all.push(isTheirs ? other : one);
    if (isTheirs) theirs++;
    else mine++;
  }
  return [...all, ...own.slice(mine), ...others.slice(theirs)].map(({ item }) => item);
}

type Placed = { item: JsonValue; patch: number; before: number };

const NOWHERE = -1;

/** Where each item of the list stands first. */
function places(list: readonly JsonValue[], mergeKey: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [place, item] of list.entries()) {
    const own = itemIdentity(item, mergeKey);
    if (!found.has(own)) found.set(own, place);
  }
  return found;
}

/** Objects are told apart by their merge key. */
export function itemIdentity(item: JsonValue, mergeKey: string): string {
  return item instanceof Map ? `{${identity(item.get(mergeKey))}` : identity(item);
}
