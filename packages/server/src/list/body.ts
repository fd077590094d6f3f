// Writes a page's items: whole leaves as they lie, parts of leaves as runs of neighbours.
import type { Leaf, Snapshot, Twins } from '@sluice/cache';
import type { Deflated } from '@sluice/encoding';
import type { Sink } from '../api.ts';
import type { Page } from './page.ts';
import type { Selection } from './selection.ts';
import { openSlices } from './slices.ts';

/** Twins begun ahead of the one being written: the pool works while the socket drains. At most a leaf's size each. */
const TWINS_AHEAD = 2;

/** What is listed: which items of which snapshot, and who makes their other forms. */
export type ItemSource = {
  snapshot: Snapshot;
  page: Page;
  selection: Selection;
  twins: Twins;
  /** Rows of Tables tell ages. */
  nowMs: number;
};

/** Every item of the page that the selection shows, as it is stored, a comma between two. */
export async function writeItems(sink: Sink, source: ItemSource): Promise<void> {
  const { snapshot, page, selection, twins } = source;
  const slices = openSlices();
  const begun = new Map<Leaf, Deflated | Promise<Deflated>>();
  const isWhole = (leaf: Leaf): boolean => {
    const [from, to] = leafRange(leaf, page);
    return selection.all && from === 0 && to === leaf.count;
  };
  const twinOf = (leaf: Leaf): Deflated | Promise<Deflated> => {
    const twin = begun.get(leaf) ?? twins.deflated(leaf);
    begun.delete(leaf);
    return twin;
  };
  let first = true;
  for (const [leaf, ahead] of withAhead(pageLeaves(snapshot, page), TWINS_AHEAD)) {
    if (isWhole(leaf)) {
      if (sink.gzips) begin(twins, begun, ahead.filter(isWhole));
      const bytes = first ? leaf.join().subarray(1) : leaf.join();
      const room = sink.write(bytes, { from: first ? 0 : 1, deflated: () => twinOf(leaf) });
      if (room) await room;
      first = false;
    } else {
      first = await writePart(sink, leaf, source, first);
    }
    await slices.next();
  }
}

export function* pageLeaves(snapshot: Snapshot, page: Page): Generator<Leaf, void> {
  for (const leaf of snapshot.leaves(page.prefix, page.start)) {
    if (page.end !== undefined && leaf.keys[0]! >= page.end) return;
    yield leaf;
  }
}

/** Some of a leaf's items; gives back whether the next one is still the first. */
async function writePart(
  sink: Sink,
  leaf: Leaf,
  { page, selection }: ItemSource,
  isFirst: boolean,
): Promise<boolean> {
  const [from, to] = leafRange(leaf, page);
  let first = isFirst;
  for (const [start, end] of runs(from, to, selection.all ? undefined : selection.on(leaf))) {
    const bytes = leaf.run(start, end);
    const room = sink.write(first ? bytes.subarray(1) : bytes);
    if (room) await room;
    first = false;
  }
  return first;
}

/** The indices of a leaf's items within the page. */
export function leafRange(leaf: Leaf, page: Pick<Page, 'prefix' | 'start' | 'end'>): [number, number] {
  const { prefix, start, end } = page;
  const from = leaf.indexFrom(start);
  const to = end === undefined ? leaf.count : leaf.indexFrom(end);
  return [
    from,
    leaf.keys[leaf.count - 1]!.startsWith(prefix) ? to : Math.min(to, leaf.indexFrom(`${prefix}\xff`)),
  ];
}

/** Neighbours that are shown, as [from, to). */
function* runs(
  from: number,
  to: number,
  shows: ((index: number) => boolean) | undefined,
): Generator<[number, number], void> {
  if (!shows) {
    if (from < to) yield [from, to];
    return;
  }
  for (let i = from; i < to; i++) {
    if (!shows(i)) continue;
    const start = i;
    while (i + 1 < to && shows(i + 1)) i++;
    yield [start, i + 1];
  }
}

/** Has the pool make twins that will be asked for next. One that fails is reported when it is needed. */
function begin(twins: Twins, begun: Map<Leaf, Deflated | Promise<Deflated>>, leaves: readonly Leaf[]): void {
  for (const leaf of leaves) {
    if (begun.has(leaf)) continue;
    const twin = twins.deflated(leaf);
    if (twin instanceof Promise) twin.catch(() => {});
    begun.set(leaf, twin);
  }
}

/** Each one with those that follow it. */
export function* withAhead<One>(all: Iterable<One>, count: number): Generator<[One, readonly One[]], void> {
  const window: One[] = [];
  for (const one of all) {
    window.push(one);
    if (window.length > count) yield [window.shift()!, window];
  }
  while (window.length > 0) yield [window.shift()!, window];
}
