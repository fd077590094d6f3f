// A leaf of the tree: neighbouring items of one resource, their bytes joined so that a list sends them as they lie.
//
//   keys     default/a        default/b        default/c
//   joined   , { … }          , { … }          , { … }         one buffer: each item has its comma before it
//
// A write makes a new leaf that shares the old one's buffers and adds its own; they are joined anew when the leaf is
// next listed, or when too much of what they hold is dead. To whoever reads it a leaf never changes.
import type { Key } from '@sluice/storage';
import { type Columns, columnsOf, indexFrom, join, sum } from './columns.ts';
import type { Item } from './contract.ts';
import type { LeafTwins } from './leaf-twins.ts';

/** A leaf over this is split; an item larger than this has a leaf of its own. Deflates well and is two good writes. */
export const LEAF_MAX_BYTES: number = 256 * 1024;
export const LEAF_MAX_ITEMS = 1024;
/** Filled at start to this, so that a first write doesn't split it. */
export const LEAF_FILL_BYTES: number = 208 * 1024;
export const LEAF_FILL_ITEMS = 768;
/** A leaf below this joins a neighbour if both fit into LEAF_FILL. */
export const LEAF_MIN_BYTES: number = 32 * 1024;

/** More buffers than this, or more held than this share of what is alive, and a leaf of the newest root joins its own at once. */
export const LEAF_BUFFERS_MAX = 16;
export const LEAF_HELD_MAX = 1.5;

export class Leaf {
  readonly keys: readonly Key[];
  readonly count: number;
  /** Sum of the items' bytes, commas not counted. */
  readonly bytes: number;
  /** These are Twins' own. */
  twins: LeafTwins | undefined = undefined;
  retired = false;
  /** Made by LabelSets: an id for each item, good for one epoch. */
  labelIds: Int32Array | undefined = undefined;
  labelEpoch = -1;

  #columns: Columns;
  #joined = false;

  constructor(columns: Columns) {
    this.keys = columns.keys;
    this.count = columns.keys.length;
    this.bytes = sum(columns.lengths);
    this.#columns = columns;
  }

  /** To make other leaves of. */
  get columns(): Columns {
    return this.#columns;
  }

  /** Of the items' bytes, commas not counted. */
  get lengths(): readonly number[] {
    return this.#columns.lengths;
  }

  /** What its buffers hold, the dead bytes of replaced items included. */
  get heldBytes(): number {
    return this.#columns.buffers.reduce((held, buffer) => held + buffer.length, 0);
  }

  /** Holds many buffers, or many dead bytes: joining it pays. */
  get isScattered(): boolean {
    if (this.#columns.buffers.length > LEAF_BUFFERS_MAX) return true;
    return this.heldBytes > LEAF_HELD_MAX * (this.bytes + this.count);
  }

  /** The items' bytes, each with its comma before it: `,{…},{…}`. */
  join(): Uint8Array {
    if (!this.#joined) this.#columns = join(this.#columns);
    this.#joined = true;
    return this.#columns.buffers[0]!;
  }

  /** Bytes of items `from` up to but without `to`, a comma before each. */
  run(from: number, to: number): Uint8Array {
    const joined = this.join();
    if (from >= to) return joined.subarray(0, 0);
    const { starts, lengths } = this.#columns;
    return joined.subarray(starts[from]! - 1, starts[to - 1]! + lengths[to - 1]!);
  }

  /** One item's bytes; doesn't join. */
  bytesOf(index: number): Uint8Array {
    const { buffers, sources, starts, lengths } = this.#columns;
    const start = starts[index]!;
    return buffers[sources[index]!]!.subarray(start, start + lengths[index]!);
  }

  lengthOf(index: number): number {
    return this.#columns.lengths[index]!;
  }

  item(index: number): Item {
    return {
      key: this.keys[index]!,
      bytes: this.bytesOf(index),
      modRevision: BigInt(this.#columns.modRevisions[index]!),
      createRevision: BigInt(this.#columns.createRevisions[index]!),
    };
  }

  /** The first index whose key is not before `key`; `count` if there is none. */
  indexFrom(key: Key): number {
    return indexFrom(this.keys, key);
  }

  /** The index of `key`, or -1. */
  indexOf(key: Key): number {
    const index = this.indexFrom(key);
    return this.keys[index] === key ? index : -1;
  }
}

/** The leaf of an empty resource. */
export const EMPTY_LEAF: Leaf = new Leaf(columnsOf([]));
