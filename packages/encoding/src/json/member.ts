// Finds a member of an object in JSON bytes without reading what it passes over. For bytes we wrote ourselves: they are valid.
import { skipStaged, stage } from './nested-skip.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
/** Longer texts are left to the engine's search. */
const SHORT_BYTES = 64;

/** Where a value stands: bytes[start] is its first byte, bytes[end - 1] its last. */
export type Span = { start: number; end: number };

/** The value of member `name` of the compact object that starts at `start`; `name` is ASCII and needs no escape. */
export function findMember(bytes: Uint8Array, start: number, name: string): Span | undefined {
  let found: Span | undefined;
  eachMember(bytes, start, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (!equalsAscii(bytes, keyStart, keyEnd, name)) return true;
    found = { start: valueStart, end: valueEnd };
    return false;
  });
  return found;
}

/** The value at a path of members; undefined also where something else than an object is on the way. Names as for findMember(). */
export function findPath(bytes: Uint8Array, path: readonly string[]): Span | undefined {
  let found: Span | undefined = { start: 0, end: bytes.length };
  for (const name of path) {
    if (!found || bytes[found.start] !== OPEN_BRACE) return undefined;
    found = findMember(bytes, found.start, name);
  }
  return found;
}

/**
 * Calls `visit` for each member of the compact object at `start` until it returns false.
 * The key's span is inside its quotes, still escaped.
 */
export function eachMember(
  bytes: Uint8Array,
  start: number,
  visit: (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => boolean,
): void {
  let at = start + 1;
  while (bytes[at] === QUOTE) {
    const keyEnd = closingQuote(bytes, at + 1);
    const valueStart = keyEnd + 2;
    const valueEnd = skipValue(bytes, valueStart);
    if (!visit(at + 1, keyEnd, valueStart, valueEnd)) return;
    if (bytes[valueEnd] !== COMMA) return;
    at = valueEnd + 1;
  }
}

/** Calls `visit` for each element of the compact array at `start`; nothing for what is no array. */
export function eachElement(
  bytes: Uint8Array,
  start: number,
  visit: (start: number, end: number) => void,
): void {
  if (bytes[start] !== OPEN_BRACKET) return;
  for (let at = start + 1; at < bytes.length && bytes[at] !== CLOSE_BRACKET; at++) {
    const end = skipValue(bytes, at);
    visit(at, end);
    if (bytes[end] !== COMMA) return;
    at = end;
  }
}

/** The index after the value that starts at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return closingQuote(bytes, at + 1) + 1;
  if (first === OPEN_BRACE || first === OPEN_BRACKET) {
    return bytes.buffer === stage ? skipStaged(bytes, at) : skipNested(bytes, at);
  }
  let end = at;
  while (end < bytes.length && !endsScalar(bytes[end]!)) end++;
  return end;
}

/** Texts are walked over in this loop, all but long ones: a call for each takes longer than most of them. */
function skipNested(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let depth = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte === QUOTE) {
      const text = at;
      const near = Math.min(text + SHORT_BYTES, end);
      while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      at = at < near ? at + 1 : farQuote(bytes, text) + 1;
    } else if (byte >= OPEN_BRACKET) {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at;
    }
  }
  return end;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

/** The index of the quote that ends the string whose text starts at `start`. */
function closingQuote(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + SHORT_BYTES, bytes.length);
  let at = start;
  while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at < near ? at : farQuote(bytes, start);
}

function farQuote(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return bytes.length;
}

function equalsAscii(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
