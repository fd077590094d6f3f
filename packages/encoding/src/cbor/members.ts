// A few text members of the map a body is, found before anything else of it is read: what kind of object it will be.
import { JsonNumber } from '../json/value.ts';
import { checkCbor } from './check.ts';
import { CborCursor } from './cursor.ts';
import { CborError, cannotUnmarshal, goText, Refusal, repeatedKey, TYPE_NAMES } from './error.ts';
import { LARGEST, readScalar, readTags, readText } from './scalar.ts';
import { MAJOR, NULL } from './wire.ts';

/**
 * Checks the body, then reads its members of these names. All its keys are looked at, none of the other values.
 * @param struct what Go's errors call the place they are read into.
 * @throws CborError
 */
export function readCborMembers(
  bytes: Uint8Array,
  names: readonly string[],
  struct: string,
): ReadonlyMap<string, string> {
  checkCbor(bytes);
  const found = new Map<string, string>();
  const cursor = new CborCursor(bytes);
  const tags = readTags(cursor, 0);
  if (tags instanceof Refusal) throw new CborError(tags.message);
  if (bytes[cursor.at] === NULL) return found;
  if (cursor.peek() !== MAJOR.map) throw new CborError(notMap(cursor, struct).message);
  cursor.head();
  const seen = new Set<string>();
  let error: Refusal | undefined;
  const pairs = cursor.argument;
  for (let place = 0; pairs < 0 ? !cursor.foundBreak() : place < pairs; place++) {
    const { name, shown, refused } = readName(cursor);
    error ??= refused;
    if (shown !== undefined && seen.has(shown)) {
      throw new CborError(repeatedKey(shown.replace(/\.0$/, ''), place).message);
    }
    if (shown !== undefined) seen.add(shown);
    if (name === undefined || !names.includes(name)) {
      cursor.skip();
      continue;
    }
    const value = readText(cursor, tags.spelling, found.get(name) ?? '');
    if (typeof value === 'string') found.set(name, value);
    else error ??= inPlace(value, `struct field ${struct}.${name}`);
  }
  if (error !== undefined) throw new CborError(error.message);
  return found;
}

type Name = {
  /** undefined: no text, so the name of no member. */
  name?: string;
  /** As Go shows it; undefined: it may come twice. */
  shown?: string;
  refused?: Refusal;
};

function readName(cursor: CborCursor): Name {
  const major = cursor.peek();
  if (major === MAJOR.bytes || major === MAJOR.text) {
    const name = readText(cursor, 0, '');
    return typeof name === 'string' ? { name, shown: goText(name) } : { refused: name };
  }
  const type = TYPE_NAMES[major >> 5]!;
  if (major === MAJOR.unsigned || major === MAJOR.negative) {
    cursor.head();
    const argument = cursor.exactArgument();
    if (argument <= LARGEST) return { shown: String(major === MAJOR.negative ? -1n - argument : argument) };
    const because = `${major === MAJOR.negative ? '-1-' : ''}${argument} overflows Go's int64`;
    return { refused: cannotUnmarshal(type, 'int64', because) };
  }
  const because = `map key is of type ${type} and cannot be used to match struct field name`;
  const refused = cannotUnmarshal(type, 'string', because);
  const shown = readOddName(cursor);
  return shown === undefined ? { refused } : { refused, shown };
}

/** undefined: Go can't compare it. */
function readOddName(cursor: CborCursor): string | undefined {
  const tags = readTags(cursor, 0);
  if (tags instanceof Refusal) return undefined;
  if (cursor.peek() === MAJOR.array || cursor.peek() === MAJOR.map) {
    cursor.skip();
    return undefined;
  }
  const value = readScalar(cursor, tags, undefined);
  if (value instanceof Refusal) return undefined;
  if (value === null) return '<nil>';
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? goText(value) : String(value);
}

function notMap(cursor: CborCursor, struct: string): Refusal {
  const type = TYPE_NAMES[cursor.peek() >> 5]!;
  if (type === 'array') {
    return cannotUnmarshal(type, struct, 'cannot decode CBOR array to struct without toarray option');
  }
  const value = readText(cursor, 0, '');
  return typeof value === 'string'
    ? cannotUnmarshal(type, struct)
    : inPlace(value, `value of type ${struct}`);
}

/** Says what was read into, where it wasn't just text. */
function inPlace(error: Refusal, place: string): Refusal {
  const into = place.startsWith('value') ? `into Go ${place}` : `into Go ${place} of type string`;
  return new Refusal(error.message.replace('into Go value of type string', into));
}
