// A leaf of the tree: neighbouring items of one resource, their bytes joined so that a list sends them as they lie.
//
//   keys     default/a        default/b        default/c
//   joined   , { … }          , { … }          , { … }         one buffer: each item has its comma before it
//              ▲ start of a     ▲ start of b
//
// A write makes a new leaf that shares the old one's buffers and adds its own; they are joined anew when the leaf is
// next listed, or when too much of what they hold is dead. To whoever reads it a leaf never changes.
import type { Deflated } from '@sluice/encoding';
import type { Key } from '@sluice/storage';
import type { Item } from './contract.ts';

/** A leaf over this is split; an item larger than this has a leaf of its own. Deflates well and is two good writes. */
export const LEAF_MAX_BYTES: number = 256 * 1024;
export const LEAF_MAX_ITEMS = 1024;
/** Filled at start to this, so that a first write doesn't split it. */
export const LEAF_FILL_BYTES: number = 208 * 1024;
export const LEAF_FILL_ITEMS = 768;
/** A leaf below this joins a neighbour if both fit into LEAF_FILL. */
export const LEAF_MIN_BYTES: number = 32 * 1024;

/** More buffers than this, or more dead bytes than half of the living, and a new leaf joins its own at once. */
const SOURCES_MAX = 16;
const SOURCE_WASTE_MAX = 1.5;

const COMMA = 0x2c;

/** One item's place: `source[start]` is its first byte. */
export type Row = {
  key: Key;
  source: Uint8Array;
  start: number;
  length: number;
  modRevision: number;
  createRevision: number;
};

/** An item as a row. Its bytes are kept until its leaf is joined: they must not change. */
export function rowOf(item: Item): Row {
  return {
    key: item.key,
    source: item.bytes,
    start: 0,
    length: item.bytes.length,
    modRevision: Number(item.modRevision),
    createRevision: Number(item.createRevision),
  };
}

export class Leaf {
  readonly keys: readonly Key[];
  readonly count: number;
  /** Sum of the items' bytes, commas not counted. */
  readonly bytes: number;
  /** Made by Twins, which also keeps the counters. */
  deflated: Deflated | undefined = undefined;
  deflating: Promise<Deflated> | undefined = undefined;
  twinSlot = -1;
  wanted = 0;
  wantedAge = 0;
  retired = false;
  /** Made by LabelSets: an id for each item, good for one epoch. */
  labelIds: Int32Array | undefined = undefined;
  labelEpoch = -1;

  #sources: readonly Uint8Array[];
  readonly #starts: readonly number[];
  readonly #lengths: readonly number[];
  readonly #modRevisions: readonly number[];
  readonly #createRevisions: readonly number[];
  #joined: Uint8Array | undefined;
  #joinedStarts: readonly number[] | undefined;

  constructor(rows: readonly Row[]) {
    this.keys = rows.map((row) => row.key);
    this.count = rows.length;
    this.#sources = rows.map((row) => row.source);
    this.#starts = rows.map((row) => row.start);
    this.#lengths = rows.map((row) => row.length);
    this.#modRevisions = rows.map((row) => row.modRevision);
    this.#createRevisions = rows.map((row) => row.createRevision);
    this.bytes = this.#lengths.reduce((sum, length) => sum + length, 0);
    if (this.#isWasteful()) this.join();
  }

  /** The items' bytes, each with its comma before it: `,{…},{…}`. */
  join(): Uint8Array {
    if (this.#joined) return this.#joined;
    const joined = Buffer.allocUnsafeSlow(this.bytes + this.count);
    const starts = new Array<number>(this.count);
    for (let i = 0, to = 0; i < this.count; i++) {
      const start = this.#starts[i]!;
      const length = this.#lengths[i]!;
      joined[to] = COMMA;
      joined.set(this.#sources[i]!.subarray(start, start + length), to + 1);
      starts[i] = to + 1;
      to += length + 1;
    }
    this.#sources = [];
    this.#joined = joined;
    this.#joinedStarts = starts;
    return joined;
  }

  /** Bytes of items `from` up to but without `to`, a comma before each. */
  run(from: number, to: number): Uint8Array {
    const joined = this.join();
    const starts = this.#joinedStarts!;
    const end = to < this.count ? starts[to]! - 1 : joined.length;
    return joined.subarray(starts[from]! - 1, end);
  }

  /** One item's bytes; doesn't join. */
  bytesOf(index: number): Uint8Array {
    const start = this.#startOf(index);
    return this.#sourceOf(index).subarray(start, start + this.#lengths[index]!);
  }

  lengthOf(index: number): number {
    return this.#lengths[index]!;
  }

  item(index: number): Item {
    return {
      key: this.keys[index]!,
      bytes: this.bytesOf(index),
      modRevision: BigInt(this.#modRevisions[index]!),
      createRevision: BigInt(this.#createRevisions[index]!),
    };
  }

  /** The first index whose key is not before `key`; `count` if there is none. */
  indexFrom(key: Key): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The index of `key`, or -1. */
  indexOf(key: Key): number {
    const index = this.indexFrom(key);
    return this.keys[index] === key ? index : -1;
  }

  /** The rows, to make other leaves of. */
  rows(): Row[] {
    return this.keys.map((key, i) => ({
      key,
      source: this.#sourceOf(i),
      start: this.#startOf(i),
      length: this.#lengths[i]!,
      modRevision: this.#modRevisions[i]!,
      createRevision: this.#createRevisions[i]!,
    }));
  }

  #sourceOf(index: number): Uint8Array {
    return this.#joined ?? this.#sources[index]!;
  }

  #startOf(index: number): number {
    return (this.#joinedStarts ?? this.#starts)[index]!;
  }

  #isWasteful(): boolean {
    const distinct = new Set(this.#sources);
    if (distinct.size > SOURCES_MAX) return true;
    let held = 0;
    for (const source of distinct) held += source.length;
    return held > SOURCE_WASTE_MAX * (this.bytes + this.count);
  }
}

/** The leaf of an empty resource. */
export const EMPTY_LEAF: Leaf = new Leaf([]);
