// Label sets, interned: every item of a leaf has the id of its labels, so that a selector is asked once per set, not per item.
import { eachMember, findPath, type Span } from '@sluice/encoding';
import type { Leaf } from './leaf.ts';

/** Distinct sets kept; past it all are forgotten, and leaves find theirs anew. */
export const LABEL_SETS_MAX = 100_000;
/** Bytes of distinct sets as they stand in objects; keeping them, split up, costs about three times that. */
export const LABEL_SETS_BYTES: number = 32 * 1024 * 1024;

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Id 0 is the empty set. */
export class LabelSets {
  #ids = new Map<string, number>([['{}', 0]]);
  #sets: ReadonlyMap<string, string>[] = [new Map()];
  #bytes = 0;
  #epoch = 0;

  get count(): number {
    return this.#sets.length;
  }

  /** Ids are good while this doesn't change: until the next leaf is asked for. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The set's id for each item of the leaf; found once per leaf by a walk over its items' metadata. */
  idsOf(leaf: Leaf): Int32Array {
    if (leaf.labelIds && leaf.labelEpoch === this.#epoch) return leaf.labelIds;
    const isFull = this.#sets.length + leaf.count > LABEL_SETS_MAX || this.#bytes > LABEL_SETS_BYTES;
    if (isFull) this.#forget();
    const ids = new Int32Array(leaf.count);
    for (let i = 0; i < leaf.count; i++) ids[i] = this.#idOf(leaf.bytesOf(i));
    leaf.labelIds = ids;
    leaf.labelEpoch = this.#epoch;
    return ids;
  }

  labels(id: number): ReadonlyMap<string, string> {
    return this.#sets[id]!;
  }

  #idOf(item: Uint8Array): number {
    const span = findPath(item, LABELS);
    if (!span) return 0;
    // Stored bytes have their keys sorted: equal sets are equal bytes.
    const text = latin1(item.subarray(span.start, span.end));
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#sets.length;
    this.#ids.set(text, id);
    this.#sets.push(readLabels(item, span));
    this.#bytes += text.length;
    return id;
  }

  #forget(): void {
    this.#ids = new Map([['{}', 0]]);
    this.#sets = [new Map()];
    this.#bytes = 0;
    this.#epoch++;
  }
}

/** The labels of one item's bytes. */
export function labelsOf(item: Uint8Array): ReadonlyMap<string, string> {
  const span = findPath(item, LABELS);
  return span ? readLabels(item, span) : new Map();
}

const LABELS: readonly string[] = ['metadata', 'labels'];

/** Valid label keys and values are ASCII without escapes; what else an old store may hold can match nothing. */
function readLabels(item: Uint8Array, span: Span): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  eachMember(item, span.start, (keyStart, keyEnd, valueStart, valueEnd) => {
    labels.set(latin1(item.subarray(keyStart, keyEnd)), latin1(item.subarray(valueStart + 1, valueEnd - 1)));
    return true;
  });
  return labels;
}
