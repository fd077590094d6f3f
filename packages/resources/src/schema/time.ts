// metav1.Time, MicroTime and Duration: read as Go's time package reads them, written as Kubernetes writes them.

/** A time in its canonical text, null for the zero time; or Go's parse error. */
export type Canonical = { text: string | null } | { error: string };

/** `2026-01-02T04:04:05.9+01:00` → `2026-01-02T03:04:05Z` */
export function canonicalTime(text: string): Canonical {
  return canonical(text, RFC3339, () => '');
}

/** Wants six digits of a second, no more and no less, and keeps them. */
export function canonicalMicroTime(text: string): Canonical {
  return canonical(text, RFC3339_MICRO, (nanos) => `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`);
}

type Parsed = { year: number; month: number; day: number; hour: number; minute: number; second: number };
type Element = { layout: string; field?: keyof Parsed; below?: number; name?: string };

const RFC3339 = '2006-01-02T15:04:05Z07:00';
const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** What the layouts have in common, in order. Two digits each; only the hour may have one. */
const ELEMENTS: readonly Element[] = [
  { layout: '-' },
  { layout: '01', field: 'month', below: 13, name: 'month' },
  { layout: '-' },
  { layout: '02', field: 'day' },
  { layout: 'T' },
  { layout: '15', field: 'hour', below: 24, name: 'hour' },
  { layout: ':' },
  { layout: '04', field: 'minute', below: 60, name: 'minute' },
  { layout: ':' },
  { layout: '05', field: 'second', below: 60, name: 'second' },
];

const SECOND_MS = 1000;

function canonical(text: string, layout: string, fraction: (nanos: number) => string): Canonical {
  const cannot = (rest: string, element: string): Canonical => ({
    error: `parsing time ${quoteTime(text)} as ${quoteTime(layout)}: cannot parse ${quoteTime(rest)} as ${quoteTime(element)}`,
  });
  const wrong = (what: string): Canonical => ({ error: `parsing time ${quoteTime(text)}: ${what}` });

  if (!/^\d{4}/.test(text)) return cannot(text, '2006');
  const parsed: Parsed = { year: Number(text.slice(0, 4)), month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  let rest = text.slice(4);
  for (const { layout: element, field, below, name } of ELEMENTS) {
    if (field === undefined) {
      if (!rest.startsWith(element)) return cannot(rest, element);
      rest = rest.slice(1);
      continue;
    }
    const digits = (field === 'hour' ? /^\d\d?/ : /^\d\d/).exec(rest)?.[0];
    if (digits === undefined) return cannot(rest, element);
    parsed[field] = Number(digits);
    if (field === 'month' && parsed.month === 0) return wrong('month out of range');
    if (below !== undefined && parsed[field] >= below) return wrong(`${name} out of range`);
    rest = rest.slice(digits.length);
  }

  const digits = layout === RFC3339 ? /^[.,](\d+)/.exec(rest) : /^[.,](\d{6})/.exec(rest);
  if (digits === null && layout !== RFC3339) return cannot(rest, '.000000');
  rest = rest.slice(digits?.[0].length ?? 0);
  const nanos = Number((digits?.[1] ?? '').slice(0, 9).padEnd(9, '0'));

  let offsetMinutes = 0;
  if (rest.startsWith('Z')) {
    rest = rest.slice(1);
  } else {
    const zone = /^[\s\S](\d\d):(\d\d)/.exec(rest);
    if (zone === null) return cannot(rest, 'Z07:00');
    if (Number(zone[1]) > 24) return wrong('time zone offset hour out of range');
    if (Number(zone[2]) > 60) return wrong('time zone offset minute out of range');
    if (rest[0] !== '+' && rest[0] !== '-') return cannot(rest, 'Z07:00');
    offsetMinutes = (Number(zone[1]) * 60 + Number(zone[2])) * (rest[0] === '-' ? -1 : 1);
    rest = rest.slice(6);
  }
  if (rest !== '') return wrong(`extra text: ${quoteTime(rest)}`);
  if (parsed.day < 1 || parsed.day > daysIn(parsed.year, parsed.month)) return wrong('day out of range');

  const local = utc(parsed.year, parsed.month, parsed.day);
  local.setUTCHours(parsed.hour, parsed.minute, parsed.second);
  const date = new Date(local.getTime() - offsetMinutes * 60 * SECOND_MS);
  if (date.getTime() === ZERO_MS && nanos === 0) return { text: null };
  return { text: format(date, fraction(nanos)) };
}

function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

const ZERO_MS = utc(1, 1, 1).getTime();

function daysIn(year: number, month: number): number {
  return utc(year, month + 1, 0).getUTCDate();
}

function format(date: Date, fraction: string): string {
  const year = date.getUTCFullYear();
  const sign = year < 0 ? '-' : '';
  // From behind the year on, a Date prints what we want.
  const rest = date.toISOString().slice(-20, -5);
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}${rest}${fraction}Z`;
}

/** The time package quotes in its own way: byte by byte where it isn't ASCII. */
export function quoteTime(text: string): string {
  const escaped = text.replace(/[^\u0020-\u007f]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `"${escaped.replace(/["\\](?!x[0-9a-f]{2})/g, '\\$&')}"`;
}
