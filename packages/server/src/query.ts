// The query string as Go's url.ParseQuery reads it, which decides what a client's odd spelling means.
import type { Query } from './api.ts';

/** Go's own limit: of a query with more parts nothing is read. */
const PARTS_MAX = 10_000;

/** A part with a `;` or a bad percent escape is dropped and the rest is read. */
export function parseQuery(raw: string): Query {
  const values = new Map<string, string[]>();
  const parts = raw.split('&', PARTS_MAX + 1);
  for (const part of parts.length > PARTS_MAX ? [] : parts) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const name = unescapeComponent(equals < 0 ? part : part.slice(0, equals));
    const value = unescapeComponent(equals < 0 ? '' : part.slice(equals + 1));
    if (name === null || value === null) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return {
    raw,
    has: (name) => values.has(name),
    first: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
  };
}

function unescapeComponent(text: string): string | null {
  return unescapePercents(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

const PERCENT = 0x25;

/**
 * Percent escapes to text; null where a `%` has no two hex digits after it. Node gives a request's target with one
 * character for each byte, so both escapes and characters are bytes of UTF-8 here.
 */
export function unescapePercents(text: string): string | null {
  if (!/[%\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== PERCENT) bytes[length++] = bytes[at]!;
    else {
      const byte = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]);
      if (byte < 0) return null;
      bytes[length++] = byte;
      at += 2;
    }
  }
  return bytes.toString('utf8', 0, length);
}

/** -1: it is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
