// The room for twins of all kinds: one byte budget, and who must go when a newcomer finds it full.
//
// Eviction resists scans. A list larger than the budget is walked again and again; under plain LRU each leaf would be
// gone before it is wanted next. Here a newcomer only pushes out one that has lain idle for longer than the newcomer
// itself was away. In a walk that begins anew whatever is kept was wanted later than the newcomer, however many lists
// go on between: what is kept stays, and that share of every walk is served from twins. What nobody asks for any more
// is longer idle than anything that is asked for twice.
import { sizeOf, type Twin, type TwinValue } from './twin.ts';

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

export class TwinRoom {
  readonly budgetBytes: number;
  readonly #kept: Twin[] = [];
  #bytes = 0;
  /** Time, as far as idling goes: wants so far. */
  #wants = 0;
  #random = 0x2545f491;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  /** Notes a want; gives how long the twin was away, as far as that says when it is wanted next. No less than a turn of all. */
  want(twin: Twin): number {
    const forgotten = FORGOTTEN_AFTER_WANTS * Math.max(FORGOTTEN_TWINS_MIN, this.#kept.length);
    const away = ++this.#wants - twin.wantedAt;
    twin.wantedAt = this.#wants;
    if (away > forgotten) {
      twin.longestAway = 0;
      return forgotten;
    }
    const isTrailing = away < twin.longestAway * TRAILING_SHARE;
    twin.longestAway = Math.max(away, twin.longestAway * LONGEST_KEPT_SHARE);
    return isTrailing ? forgotten : Math.max(away, this.#kept.length);
  }

  /** Keeps what was made, if there is room for it or it may push others out. */
  keep<Value extends TwinValue>(twin: Twin<Value>, value: Value, away: number): void {
    const size = sizeOf(value);
    if (twin.retired || size > this.budgetBytes || !this.#makeRoom(size, away)) return;
    twin.value = value;
    twin.slot = this.#kept.push(twin as Twin) - 1;
    this.#bytes += size;
    twin.counts.kept++;
    twin.counts.bytes += size;
  }

  /** Lets go of what is kept of the twin. */
  drop(twin: Twin): void {
    if (!twin.value) return;
    const size = sizeOf(twin.value);
    this.#bytes -= size;
    twin.counts.kept--;
    twin.counts.bytes -= size;
    twin.value = undefined;
    const last = this.#kept.pop()!;
    if (last !== twin) {
      this.#kept[twin.slot] = last;
      last.slot = twin.slot;
    }
    twin.slot = -1;
  }

  /** Pushes out twins idle for longer than `away`, so that `size` fits; none, and false, if not enough are found. */
  #makeRoom(size: number, away: number): boolean {
    const victims = new Set<Twin>();
    let free = this.budgetBytes - this.#bytes;
    while (free < size) {
      const victim = this.#longestIdle(victims);
      if (!victim || this.#wants - victim.wantedAt <= away) return false;
      victims.add(victim);
      free += sizeOf(victim.value!);
    }
    for (const victim of victims) {
      this.drop(victim);
      victim.counts.evicted++;
    }
    return true;
  }

  #longestIdle(except: ReadonlySet<Twin>): Twin | undefined {
    let longest: Twin | undefined;
    for (let i = 0; i < SAMPLE && this.#kept.length > 0; i++) {
      const candidate = this.#kept[this.#nextRandom() % this.#kept.length]!;
      if (except.has(candidate)) continue;
      if (!longest || candidate.wantedAt < longest.wantedAt) longest = candidate;
    }
    return longest;
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
