// Work that can be stopped after each step and gone on with later, so that long texts needn't be read in one turn of the event loop.

/** Each step takes some microseconds. */
export type Steps<Result> = Generator<void, Result, void>;

/** All of them at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** So many items are sorted in one step. */
const RUN_ITEMS = 512;

/** Sorted runs, merged in pairs until one is left. Keeps the order of equal items. */
export function* sortSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += RUN_ITEMS) {
    runs.push(items.slice(at, at + RUN_ITEMS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSteps(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSteps<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<Item[]> {
  const merged: Item[] = [];
  let taken = 0;
  for (const item of right) {
    while (taken < left.length && compare(left[taken]!, item) <= 0) merged.push(left[taken++]!);
    merged.push(item);
    yield;
  }
  return [...merged, ...left.slice(taken)];
}
