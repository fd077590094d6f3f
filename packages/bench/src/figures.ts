// Turns what rounds gave into measures: values, and their spread.
import { MEASURES, type Measure, type MeasureName } from './results.ts';

/** Enough for any verdict; more digits are noise that takes room. */
const DIGITS = 6;

/** Undefined without values. `perRound`: so many neighbours are of one round. */
export function measureOf(name: MeasureName, values: readonly number[], perRound = 1): Measure | undefined {
  if (values.length === 0) return undefined;
  const rounded = values.map((value) => Number(value.toPrecision(DIGITS)));
  const sorted = [...rounded].sort((a, b) => a - b);
  return {
    unit: MEASURES[name].unit,
    values: rounded,
    ...(perRound > 1 && { perRound }),
    min: sorted[0]!,
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1)!,
  };
}

/** Between two values by weight of their distance, as spreadsheets do. */
export function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const below = Math.floor(at);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return Number((low + (high - low) * (at - below)).toPrecision(DIGITS));
}

/** At most so many samples are kept of a memory curve: neighbours become one, their largest. */
const CURVE_SAMPLES_MAX = 240;

export function thinned(curve: { everySeconds: number; rssBytes: number[] }): typeof curve {
  const step = Math.ceil(curve.rssBytes.length / CURVE_SAMPLES_MAX);
  if (step <= 1) return curve;
  const rssBytes: number[] = [];
  for (let at = 0; at < curve.rssBytes.length; at += step) {
    rssBytes.push(Math.max(...curve.rssBytes.slice(at, at + step)));
  }
  return { everySeconds: curve.everySeconds * step, rssBytes };
}
