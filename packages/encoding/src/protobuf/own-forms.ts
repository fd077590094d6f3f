// Kubernetes' messages with a JSON form of their own: times, quantities, either-ors, and JSON kept as it is.
import { skipValue } from '../json/member.ts';
import type { OwnName } from './schema.ts';
import { writeText } from './text.ts';
import type { Transcoding } from './transcoding.ts';
import { ProtobufError } from './wire.ts';

export type OwnForm = {
  /** Writes the message's body for the JSON value at the cursor, which isn't null. */
  write: (run: Transcoding) => void;
  /** The body of the zero value. */
  zero: Uint8Array;
};

const QUOTE = 0x22;
/** Tags of the messages below: field number times eight, and the wire type. */
const VARINT_1 = 0x08;
const VARINT_2 = 0x10;
const TEXT_1 = 0x0a;
const TEXT_3 = 0x1a;
const NOTHING = new Uint8Array();

const TEXT_OR_NUMBER_BYTES = 24;

export const OWN_FORMS: Readonly<Record<OwnName, OwnForm>> = {
  Time: { write: writeTime, zero: NOTHING },
  MicroTime: { write: writeTime, zero: NOTHING },
  Duration: { write: writeDuration, zero: Uint8Array.of(VARINT_1, 0) },
  Quantity: { write: writeQuantity, zero: Uint8Array.of(TEXT_1, 1, 0x30) },
  IntOrString: { write: writeIntOrString, zero: Uint8Array.of(VARINT_1, 0, VARINT_2, 0, TEXT_3, 0) },
  RawExtension: { write: writeRaw, zero: NOTHING },
  FieldsV1: { write: writeRaw, zero: NOTHING },
  JSON: { write: writeRaw, zero: NOTHING },
};

/** A JSON integer as varint. */
export function writeInteger(run: Transcoding): void {
  const { json } = run;
  const start = run.at;
  let at = start;
  const negative = json[at] === 0x2d;
  if (negative) at++;
  let value = 0;
  for (let digit = json[at]! - 0x30; digit >= 0 && digit <= 9; digit = json[++at]! - 0x30) {
    value = value * 10 + digit;
  }
  run.at = at;
  if (value <= Number.MAX_SAFE_INTEGER) run.integer(negative ? -value : value);
  else writeBigInteger(run, BigInt(ascii(json, start, at)));
}

function writeBigInteger(run: Transcoding, value: bigint): void {
  const bits = BigInt.asUintN(64, value);
  run.varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
}

/** `2024-01-01T00:00:00Z`, with a fraction for MicroTime: {1: seconds, 2: nanoseconds}. The year may have more digits, and a minus. */
function writeTime(run: Transcoding): void {
  const { json } = run;
  let at = run.at + 1;
  let year = 0;
  const isNegative = json[at] === 0x2d;
  if (isNegative) at++;
  for (; json[at] !== 0x2d; at++) year = year * 10 + digit(json, at);
  const days = daysSinceEpoch(isNegative ? -year : year, two(json, at + 1), two(json, at + 4));
  const secondOfDay = two(json, at + 7) * 3600 + two(json, at + 10) * 60 + two(json, at + 13);
  at += 15;
  let nanos = 0;
  if (json[at] === 0x2e) {
    let scale = 100_000_000;
    for (at++; json[at] !== 0x5a; at++, scale /= 10) nanos += digit(json, at) * scale;
  }
  if (json[at] !== 0x5a || json[at + 1] !== QUOTE) throw new ProtobufError('a time in another form');
  run.at = at + 2;
  run.reserve(TEXT_OR_NUMBER_BYTES);
  run.buffer[run.length++] = VARINT_1;
  if (year < EXACT_YEARS) run.integer(days * DAY_SECONDS + secondOfDay);
  else writeBigInteger(run, BigInt(days) * BigInt(DAY_SECONDS) + BigInt(secondOfDay));
  run.buffer[run.length++] = VARINT_2;
  run.varint(nanos);
}

const DAY_SECONDS = 86_400;
/** Of years behind this one seconds are too many for a double. */
const EXACT_YEARS = 250_000_000;

/** Days from 1970-01-01 in the Gregorian calendar; years begin in March so that a leap day is the last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leaps = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leaps + dayOfYear - 719_468;
}

function two(json: Uint8Array, at: number): number {
  return digit(json, at) * 10 + digit(json, at + 1);
}

function digit(json: Uint8Array, at: number): number {
  const value = json[at]! - 0x30;
  if (value >= 0 && value <= 9) return value;
  throw new ProtobufError('a time in another form');
}

/** `1h2m3.5s` in Go's canonical spelling: {1: nanoseconds}. */
function writeDuration(run: Transcoding): void {
  const end = run.json.indexOf(QUOTE, run.at + 1);
  const text = Buffer.from(run.json.subarray(run.at + 1, end)).toString('utf8');
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d+)(?:\.(\d+))?([^\d.]+)/g)) {
    const scale = UNIT_NANOS[unit];
    if (scale === undefined) throw new ProtobufError('a duration in another form');
    nanos += BigInt(whole) * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  run.at = end + 1;
  run.reserve(TEXT_OR_NUMBER_BYTES);
  run.buffer[run.length++] = VARINT_1;
  writeBigInteger(run, text.startsWith('-') ? -nanos : nanos);
}

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  '\u00b5s': 1000n,
  ns: 1n,
};

/** {1: text} */
function writeQuantity(run: Transcoding): void {
  run.reserve(TEXT_OR_NUMBER_BYTES);
  run.buffer[run.length++] = TEXT_1;
  writeText(run);
}

/** {1: 0 or 1, 2: number, 3: text} */
function writeIntOrString(run: Transcoding): void {
  run.reserve(TEXT_OR_NUMBER_BYTES);
  const isText = run.json[run.at] === QUOTE;
  run.buffer[run.length++] = VARINT_1;
  run.buffer[run.length++] = isText ? 1 : 0;
  run.buffer[run.length++] = VARINT_2;
  if (isText) run.buffer[run.length++] = 0;
  else writeInteger(run);
  run.reserve(TEXT_OR_NUMBER_BYTES);
  run.buffer[run.length++] = TEXT_3;
  if (isText) writeText(run);
  else run.buffer[run.length++] = 0;
}

/** {1: the JSON text} */
function writeRaw(run: Transcoding): void {
  const end = skipValue(run.json, run.at);
  run.reserve(TEXT_OR_NUMBER_BYTES);
  run.buffer[run.length++] = TEXT_1;
  run.varint(end - run.at);
  run.copy(run.json, run.at, end);
  run.at = end;
}

export function ascii(json: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...json.subarray(start, end));
}
