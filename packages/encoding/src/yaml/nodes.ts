// Compact JSON as columns of numbers: where each key and value stands, without an object for any of them.
//
//     {"a":["x",1],"b":{}}      →   object·2  key a  array·2  text x  number 1  key b  object·0
//
// Each node has three columns: its kind and the classes of its bytes; where its text starts (a container: how
// many children); where it ends (a container: the node after its last child). The text is a copy, in which
// strings with escapes were written anew in their place.
import { CLASS, HIGH, RAW_CLASS, STOP } from './classes.ts';
import { controlError, KEY_LIMIT_CHARACTERS, parserError, scannerError, YAML_DEPTH_LIMIT } from './errors.ts';
import { hasRawBreaks, readRawText } from './raw-text.ts';

export const NODE_COLUMNS: number = 3;

/** Kinds lie in the bits below those of the classes. */
export const KIND_BITS: number = 7;
export const TEXT: number = 0;
export const NUMBER: number = 1;
export const WORD: number = 2;
export const ARRAY: number = 3;
export const OBJECT: number = 4;

/** Room kept from one value to the next; more is given back. */
const KEPT_BYTES = 1024 * 1024;
const FIRST_BYTES = 64 * 1024;

export class Nodes {
  text: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  columns: Int32Array = new Int32Array(FIRST_BYTES / 4);
  /** The index after the last node's columns. */
  end = 0;
  #lines = 0;
  readonly #open = new Int32Array(YAML_DEPTH_LIMIT);

  /**
   * `enclosing`: how many brackets of a larger text stand around this one.
   * @throws YamlError when YAML can't show the value
   */
  read(json: Uint8Array, enclosing: number): void {
    this.#start(json);
    let at = 0;
    let depth = 0;
    do {
      if (at >= json.length) throw cutShort();
      const byte = this.text[at];
      if (byte === QUOTE) {
        at = this.#string(at);
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (depth + enclosing >= YAML_DEPTH_LIMIT) {
          throw scannerError(`exceeded max depth of ${YAML_DEPTH_LIMIT}`, this.#lines);
        }
        this.#open[depth++] = this.end;
        this.#add(byte === OPEN_BRACE ? OBJECT : ARRAY, 0, 0);
        at++;
        continue;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.columns[this.#open[--depth]! + 2] = this.end;
        at++;
      } else {
        at = this.#scalar(at);
      }
      if (depth > 0) {
        // What is closed or complete here is a child of the container around it; a key counts with its value.
        const next = this.text[at];
        if (next !== COLON) this.columns[this.#open[depth - 1]! + 1]!++;
        if (next === COMMA || next === COLON) at++;
      }
    } while (depth > 0);
    if (at > json.length) throw cutShort();
  }

  /** Gives back what a large value needed. */
  release(): void {
    if (this.text.length > KEPT_BYTES) this.text = Buffer.allocUnsafeSlow(FIRST_BYTES);
    if (this.columns.length > KEPT_BYTES / 4) this.columns = new Int32Array(FIRST_BYTES / 4);
  }

  #start(json: Uint8Array): void {
    if (json.length >= this.text.length) this.text = Buffer.allocUnsafeSlow(json.length * 2);
    this.text.set(json);
    // Whatever is read last stops here.
    this.text[json.length] = QUOTE;
    this.end = 0;
    this.#lines = 0;
  }

  #string(quote: number): number {
    const text = this.text;
    const start = quote + 1;
    let classes = 0;
    let at = start;
    for (;;) {
      const bits = RAW_CLASS[text[at]!]!;
      if (bits === STOP) break;
      classes |= bits;
      at++;
    }
    let end = at;
    let lines = 0;
    if (text[at] !== QUOTE || (classes & HIGH && hasRawBreaks(text, start, at))) {
      if (text[at] !== QUOTE && text[at] !== BACKSLASH) throw controlError();
      ({ end, quote: at, lines } = readRawText(text, classes & HIGH ? start : at, this.#lines));
      this.#lines += lines;
      classes = 0;
      for (let i = start; i < end; i++) classes |= CLASS[text[i]!]!;
    }
    if (text[at + 1] === COLON) this.#checkKey(quote, at + 1, lines);
    this.#add(TEXT | classes, start, end);
    return at + 1;
  }

  /** Keys of YAML stand on one line, and not too long before their colon. */
  #checkKey(quote: number, colon: number, lines: number): void {
    if (lines === 0 && colon - quote <= KEY_LIMIT_CHARACTERS) return;
    let characters = 0;
    for (let i = quote; i < colon; i++) if ((this.text[i]! & 0xc0) !== 0x80) characters++;
    if (lines > 0 || characters > KEY_LIMIT_CHARACTERS) {
      throw parserError("did not find expected ',' or '}'", this.#lines);
    }
  }

  #scalar(start: number): number {
    const text = this.text;
    let end = start + 1;
    while (
      text[end] !== COMMA &&
      text[end] !== CLOSE_BRACE &&
      text[end] !== CLOSE_BRACKET &&
      text[end] !== QUOTE
    )
      end++;
    this.#add(text[start]! <= NINE ? NUMBER : WORD, start, end);
    return end;
  }

  #add(kind: number, start: number, end: number): void {
    if (this.end + NODE_COLUMNS > this.columns.length) {
      const grown = new Int32Array(this.columns.length * 2);
      grown.set(this.columns);
      this.columns = grown;
    }
    const columns = this.columns;
    columns[this.end] = kind;
    columns[this.end + 1] = start;
    columns[this.end + 2] = end;
    this.end += NODE_COLUMNS;
  }
}

/** Only bytes nobody should hand in: what is stored is valid. */
function cutShort(): RangeError {
  return new RangeError('not one whole JSON value');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const NINE = 0x39;
