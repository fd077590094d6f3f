// Checks that bytes are JSON, with the messages of Go's encoding/json, before anything is built from them.
//
// One pass, no recursion: the open brackets lie in a byte per level. Whoever reads the text afterwards
// (reader.ts) may take its syntax for granted.

/** Go's scanner gives up one level deeper; so a body can't make anybody's stack overflow. */
export const DEPTH_LIMIT = 10_000;

/** Bytes that aren't JSON; `message` is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** @throws JsonSyntaxError */
export function checkSyntax(bytes: Uint8Array): void {
  const end = bytes.length;
  const open = openBrackets;
  let depth = 0;
  let at = 0;
  let expects: Expects = 'value';
  for (;;) {
    while (at < end && isSpace(bytes[at]!)) at++;
    if (at >= end) {
      if (expects === 'more' && depth === 0) return;
      throw unexpectedEnd();
    }
    const byte = bytes[at]!;
    if (expects === 'more') {
      if (depth === 0) throw invalid(byte, 'after top-level value');
      const closing = open[depth - 1]!;
      at++;
      if (byte === closing) depth--;
      else if (byte === COMMA) expects = closing === CLOSE_BRACE ? 'key' : 'value';
      else
        throw invalid(byte, closing === CLOSE_BRACE ? 'after object key:value pair' : 'after array element');
    } else if (expects === 'key' || expects === 'first-key') {
      if (byte === CLOSE_BRACE && expects === 'first-key') {
        at++;
        depth--;
        expects = 'more';
        continue;
      }
      if (byte !== QUOTE) throw invalid(byte, 'looking for beginning of object key string');
      at = endOfString(bytes, at);
      while (at < end && isSpace(bytes[at]!)) at++;
      if (at >= end) throw unexpectedEnd();
      if (bytes[at] !== COLON) throw invalid(bytes[at]!, 'after object key');
      at++;
      expects = 'value';
    } else if (byte === QUOTE) {
      at = endOfString(bytes, at);
      expects = 'more';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === DEPTH_LIMIT) throw invalid(byte, 'exceeded max depth');
      // A bracket and a brace close two after they open: [ ] are 5b 5d, { } are 7b 7d.
      open[depth++] = byte + 2;
      at++;
      expects = byte === OPEN_BRACE ? 'first-key' : 'first-value';
    } else if (byte === CLOSE_BRACKET && expects === 'first-value') {
      at++;
      depth--;
      expects = 'more';
    } else {
      at = endOfScalar(bytes, at);
      expects = 'more';
    }
  }
}

type Expects = 'value' | 'first-value' | 'key' | 'first-key' | 'more';

/** Shared by all calls: none of them waits for anything in the middle. */
const openBrackets = new Uint8Array(DEPTH_LIMIT);

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endOfString(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let at = start + 1;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at = endOfEscape(bytes, at);
    else if (byte < 0x20) throw invalid(byte, 'in string literal');
    else at++;
  }
  throw unexpectedEnd();
}

function endOfEscape(bytes: Uint8Array, backslash: number): number {
  const letter = byteOrSpace(bytes, backslash + 1);
  if (letter !== 0x75) {
    if (!ESCAPES.includes(letter)) throw invalid(letter, 'in string escape code');
    return backslash + 2;
  }
  for (let at = backslash + 2; at < backslash + 6; at++) {
    const digit = byteOrSpace(bytes, at);
    const isHex = isDigit(digit) || (digit >= 0x41 && digit <= 0x46) || (digit >= 0x61 && digit <= 0x66);
    if (!isHex) throw invalid(digit, 'in \\u hexadecimal character escape');
  }
  return backslash + 6;
}

const ESCAPES: readonly number[] = [...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0));

function endOfScalar(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte === 0x2d || isDigit(byte)) return endOfNumber(bytes, at);
  const word = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : '';
  if (word === '') throw invalid(byte, 'looking for beginning of value');
  for (let i = 1; i < word.length; i++) {
    const letter = byteOrSpace(bytes, at + i);
    if (letter !== word.charCodeAt(i)) {
      throw invalid(letter, `in literal ${word} (expecting ${quoteByte(word.charCodeAt(i))})`);
    }
  }
  return at + word.length;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at++;
  if (!isDigit(byteOrSpace(bytes, at))) throw invalid(byteOrSpace(bytes, at), 'in numeric literal');
  at = bytes[at] === 0x30 ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === 0x2e) {
    at++;
    if (!isDigit(byteOrSpace(bytes, at))) {
      throw invalid(byteOrSpace(bytes, at), 'after decimal point in numeric literal');
    }
    at = endOfDigits(bytes, at);
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    if (!isDigit(byteOrSpace(bytes, at))) {
      throw invalid(byteOrSpace(bytes, at), 'in exponent of numeric literal');
    }
    at = endOfDigits(bytes, at);
  }
  return at;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isDigit(bytes[at]!)) at++;
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Go's scanner takes one space for the end of the text, and complains of that space. */
function byteOrSpace(bytes: Uint8Array, at: number): number {
  if (at > bytes.length) throw unexpectedEnd();
  return at < bytes.length ? bytes[at]! : 0x20;
}

function unexpectedEnd(): JsonSyntaxError {
  return new JsonSyntaxError('unexpected end of JSON input');
}

function invalid(byte: number, where: string): JsonSyntaxError {
  return new JsonSyntaxError(`invalid character ${quoteByte(byte)} ${where}`);
}

/** Go prints the byte as if it were a code point: 0xef is 'ï', whatever it begins. */
function quoteByte(byte: number): string {
  const short = SHORT_ESCAPES.get(byte);
  if (short !== undefined) return `'${short}'`;
  const hex = byte.toString(16).padStart(2, '0');
  if (byte < 0x20 || byte === 0x7f) return `'\\x${hex}'`;
  if ((byte >= 0x80 && byte <= 0xa0) || byte === 0xad) return `'\\u00${hex}'`;
  return `'${String.fromCharCode(byte)}'`;
}

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x27, "\\'"],
  [0x5c, '\\\\'],
]);
