// Values of no type: custom resources, and what CustomResourceDefinitions hold as examples and defaults.
import { JsonNumber, type JsonValue, printFloat, readTree } from '@sluice/encoding';
import { canonicalInteger } from './scalars.ts';
import type { Session } from './session.ts';

/** Reads a tree; the last of duplicate keys wins, numbers get Go's spelling. */
export function decodeUntyped(session: Session): JsonValue {
  const value = readTree(session.reader, (path) => session.duplicate(path));
  return respell(value, (text) => session.keepMismatch(`number ${text}`, 'float64'));
}

/** Integers stay integers while they fit 64 bits; all else is a double. Works in place, without recursion. */
export function respell(value: JsonValue, tooLarge: (text: string) => void): JsonValue {
  const holder: JsonValue[] = [value];
  const open: JsonValue[] = [holder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (let place = 0; place < next.length; place++) {
        const item = next[place]!;
        if (item instanceof JsonNumber) next[place] = respelled(item, tooLarge);
        else if (typeof item === 'object' && item !== null) open.push(item);
      }
    } else if (next instanceof Map) {
      for (const [key, item] of next) {
        if (item instanceof JsonNumber) next.set(key, respelled(item, tooLarge));
        else if (typeof item === 'object' && item !== null) open.push(item);
      }
    }
  }
  return holder[0]!;
}

function respelled(number: JsonNumber, tooLarge: (text: string) => void): JsonNumber {
  const integer = canonicalInteger(number.text, 64);
  if (integer !== undefined) return integer === number.text ? number : new JsonNumber(integer);
  const value = Number(number.text);
  if (Number.isFinite(value)) return new JsonNumber(printFloat(value));
  tooLarge(number.text);
  return number;
}
