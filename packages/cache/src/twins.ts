// Twins: leaves' deflated forms, made on the thread pool when first asked for, kept within one byte budget.
//
// Eviction resists scans. A list larger than the budget is walked again and again; under plain LRU each leaf would be
// gone before it is wanted next. Here a newcomer must have been wanted clearly more often than the one it would push
// out, so what is kept stays, and that share of every walk is served from twins.
import { type Deflated, deflate } from '@sluice/encoding';
import type { Leaf } from './leaf.ts';

/** Leaves being deflated at a time, over all lists: bounds what waits for the pool, at a leaf's size each. */
const DEFLATING_MAX = 6;
/** How many kept twins are looked at to find one to push out. */
const SAMPLE = 8;
/** Counts of wants are halved when each kept twin was, on average, wanted this often: old fame fades. */
const FADE_AFTER_WANTS = 4;
/**
 * A newcomer must have been wanted this much more. In a walk that begins anew those behind are one want short of
 * those ahead; without the margin each would push out the one that comes next.
 */
const WANTED_MARGIN = 1;
/** What a kept twin costs beside its bytes. */
const TWIN_OVERHEAD_BYTES = 256;

/** Totals since start, for /metrics and for tests that count. */
export type TwinCounts = { hits: number; made: number; kept: number; evicted: number; bytes: number };

export class Twins {
  readonly budgetBytes: number;
  readonly #kept: Leaf[] = [];
  #bytes = 0;
  #age = 0;
  #wants = 0;
  #hits = 0;
  #made = 0;
  #evicted = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #random = 0x2545f491;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  get counts(): TwinCounts {
    return {
      hits: this.#hits,
      made: this.#made,
      kept: this.#kept.length,
      evicted: this.#evicted,
      bytes: this.#bytes,
    };
  }

  /** The deflated form of `leaf.join()` without its first comma. Those who ask while it is made share one making. */
  deflated(leaf: Leaf): Deflated | Promise<Deflated> {
    this.#want(leaf);
    if (leaf.deflated) {
      this.#hits++;
      return leaf.deflated;
    }
    leaf.deflating ??= this.#make(leaf).finally(() => {
      leaf.deflating = undefined;
    });
    return leaf.deflating;
  }

  /** The leaf is no longer part of the newest state: its twin makes room for others. */
  retire(leaf: Leaf): void {
    leaf.retired = true;
    if (leaf.twinSlot >= 0) this.#drop(leaf);
  }

  async #make(leaf: Leaf): Promise<Deflated> {
    if (this.#running >= DEFLATING_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      const deflated = await deflate(leaf.join().subarray(1));
      this.#made++;
      this.#keep(leaf, deflated);
      return deflated;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #keep(leaf: Leaf, deflated: Deflated): void {
    const size = deflated.bytes + TWIN_OVERHEAD_BYTES;
    if (leaf.retired || size > this.budgetBytes || !this.#makeRoom(leaf, size)) return;
    leaf.deflated = deflated;
    leaf.twinSlot = this.#kept.length;
    this.#kept.push(leaf);
    this.#bytes += size;
  }

  /** Pushes out leaves that are wanted less than `leaf`, until `size` fits; false if those looked at are wanted as much. */
  #makeRoom(leaf: Leaf, size: number): boolean {
    const wanted = this.#wantedNow(leaf);
    while (this.#bytes + size > this.budgetBytes) {
      const victim = this.#leastWanted();
      if (!victim || this.#wantedNow(victim) + WANTED_MARGIN >= wanted) return false;
      this.#drop(victim);
      this.#evicted++;
    }
    return true;
  }

  #leastWanted(): Leaf | undefined {
    let least: Leaf | undefined;
    for (let i = 0; i < SAMPLE && this.#kept.length > 0; i++) {
      const candidate = this.#kept[this.#nextRandom() % this.#kept.length]!;
      if (!least || this.#wantedNow(candidate) < this.#wantedNow(least)) least = candidate;
    }
    return least;
  }

  #drop(leaf: Leaf): void {
    this.#bytes -= leaf.deflated!.bytes + TWIN_OVERHEAD_BYTES;
    leaf.deflated = undefined;
    const last = this.#kept.pop()!;
    if (last !== leaf) {
      this.#kept[leaf.twinSlot] = last;
      last.twinSlot = leaf.twinSlot;
    }
    leaf.twinSlot = -1;
  }

  #want(leaf: Leaf): void {
    leaf.wanted = this.#wantedNow(leaf) + 1;
    leaf.wantedAge = this.#age;
    if (++this.#wants >= FADE_AFTER_WANTS * Math.max(64, this.#kept.length)) {
      this.#wants = 0;
      this.#age++;
    }
  }

  /** Wants count half for each age since. */
  #wantedNow(leaf: Leaf): number {
    return leaf.wanted / 2 ** (this.#age - leaf.wantedAge);
  }

  #nextRandom(): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x;
    return x >>> 0;
  }
}
