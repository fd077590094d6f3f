// JSON text as a row of tokens, so that members can be written in another order than they were read in.
//
//   {"b":[1,"x"],"a":null}     kinds   {   "b"  [   1   "x"  "a"  n
//                              tokens  0   1    2   3   4    5    6
//                              ends[0] = 7, ends[2] = 5: the token behind the object, behind the array

import { unescapeString } from './escapes.ts';

export const QUOTE = 0x22;
export const OPEN_BRACE = 0x7b;
export const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Longer strings are searched for their end by the engine's own search, which costs more to start. */
const SHORT_STRING_BYTES = 64;

/** Keys from this length on are told apart by their bytes alone. */
const LENGTH_RANKS = 0x7fff;

/** What stands behind the text. */
const END_BYTES = 2;

/** Room that is kept for the next text. What a larger one took is given back. */
const KEPT_BYTES = 512 * 1024;

export class JsonTape {
  /** The text; strings lie in it decoded, from the same start. */
  bytes: Buffer = Buffer.alloc(0);
  /** First bytes: a quote, a bracket, a digit or minus, `t`, `f`, `n`. */
  kinds: Uint8Array = new Uint8Array(0);
  /** Of strings and scalars: where their bytes begin, without the quote. */
  starts: Int32Array = new Int32Array(0);
  /** Of strings and scalars: where their bytes end. Of objects and arrays: the token behind them. */
  ends: Int32Array = new Int32Array(0);
  #open: Int32Array = new Int32Array(0);
  /** Where the next backslash is, so that looking for it never walks the same text twice. */
  #backslash = -1;
  #decodedEnd = 0;

  /** @param json valid JSON text. @returns how many tokens it has. */
  read(json: Uint8Array): number {
    this.#makeRoom(json.length);
    const { bytes, kinds, starts, ends } = this;
    const open = this.#open;
    bytes.set(json);
    // What ends a scalar, and a search for a backslash.
    bytes[json.length] = 0;
    bytes[json.length + 1] = BACKSLASH;
    this.#backslash = -1;
    let token = 0;
    let depth = 0;
    let at = 0;
    while (at < json.length) {
      const first = bytes[at]!;
      if (first === QUOTE) {
        let end = ++at;
        const near = end + SHORT_STRING_BYTES;
        while (PLAIN[bytes[end]!] === 1 && end < near) end++;
        kinds[token] = QUOTE;
        starts[token] = at;
        if (bytes[end] === QUOTE) {
          ends[token++] = end;
        } else {
          end = this.#restOfString(end);
          ends[token++] = this.#decodedEnd;
        }
        // A colon or comma most often, a bracket else.
        at = end + 1;
        if (bytes[at]! <= COLON) at++;
      } else if (first <= COMMA || first === COLON) {
        at++;
      } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        kinds[token] = first;
        open[depth++] = token++;
        at++;
      } else if (first === CLOSE_BRACE || first === CLOSE_BRACKET) {
        ends[open[--depth]!] = token;
        at++;
      } else {
        let end = at + 1;
        while (isScalarByte(bytes[end]!)) end++;
        kinds[token] = first;
        starts[token] = at;
        ends[token++] = end;
        at = end;
      }
    }
    return token;
  }

  /** The token behind the value that `token` begins. */
  after(token: number): number {
    const kind = this.kinds[token]!;
    return kind === OPEN_BRACE || kind === OPEN_BRACKET ? this.ends[token]! : token + 1;
  }

  /** A string or scalar as text, one character a byte. */
  latin1(token: number): string {
    return this.bytes.toString('latin1', this.starts[token]!, this.ends[token]!);
  }

  /** Gives back what a large text took. */
  release(): void {
    if (this.bytes.length > KEPT_BYTES) this.#allocate(0);
  }

  /** A number that orders keys as their encoded bytes do, as far as it goes: by length, then by the first two bytes. */
  rank(key: number): number {
    const start = this.starts[key]!;
    const length = this.ends[key]! - start;
    // Behind the key stands at least its quote.
    return (
      (Math.min(length, LENGTH_RANKS) << 16) |
      (this.bytes[start]! << 8) |
      (length > 1 ? this.bytes[start + 1]! : 0)
    );
  }

  #makeRoom(length: number): void {
    if (length + END_BYTES > this.bytes.length) this.#allocate(length * 2 + END_BYTES);
  }

  #allocate(length: number): void {
    // Each value is at least a byte and what separates or closes it.
    const tokens = (length >>> 1) + 2;
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.kinds = new Uint8Array(tokens);
    this.starts = new Int32Array(tokens);
    this.ends = new Int32Array(tokens);
    this.#open = new Int32Array(tokens);
  }

  /** Goes on in a string that is long or has an escape. @returns where its closing quote is. */
  #restOfString(from: number): number {
    const { bytes } = this;
    const close = bytes.indexOf(QUOTE, from);
    if (this.#backslash < from) this.#backslash = bytes.indexOf(BACKSLASH, from);
    if (this.#backslash > close) {
      this.#decodedEnd = close;
      return close;
    }
    const { close: quote, end } = unescapeString(bytes, this.#backslash);
    this.#decodedEnd = end;
    return quote;
  }
}

/** 1: neither ends a string nor escapes. */
const PLAIN: Uint8Array = new Uint8Array(256).fill(1);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

function isScalarByte(byte: number): boolean {
  return byte > COMMA ? byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET : byte === 0x2b;
}
