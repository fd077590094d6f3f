// Spells figures for people: three digits and a unit, decimal prefixes.
import type { Unit } from '../results.ts';

const DIGITS = 3;
const SECONDS: readonly [number, string][] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
];
const BYTES: readonly [number, string][] = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
  [1, 'B'],
];

export function amount(value: number, unit: Unit): string {
  if (unit === 'count') return digits(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  const steps = unit === 'seconds' ? SECONDS : BYTES;
  const [factor, name] = steps.find(([least]) => size >= least) ?? steps.at(-1)!;
  return `${digits(value / factor)} ${name}${unit === 'bytes/second' ? '/s' : ''}`;
}

export function digits(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS));
  return Math.abs(rounded) >= 1000 ? Math.round(value).toLocaleString('en') : String(rounded);
}

/** `rssPeakAboveStart` as words. */
export function words(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(rss|cpu|gc)\b/g, (word) => word.toUpperCase());
}

/** `2026-05-04T10-11-12Z` as a person writes it. */
export function runTime(startedAt: string): string {
  return startedAt.replace('T', ' ').slice(0, 16);
}
