// The query string as Go's url.ParseQuery reads it, which decides what a client's odd spelling means.
import type { Query } from './api.ts';

/** A part with a `;` or a bad percent escape is dropped and the rest is read. */
export function parseQuery(raw: string): Query {
  const values = new Map<string, string[]>();
  for (const part of raw.split('&')) {
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

const ESCAPE = /%([0-9A-Fa-f]{2})/g;

/**
 * Percent escapes to text; null where a `%` has no two hex digits after it. Node gives a request's target with one
 * character for each byte, so both escapes and characters are bytes of UTF-8 here.
 */
export function unescapePercents(text: string): string | null {
  if (!/[%\x80-\xff]/.test(text)) return text;
  const bytes = text.replace(ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  const escapes = text.split('%').length - 1;
  if (escapes !== (text.match(ESCAPE)?.length ?? 0)) return null;
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
