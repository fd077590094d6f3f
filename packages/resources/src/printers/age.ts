// How long ago something was, in the few characters a table has for it, and what a cell holds until it is known up to when.
import { randomBytes } from 'node:crypto';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A Go duration holds no more: 292 years. */
const LONGEST_MS = 9_223_372_036_854;
const UNKNOWN = '<unknown>';

/** A cell that tells how long ago something was. */
export class Since {
  /** Milliseconds. */
  readonly time: number;
  readonly before: string;
  readonly after: string;

  constructor(time: number, before = '', after = '') {
    this.time = time;
    this.before = before;
    this.after = after;
  }
}

/** What is said of the time that passed since some other, in milliseconds. */
export type Ages = (since: number) => string;

export function agesUpTo(now: number): Ages {
  return (since) => humanDuration(now - since);
}

/**
 * Stands where an age goes. Each thread draws its own by lot, and it is never shown, so that nobody can have put it into an
 * object. JSON and YAML spell it as it is, as they do ages but for the brackets of `<invalid>` in JSON.
 */
export const AGE_MARK: string = `age-${randomBytes(12).toString('hex')}`;

/** The time since an RFC 3339 time. Absent: it isn't known. */
export function age(time: string | undefined): Since | string {
  const then = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(then) ? UNKNOWN : new Since(then);
}

/** Two units where the first says too little: `119s`, `5m30s`, `3h5m`, `47h`, `7d23h`, `729d`, `2y1d`, `8y`. */
export function humanDuration(milliseconds: number): string {
  const clamped = Math.max(-LONGEST_MS, Math.min(milliseconds, LONGEST_MS));
  const seconds = Math.trunc(clamped / SECOND_MS);
  // Clocks of two machines may differ by a second.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(clamped / MINUTE_MS);
  if (minutes < 10) return units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(clamped / HOUR_MS);
  if (hours < 8) return units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return units(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? units(years, 'y', days % 365, 'd') : `${years}y`;
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
