// A leaf's columns: what is known of its items, in arrays, since an object per item would cost more than small items do.
//
//   keys               default/a    default/b    default/c
//   buffers[source]    0            0            1              where its bytes are:
//   starts, lengths    1, 610       612, 598     0, 640         buffers[source][start] is the first of them
//   revisions          …            …            …
//
// None is ever changed: an edit copies the arrays, which hold a thousand small numbers at the most. No bytes are copied.
import type { Key, Revision } from '@sluice/storage';
import type { Item } from './contract.ts';

/** 64 bits, exactly: as a number, which costs an array 8 bytes, while that has room. */
type Kept = number | bigint;

export type Columns = {
  readonly keys: readonly Key[];
  readonly buffers: readonly Uint8Array[];
  readonly sources: readonly number[];
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly modRevisions: readonly Kept[];
  readonly createRevisions: readonly Kept[];
};

/** Columns of items, each with a buffer of its own, which is held and must not change. */
export function columnsOf(items: readonly Item[]): Columns {
  return {
    keys: items.map((item) => item.key),
    buffers: items.map((item) => item.bytes),
    sources: items.map((_, i) => i),
    starts: items.map(() => 0),
    lengths: items.map((item) => item.bytes.length),
    modRevisions: items.map((item) => kept(item.modRevision)),
    createRevisions: items.map((item) => kept(item.createRevision)),
  };
}

/** What a key shall hold; null: nothing. */
export type Edit = { readonly key: Key; readonly item: Item | null };

/** With the edits made, which are in key order. What lies between two is copied as a whole, column by column. */
export function edited(columns: Columns, edits: readonly Edit[]): Columns {
  const buffers = [...columns.buffers];
  const plan = edits.map(({ key, item }) => {
    const from = indexFrom(columns.keys, key);
    const to = columns.keys[from] === key ? from + 1 : from;
    return { from, to, item, source: item ? buffers.push(item.bytes) - 1 : -1 };
  });
  const column = <T>(old: readonly T[], value: (item: Item, source: number) => T): T[] => {
    const parts: (readonly T[])[] = [];
    let at = 0;
    for (const { from, to, item, source } of plan) {
      parts.push(old.slice(at, from));
      if (item) parts.push([value(item, source)]);
      at = to;
    }
    return ([] as T[]).concat(...parts, old.slice(at));
  };
  return {
    keys: column(columns.keys, (item) => item.key),
    buffers,
    sources: column(columns.sources, (_, source) => source),
    starts: column(columns.starts, () => 0),
    lengths: column(columns.lengths, (item) => item.bytes.length),
    modRevisions: column(columns.modRevisions, (item) => kept(item.modRevision)),
    createRevisions: column(columns.createRevisions, (item) => kept(item.createRevision)),
  };
}

/** The first index whose key is not before `key`; their number if there is none. */
export function indexFrom(keys: readonly Key[], key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Items `from` up to but without `to`. */
export function slice(columns: Columns, from: number, to: number): Columns {
  return {
    keys: columns.keys.slice(from, to),
    buffers: columns.buffers,
    sources: columns.sources.slice(from, to),
    starts: columns.starts.slice(from, to),
    lengths: columns.lengths.slice(from, to),
    modRevisions: columns.modRevisions.slice(from, to),
    createRevisions: columns.createRevisions.slice(from, to),
  };
}

/** The items of `a`, then those of `b`. */
export function concat(a: Columns, b: Columns): Columns {
  return {
    keys: a.keys.concat(b.keys),
    buffers: a.buffers.concat(b.buffers),
    sources: a.sources.concat(b.sources.map((source) => source + a.buffers.length)),
    starts: a.starts.concat(b.starts),
    lengths: a.lengths.concat(b.lengths),
    modRevisions: a.modRevisions.concat(b.modRevisions),
    createRevisions: a.createRevisions.concat(b.createRevisions),
  };
}

/** The same items in one buffer, each with its comma before it: `,{…},{…}`. */
export function join(columns: Columns): Columns {
  const { buffers, sources, lengths } = columns;
  const count = lengths.length;
  const joined = Buffer.allocUnsafeSlow(sum(lengths) + count);
  const starts = new Array<number>(count);
  for (let i = 0, to = 0; i < count; i++) {
    const start = columns.starts[i]!;
    const length = lengths[i]!;
    joined[to] = COMMA;
    joined.set(buffers[sources[i]!]!.subarray(start, start + length), to + 1);
    starts[i] = to + 1;
    to += length + 1;
  }
  return { ...columns, buffers: [joined], sources: lengths.map(() => 0), starts };
}

export function sum(lengths: readonly number[]): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total;
}

const COMMA = 0x2c;

function kept(revision: Revision): Kept {
  return revision <= Number.MAX_SAFE_INTEGER ? Number(revision) : revision;
}
