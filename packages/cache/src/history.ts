// The newest changes of all resources, in revision order, within a byte limit: what a watch from an older resourceVersion is told.
import type { Key, Revision } from '@sluice/storage';
import type { Change } from './contract.ts';

/** Bytes of objects that the history may hold, before and after each change. */
export const HISTORY_BYTES: number = 64 * 1024 * 1024;
export const HISTORY_CHANGES = 100_000;
const CHANGE_OVERHEAD_BYTES = 512;

export class History {
  /** Undefined where it is forgotten: before #first. Those places are cut off when they are half of the array. */
  #changes: (Change | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #floor: Revision;
  readonly #limitBytes: number;

  constructor(floor: Revision, limitBytes: number = HISTORY_BYTES) {
    this.#floor = floor;
    this.#limitBytes = limitBytes;
  }

  /** Changes up to and with this revision are forgotten. */
  get floor(): Revision {
    return this.#floor;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#changes.length - this.#first;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#bytes += sizeOf(change);
    while (this.#bytes > this.#limitBytes || this.count > HISTORY_CHANGES) this.#forget();
  }

  /**
   * Changes after `revision` of keys that begin with `prefix`, oldest first, `limit` at the most; undefined if some are
   * forgotten.
   */
  after(revision: Revision, prefix: Key, limit: number = Number.POSITIVE_INFINITY): Change[] | undefined {
    if (revision < this.#floor) return undefined;
    const found: Change[] = [];
    for (let i = this.#indexAfter(revision); i < this.#changes.length && found.length < limit; i++) {
      const change = this.#changes[i]!;
      if (change.key.startsWith(prefix)) found.push(change);
    }
    return found;
  }

  #forget(): void {
    const change = this.#changes[this.#first]!;
    this.#changes[this.#first++] = undefined;
    this.#bytes -= sizeOf(change);
    this.#floor = change.revision;
    if (this.#first > this.#changes.length / 2) {
      this.#changes = this.#changes.slice(this.#first);
      this.#first = 0;
    }
  }

  #indexAfter(revision: Revision): number {
    let low = this.#first;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sizeOf(change: Change): number {
  return CHANGE_OVERHEAD_BYTES + (change.item?.bytes.length ?? 0) + (change.previous?.bytes.length ?? 0);
}
