// CBOR's times (tags 0 and 1) as the RFC 3339 text that Kubernetes makes of them.
import { Refusal } from './error.ts';

/** Tag 0: what is RFC 3339 already, with no zeros at the end of its fraction and no more digits than nanoseconds. */
export function timeOfText(text: string): string | Refusal {
  const [, date, time, fraction = '', zone] = RFC3339.exec(text) ?? [];
  if (date === undefined) return notTime(text, ` as "${LAYOUT}": cannot parse "${text}" as "2006"`);
  const wrong = outOfRange(date, time!);
  if (wrong !== undefined) return notTime(text, `: ${wrong} out of range`);
  if (zone !== 'Z' && minutesOf(zone!.slice(1)) >= DAY_MINUTES)
    return notPrintable('timezone hour outside of range [0,23]');
  const shownZone = zone === '+00:00' || zone === '-00:00' ? 'Z' : zone;
  return `${date}T${time}${trimmed(fraction.slice(1, 1 + NANO_DIGITS))}${shownZone}`;
}

/** Tag 1: seconds since 1970. */
export function timeOfNumber(seconds: number): string | Refusal {
  const whole = Math.trunc(seconds);
  if (Math.abs(whole) > INT64) {
    return new Refusal(
      `cbor: cannot unmarshal primitives into Go value of type time.Time (${seconds} overflows Go's int64)`,
    );
  }
  const nanos = Math.trunc((seconds - whole) * 1e9);
  const second = nanos < 0 ? whole - 1 : whole;
  const date = new Date(second * 1000);
  const year = date.getUTCFullYear();
  // Also when there is no such date.
  if (!(year >= 0 && year <= 9999)) return notPrintable('year outside of range [0,9999]');
  const digits = String(nanos < 0 ? nanos + 1e9 : nanos).padStart(NANO_DIGITS, '0');
  return `${date.toISOString().slice(0, 19)}${trimmed(digits)}Z`;
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;
const DAY_MINUTES = 24 * 60;
const NANO_DIGITS = 9;
const INT64 = 2 ** 63;
const LAYOUT = '2006-01-02T15:04:05Z07:00';

function notTime(text: string, why: string): Refusal {
  return new Refusal(`cbor: cannot set ${text} for time.Time: parsing time "${text}"${why}`);
}

function notPrintable(why: string): Refusal {
  const what = 'decoded time cannot be represented in RFC3339 format with sub-second precision';
  return new Refusal(`cbor: ${what}: Time.MarshalText: ${why}`);
}

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours! * 60 + minutes!;
}

function outOfRange(date: string, time: string): string | undefined {
  const [year, month, day] = date.split('-').map(Number);
  const [hour, minute, second] = time.split(':').map(Number);
  if (month! < 1 || month! > 12) return 'month';
  if (hour! > 23) return 'hour';
  if (minute! > 59) return 'minute';
  if (second! > 59) return 'second';
  const lastOfMonth = new Date(0);
  lastOfMonth.setUTCFullYear(year!, month!, 0);
  return day! < 1 || day! > lastOfMonth.getUTCDate() ? 'day' : undefined;
}

function trimmed(fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? '' : `.${digits}`;
}
