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

/** Without `removed` items from `index` on, and with `item` there. */
export function splice(columns: Columns, index: number, removed: 0 | 1, item: Item | undefined): Columns {
  const { keys, buffers, sources, starts, lengths, modRevisions, createRevisions } = columns;
  if (!item) {
    return {
      keys: keys.toSpliced(index, removed),
      buffers,
      sources: sources.toSpliced(index, removed),
      starts: starts.toSpliced(index, removed),
      lengths: lengths.toSpliced(index, removed),
      modRevisions: modRevisions.toSpliced(index, removed),
      createRevisions: createRevisions.toSpliced(index, removed),
    };
  }
  return {
    keys: keys.toSpliced(index, removed, item.key),
    buffers: [...buffers, item.bytes],
    sources: sources.toSpliced(index, removed, buffers.length),
    starts: starts.toSpliced(index, removed, 0),
    lengths: lengths.toSpliced(index, removed, item.bytes.length),
    modRevisions: modRevisions.toSpliced(index, removed, kept(item.modRevision)),
    createRevisions: createRevisions.toSpliced(index, removed, kept(item.createRevision)),
  };
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
