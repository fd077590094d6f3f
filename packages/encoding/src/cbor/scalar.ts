// Single CBOR values of a checked body: tags, numbers, strings, keys. An error is a value here: the walk goes on behind it.
import { isUtf8 } from 'node:buffer';
import { printFloat } from '../json/number.ts';
import { decodeText } from '../json/text.ts';
import { JsonNumber, type JsonValue } from '../json/value.ts';
import type { CborCursor } from './cursor.ts';
import { cannotUnmarshal, notAccepted, Refusal, TYPE_NAMES } from './error.ts';
import type { CborForm } from './form.ts';
import { timeOfNumber, timeOfText } from './time.ts';
import { DOUBLE, HALF, MAJOR, SINGLE, TAG } from './wire.ts';

export type Tags = {
  /** The innermost of the tags 21 to 23; 0: none. */
  spelling: number;
  /** A time stands behind tag 0 or 1. */
  isTime: boolean;
};

/** Reads the tags in front of an item; when they don't fit it, walks over it. */
export function readTags(cursor: CborCursor, outerSpelling: number): Tags | Refusal {
  const tags: Tags = { spelling: outerSpelling, isTime: false };
  while (cursor.peek() === MAJOR.tag) {
    cursor.head();
    const tag = cursor.argument;
    const misfit = misfitOf(tag, cursor);
    if (misfit !== undefined) {
      cursor.skip();
      return misfit;
    }
    if (tag === TAG.timeText || tag === TAG.timeNumber) tags.isTime = true;
    if (SPELLINGS.has(tag)) tags.spelling = tag;
  }
  return tags;
}

/** What is neither array nor map. */
export function readScalar(
  cursor: CborCursor,
  { spelling, isTime }: Tags,
  form: CborForm | undefined,
): JsonValue | Refusal {
  cursor.head();
  switch (cursor.major) {
    case MAJOR.unsigned:
    case MAJOR.negative: {
      const value = integerOf(cursor, isTime ? 'time.Time' : 'int64');
      if (value instanceof Refusal) return value;
      return isTime ? timeOfNumber(Number(value)) : new JsonNumber(String(value));
    }
    case MAJOR.bytes:
      return spelled(cursor.string(), form === 'bytes' && spelling !== 0 ? TAG.base64 : spelling);
    case MAJOR.text: {
      const text = textOf(cursor);
      return isTime && typeof text === 'string' ? timeOfText(text) : text;
    }
    default: {
      const value = simpleOf(cursor);
      if (typeof value !== 'number') return value;
      return isTime
        ? timeOfNumber(value)
        : new JsonNumber(form === 'json' ? printFloat(value) : spellFloat(value));
    }
  }
}

/**
 * What must be text: a key, or a member that is read as one.
 * @param previous what Go leaves in place of a null.
 */
export function readText(cursor: CborCursor, outerSpelling: number, previous: string): string | Refusal {
  const tags = readTags(cursor, outerSpelling);
  if (tags instanceof Refusal) return tags;
  const major = cursor.peek();
  const type = TYPE_NAMES[major >> 5]!;
  if (major === MAJOR.array || major === MAJOR.map) {
    cursor.skip();
    return cannotUnmarshal(type, 'string');
  }
  cursor.head();
  switch (major) {
    case MAJOR.bytes:
      return spelled(cursor.string(), tags.spelling);
    case MAJOR.text:
      return textOf(cursor);
    case MAJOR.unsigned:
      return cannotUnmarshal(type, 'string');
    case MAJOR.negative: {
      const argument = cursor.exactArgument();
      const because = argument > LARGEST ? `${-1n - argument} overflows Go's int64` : '';
      return cannotUnmarshal(type, 'string', because);
    }
    default: {
      const value = simpleOf(cursor);
      if (value instanceof Refusal) return value;
      return value === null ? previous : cannotUnmarshal(type, 'string');
    }
  }
}

const SPELLINGS: ReadonlySet<number> = new Set([TAG.base64Url, TAG.base64, TAG.base16]);
/** Of Go's int64. */
export const LARGEST: bigint = (1n << 63n) - 1n;

function misfitOf(tag: number, cursor: CborCursor): Refusal | undefined {
  const type = cursor.peek();
  const got = TYPE_NAMES[type >> 5];
  if (tag === TAG.timeText && type !== MAJOR.text) {
    return new Refusal(`cbor: tag number 0 must be followed by text string, got ${got}`);
  }
  if (tag !== TAG.timeNumber || type === MAJOR.unsigned || type === MAJOR.negative) return undefined;
  const first = cursor.bytes[cursor.at]!;
  if (first >= HALF && first <= DOUBLE) return undefined;
  return new Refusal(`cbor: tag number 1 must be followed by integer or floating-point number, got ${got}`);
}

function integerOf(cursor: CborCursor, goType: string): bigint | number | Refusal {
  const isNegative = cursor.major === MAJOR.negative;
  if (cursor.info < 27) return isNegative ? -1 - cursor.argument : cursor.argument;
  const argument = cursor.exactArgument();
  const value = isNegative ? -1n - argument : argument;
  if (argument <= LARGEST) return value;
  const type = TYPE_NAMES[cursor.major >> 5]!;
  return cannotUnmarshal(type, goType, `${value} overflows Go's int64`);
}

function simpleOf({ info, argument, bytes, at }: CborCursor): boolean | null | number | Refusal {
  if (info === 20 || info === 21) return info === 21;
  if (info === 22) return null;
  if (info < 25) return notAccepted('primitives', `simple value ${argument} is not recognized`);
  if (info === (HALF & 0x1f)) return halfToNumber(argument);
  return info === (SINGLE & 0x1f) ? bytes.readFloatBE(at - 4) : bytes.readDoubleBE(at - 8);
}

function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (fraction + 1024) * 2 ** (exponent - 25);
}

/** A float stays one: `2.0`, for an integer field to refuse. */
function spellFloat(value: number): string {
  const text = printFloat(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Each part of a text must be valid by itself. */
function textOf(cursor: CborCursor): string | Refusal {
  const bytes = cursor.string();
  const isValid = isUtf8(bytes) && !cursor.cutsCharacter;
  return isValid ? bytes.toString('utf8') : new Refusal('cbor: invalid UTF-8 string');
}

function spelled(bytes: Buffer, spelling: number): string {
  if (spelling === TAG.base64Url) return bytes.toString('base64url');
  if (spelling === TAG.base64) return bytes.toString('base64');
  if (spelling === TAG.base16) return bytes.toString('hex');
  return decodeText(bytes);
}
