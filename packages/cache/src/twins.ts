// Twins: leaves' deflated forms, made on the thread pool when first asked for, kept within one byte budget.
//
// Eviction resists scans. A list larger than the budget is walked again and again; under plain LRU each leaf would be
// gone before it is wanted next. Here a newcomer only pushes out one that has lain idle for longer than the newcomer
// itself was away. In a walk that begins anew whatever is kept was wanted later than the newcomer, however many lists
// go on between: what is kept stays, and that share of every walk is served from twins. What nobody asks for any more
// is longer idle than anything that is asked for twice.
import { type Deflated, deflate } from '@sluice/encoding';
import type { Leaf } from './leaf.ts';

/** Leaves being deflated at a time, over all lists: bounds what waits for the pool, at a leaf's size each. */
export const DEFLATING_MAX = 6;
/** How many kept twins are looked at to find one to push out. */
const SAMPLE = 8;
/** A twin not wanted while all kept ones were, on average, this often is forgotten: whoever comes may have its place. */
const FORGOTTEN_AFTER_WANTS = 32;
/** While fewer are kept, forgetting goes by this many. */
const FORGOTTEN_TWINS_MIN = 64;
/**
 * Several readers may walk a list one behind the other. Times between them are no measure of how soon the leaf is wanted
 * anew: shorter than this share of the longest. And the longest is shortened at each want, so that readers may change.
 */
const TRAILING_SHARE = 0.5;
const LONGEST_KEPT_SHARE = 0.8;
/** What a kept twin costs beside its bytes. */
export const TWIN_OVERHEAD_BYTES = 256;

/** Totals since start, for /metrics and for tests that count. */
export type TwinCounts = { hits: number; made: number; kept: number; evicted: number; bytes: number };

export type Deflate = (bytes: Uint8Array) => Promise<Deflated>;

export class Twins {
  readonly budgetBytes: number;
  readonly #deflate: Deflate;
  readonly #kept: Leaf[] = [];
  #bytes = 0;
  /** Time, as far as idling goes: wants so far. */
  #wants = 0;
  #hits = 0;
  #made = 0;
  #evicted = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #random = 0x2545f491;

  constructor(budgetBytes: number, deflateBytes: Deflate = deflate) {
    this.budgetBytes = budgetBytes;
    this.#deflate = deflateBytes;
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
    const away = this.#want(leaf);
    if (leaf.deflated) {
      this.#hits++;
      return leaf.deflated;
    }
    leaf.deflating ??= this.#making(leaf, away);
    return leaf.deflating;
  }

  /** The leaf is not part of the newest state: its twin makes room for others, and none is kept again. */
  retire(leaf: Leaf): void {
    leaf.retired = true;
    if (leaf.deflated) this.#drop(leaf);
  }

  #making(leaf: Leaf, away: number): Promise<Deflated> {
    const making = this.#make(leaf, away).finally(() => {
      leaf.deflating = undefined;
    });
    // One who asked may be gone before it is made; a failure is for those who are still there.
    making.catch(() => undefined);
    return making;
  }

  async #make(leaf: Leaf, away: number): Promise<Deflated> {
    if (this.#running < DEFLATING_MAX) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const deflated = await this.#deflate(leaf.join().subarray(1));
      this.#made++;
      this.#keep(leaf, deflated, away);
      return deflated;
    } finally {
      // Whoever waits takes over this one's place; it is never free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #keep(leaf: Leaf, deflated: Deflated, away: number): void {
    const size = sizeOf(deflated);
    if (leaf.retired || size > this.budgetBytes || !this.#makeRoom(size, away)) return;
    leaf.deflated = deflated;
    leaf.twinSlot = this.#kept.length;
    this.#kept.push(leaf);
    this.#bytes += size;
  }

  /** Pushes out leaves idle for longer than `away`, so that `size` fits; none, and false, if not enough are found. */
  #makeRoom(size: number, away: number): boolean {
    const victims = new Set<Leaf>();
    let free = this.budgetBytes - this.#bytes;
    while (free < size) {
      const victim = this.#longestIdle(victims);
      if (!victim || this.#wants - victim.wantedAt <= away) return false;
      victims.add(victim);
      free += sizeOf(victim.deflated!);
    }
    for (const victim of victims) this.#drop(victim);
    this.#evicted += victims.size;
    return true;
  }

  #longestIdle(except: ReadonlySet<Leaf>): Leaf | undefined {
    let longest: Leaf | undefined;
    for (let i = 0; i < SAMPLE && this.#kept.length > 0; i++) {
      const candidate = this.#kept[this.#nextRandom() % this.#kept.length]!;
      if (except.has(candidate)) continue;
      if (!longest || candidate.wantedAt < longest.wantedAt) longest = candidate;
    }
    return longest;
  }

  #drop(leaf: Leaf): void {
    this.#bytes -= sizeOf(leaf.deflated!);
    leaf.deflated = undefined;
    const last = this.#kept.pop()!;
    if (last !== leaf) {
      this.#kept[leaf.twinSlot] = last;
      last.twinSlot = leaf.twinSlot;
    }
    leaf.twinSlot = -1;
  }

  /** Notes a want; gives how long the leaf was away, as far as that says when it is wanted next. No less than a turn of all. */
  #want(leaf: Leaf): number {
    const forgotten = FORGOTTEN_AFTER_WANTS * Math.max(FORGOTTEN_TWINS_MIN, this.#kept.length);
    const away = ++this.#wants - leaf.wantedAt;
    leaf.wantedAt = this.#wants;
    if (away > forgotten) {
      leaf.longestAway = 0;
      return forgotten;
    }
    const isTrailing = away < leaf.longestAway * TRAILING_SHARE;
    leaf.longestAway = Math.max(away, leaf.longestAway * LONGEST_KEPT_SHARE);
    return isTrailing ? forgotten : Math.max(away, this.#kept.length);
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

function sizeOf(deflated: Deflated): number {
  return deflated.bytes + TWIN_OVERHEAD_BYTES;
}
