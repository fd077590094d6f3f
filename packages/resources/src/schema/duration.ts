// metav1.Duration: Go's duration strings, `1h0m0s`.
import { quoteTime } from './time.ts';

/** `1h60m` → `2h0m0s`, or Go's error. */
export function canonicalDuration(text: string): { text: string } | { error: string } {
  const invalid = { error: `time: invalid duration ${quoteTime(text)}` };
  const negative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return { text: '0s' };
  if (rest === '') return invalid;
  let nanos = 0n;
  while (rest !== '') {
    const [number = '', whole = '', fraction] = /^(\d*)(?:\.(\d*))?/.exec(rest)!;
    if (whole === '' && (fraction ?? '') === '') return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^.\d]*/.exec(rest)![0];
    if (unit === '') return { error: `time: missing unit in duration ${quoteTime(text)}` };
    const scale = UNITS[unit];
    if (scale === undefined) {
      return { error: `time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(text)}` };
    }
    if (whole.length > NANOS_DIGITS && /[1-9]/.test(whole.slice(0, -NANOS_DIGITS))) return invalid;
    rest = rest.slice(unit.length);
    const part = (fraction ?? '').slice(0, NANOS_DIGITS);
    nanos += BigInt(whole.slice(-NANOS_DIGITS) || '0') * scale;
    nanos += (BigInt(part || '0') * scale) / 10n ** BigInt(part.length);
    if (nanos > (negative ? MOST_NANOS + 1n : MOST_NANOS)) return invalid;
  }
  return { text: `${negative && nanos > 0n ? '-' : ''}${format(nanos)}` };
}

/** No more digits than an int64 has. */
const NANOS_DIGITS = 19;
const MOST_NANOS = 2n ** 63n - 1n;
const MICRO = 1000n;
const MILLI = 1_000_000n;
const SECOND = 1_000_000_000n;

const UNITS: Readonly<Record<string, bigint>> = Object.assign(Object.create(null), {
  ns: 1n,
  us: MICRO,
  '\u00b5s': MICRO,
  '\u03bcs': MICRO,
  ms: MILLI,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
});

function format(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  if (nanos < MICRO) return `${nanos}ns`;
  if (nanos < MILLI) return `${decimal(nanos, MICRO)}\u00b5s`;
  if (nanos < SECOND) return `${decimal(nanos, MILLI)}ms`;
  const hours = nanos / (3600n * SECOND);
  const minutes = (nanos / (60n * SECOND)) % 60n;
  const seconds = `${decimal(nanos % (60n * SECOND), SECOND)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = String(value % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`;
}
