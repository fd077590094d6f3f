// Tells whether two sets of measured values differ, by a rule that is the same for pages, comparisons and tables.
//
// The rule: from the ratios of every value of one side to every value of the other comes an interval that holds the true
// ratio in 95 of 100 cases, whatever the values' distribution (Hodges and Lehmann's estimate with Moses' interval, exact
// for few values). They differ when that interval leaves out 1 and the typical ratio is at least 2% away from it. It
// takes four values on each side; of a hundred figures that didn't change about five are said to differ.
import type { Measure } from './results.ts';

export type Verdict = {
  verdict: 'differs' | "can't tell";
  /** The typical ratio, after by before: the median of all ratios. Null where a value is zero or negative. */
  ratio: number | null;
  /** The interval of the ratio. Null as well where there are too few values for one. */
  low: number | null;
  high: number | null;
};

/** In so many cases of a hundred the interval misses the truth, on either side. */
const MISSED_PERCENT_EACH_SIDE = 2.5;
/** A difference that is certain and this small is of no use. */
export const LEAST_DIFFERENCE = 0.02;
/** Above it the counts of ranks are as good as normally distributed. */
const EXACT_VALUES_MAX = 50;
const NORMAL_QUANTILE = 1.959964;

/** Values that were taken at the same time count as one: their median. */
export function compareMeasures(before: Measure, after: Measure): Verdict {
  return compareValues(independentValues(before), independentValues(after));
}

/** The values to compare by: one for each round, since readers of one round share its luck. */
export function independentValues({ values, perRound = 1 }: Measure): number[] {
  if (perRound <= 1) return values;
  const rounds = Math.ceil(values.length / perRound);
  return Array.from({ length: rounds }, (_, round) =>
    medianOf(values.slice(round * perRound, (round + 1) * perRound)),
  );
}

export function compareValues(before: readonly number[], after: readonly number[]): Verdict {
  const isPositive = [...before, ...after].every((value) => value > 0);
  const between = isPositive ? (a: number, b: number) => b / a : (a: number, b: number) => b - a;
  const pairs = before.flatMap((a) => after.map((b) => between(a, b))).sort((a, b) => a - b);
  const missed = missedPairs(before.length, after.length);
  const same = isPositive ? 1 : 0;
  const [low, high] =
    missed > 0 ? [pairs[missed - 1]!, pairs[pairs.length - missed]!] : [-Infinity, Infinity];
  const ratio = isPositive && pairs.length > 0 ? medianOf(pairs) : null;
  const isLarge = ratio === null || Math.abs(ratio - 1) >= LEAST_DIFFERENCE;
  const isApart = low > same || high < same;
  const isTold = ratio !== null && missed > 0;
  return {
    verdict: isApart && isLarge ? 'differs' : "can't tell",
    ratio,
    low: isTold ? low : null,
    high: isTold ? high : null,
  };
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Where the interval begins among the sorted pairs, counted from 1 and likewise from their end; 0: there is none.
 * If nothing differs, the number of pairs below the truth is distributed as the Mann-Whitney statistic U.
 */
function missedPairs(before: number, after: number): number {
  const pairs = before * after;
  if (Math.max(before, after) > EXACT_VALUES_MAX) {
    const spread = Math.sqrt((pairs * (before + after + 1)) / 12);
    return Math.max(0, Math.floor(pairs / 2 - NORMAL_QUANTILE * spread));
  }
  const counts = rankCounts(before, after);
  const limit = (counts.reduce((sum, count) => sum + count, 0) * MISSED_PERCENT_EACH_SIDE) / 100;
  let below = 0;
  let missed = 0;
  while (missed < counts.length && below + counts[missed]! <= limit) below += counts[missed++]!;
  return missed;
}

/** In how many of all orders of the values U is 0, 1, 2, …: the coefficients of the Gaussian binomial. */
function rankCounts(before: number, after: number): Float64Array {
  const counts = new Float64Array(before * after + 1);
  if (before === 0 || after === 0) return counts;
  counts[0] = 1;
  for (let i = 1; i <= before; i++) {
    for (let u = counts.length - 1; u >= after + i; u--) counts[u]! -= counts[u - after - i]!;
    for (let u = i; u < counts.length; u++) counts[u]! += counts[u - i]!;
  }
  return counts;
}
