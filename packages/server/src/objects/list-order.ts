// The order of a merged list: as the patch has it, with what only the server has in between where it was.
import type { JsonValue } from '@sluice/encoding';
import { equal } from './tree.ts';

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
  const place = (list: readonly JsonValue[], item: JsonValue): number =>
    list.findIndex((other) => isSame(other, item, mergeKey));
  const own = sorted(
    items.filter((item) => place(patch, item) >= 0),
    (item) => place(patch, item),
  );
  const others = sorted(
    items.filter((item) => place(patch, item) < 0),
    (item) => place(before, item),
  );
  const all: JsonValue[] = [];
  while (own.length > 0 && others.length > 0) {
    const [mine, theirs] = [place(before, own[0]!), place(before, others[0]!)];
    all.push(mine >= 0 && theirs >= 0 && theirs < mine ? others.shift()! : own.shift()!);
  }
  return [...all, ...own, ...others];
}

function sorted(items: readonly JsonValue[], place: (item: JsonValue) => number): JsonValue[] {
  return items
    .map((item) => ({ item, place: place(item) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Objects are told apart by their merge key. */
function isSame(a: JsonValue, b: JsonValue, mergeKey: string): boolean {
  if (a instanceof Map && b instanceof Map) return equal(a.get(mergeKey), b.get(mergeKey));
  return equal(a, b);
}
