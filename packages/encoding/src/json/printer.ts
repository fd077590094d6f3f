// A tree to compact JSON text as Go's encoder prints it, without recursion.
import { quote } from './quote.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './value.ts';

/** Keys in the order of the Map. */
export function printJson(value: JsonValue): Uint8Array {
  return Buffer.from(printText(value), 'utf8');
}

export function printText(
  value: JsonValue,
  keysOf: (object: JsonObject) => readonly string[] = inMapOrder,
): string {
  if (!(value instanceof Map) && !Array.isArray(value)) return scalarText(value);
  const outer: Level[] = [];
  let level = openLevel(value, keysOf);
  let text = level.array === undefined ? '{' : '[';
  for (;;) {
    const { array, object, keys } = level;
    const place = level.next++;
    if (place === (array ?? keys).length) {
      text += array === undefined ? '}' : ']';
      const parent = outer.pop();
      if (parent === undefined) return text;
      level = parent;
      continue;
    }
    if (place > 0) text += ',';
    let child: JsonValue;
    if (array !== undefined) {
      child = array[place]!;
    } else {
      const key = keys[place]!;
      text += `${quote(key)}:`;
      child = object!.get(key)!;
    }
    if (child instanceof Map || Array.isArray(child)) {
      outer.push(level);
      level = openLevel(child, keysOf);
      text += level.array === undefined ? '{' : '[';
    } else {
      text += scalarText(child);
    }
  }
}

/** Keys sorted by the bytes of their UTF-8, as Go sorts the keys of a map. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = [...object.keys()];
  let sorted = true;
  for (let i = 1; i < keys.length && sorted; i++) sorted = keys[i - 1]! < keys[i]!;
  if (!sorted) keys.sort();
  // UTF-16 puts surrogates before U+E000 to U+FFFF, UTF-8 behind.
  return keys.length > 1 && keys.some(hasHighUnits) ? keys.sort(compareUtf8) : keys;
}

/** Compares text as its UTF-8 bytes compare, those that aren't UTF-8 included. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a === b) continue;
    if (isBadByte(left, at) || isBadByte(right, at)) return Buffer.compare(bytesOf(left), bytesOf(right));
    const surrogates = (isSurrogate(a) ? 1 : 0) - (isSurrogate(b) ? 1 : 0);
    return surrogates !== 0 && a > 0xd7ff && b > 0xd7ff ? surrogates : a - b;
  }
  return left.length - right.length;
}

/** An array or object that isn't finished, and how far it is. */
type Level = {
  array: readonly JsonValue[] | undefined;
  object: JsonObject | undefined;
  keys: readonly string[];
  next: number;
};

const NO_KEYS: readonly string[] = [];

function openLevel(
  value: JsonValue[] | JsonObject,
  keysOf: (object: JsonObject) => readonly string[],
): Level {
  if (Array.isArray(value)) return { array: value, object: undefined, keys: NO_KEYS, next: 0 };
  return { array: undefined, object: value, keys: keysOf(value), next: 0 };
}

function inMapOrder(object: JsonObject): readonly string[] {
  return [...object.keys()];
}

function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  return value instanceof JsonNumber ? value.text : String(value);
}

function hasHighUnits(key: string): boolean {
  return HIGH_UNITS.test(key);
}

const HIGH_UNITS = /[\ud800-\udfff]/;

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** What keepBadBytes() makes of one: the second half of a pair without its first. */
function isBadByte(text: string, at: number): boolean {
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  return text.charCodeAt(at) >> 10 === LOW_SURROGATES && before >> 10 !== HIGH_SURROGATES;
}

const HIGH_SURROGATES = 0xd800 >> 10;
const LOW_SURROGATES = 0xdc00 >> 10;

/** UTF-8, and the bytes that aren't. */
function bytesOf(text: string): Uint8Array {
  const parts = Array.from(text, (character) => {
    return isBadByte(character, 0) ? Uint8Array.of(character.charCodeAt(0)) : Buffer.from(character);
  });
  return Buffer.concat(parts);
}
