// A cursor over JSON text whose syntax was checked: reads what the caller asks for, without asking whether it is there.
import { JsonNumber, type JsonValue } from './value.ts';

export const QUOTE = 0x22;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Strings are looked through one by one up to here, then by searches that cost more to start. */
const SHORT_STRING_CHARACTERS = 48;

export class JsonReader {
  readonly text: string;
  at = 0;
  /** Where the next backslash is, so that looking for it never walks the same text twice. */
  #backslash = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** The first character of what comes next: it tells its type. */
  peek(): number {
    let character = this.text.charCodeAt(this.at);
    while (character <= 0x20) character = this.text.charCodeAt(++this.at);
    return character;
  }

  /** Steps into an object or array. False: it is empty and already left. */
  enter(): boolean {
    this.at++;
    const character = this.peek();
    if (character !== CLOSE_BRACE && character !== CLOSE_BRACKET) return true;
    this.at++;
    return false;
  }

  /** Behind a value: true when another one follows, false when the object or array was left. */
  more(): boolean {
    const character = this.peek();
    this.at++;
    return character === COMMA;
  }

  /** A key and its colon. */
  key(): string {
    this.peek();
    const key = this.string();
    this.peek();
    this.at++;
    return key;
  }

  /** A string; the cursor is on its quote. */
  string(): string {
    const { text } = this;
    const start = this.at + 1;
    const near = start + SHORT_STRING_CHARACTERS;
    for (let at = start; at < near; at++) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (character === BACKSLASH) return this.#escaped(start, at);
    }
    const close = text.indexOf('"', near);
    if (this.#backslash < near) this.#backslash = this.#nextBackslash(near);
    if (this.#backslash < close) return this.#escaped(start, this.#backslash);
    this.at = close + 1;
    return text.slice(start, close);
  }

  /** A number's spelling. */
  number(): string {
    const start = this.at;
    let at = start + 1;
    let character = this.text.charCodeAt(at);
    // Behind a number come space, comma or a bracket: none is among digits, `.`, `+`, `-`, `e`.
    while ((character > COMMA && character < OPEN_BRACKET) || character === 0x2b || character === 0x65) {
      character = this.text.charCodeAt(++at);
    }
    this.at = at;
    return this.text.slice(start, at);
  }

  /** Whatever is neither object nor array. */
  scalar(): JsonValue {
    const character = this.peek();
    if (character === QUOTE) return this.string();
    if (character === 0x74) return this.#word(4, true);
    if (character === 0x66) return this.#word(5, false);
    if (character === 0x6e) return this.#word(4, null);
    return new JsonNumber(this.number());
  }

  /** Walks over a value, however deep, and gives its text. */
  skip(): string {
    this.peek();
    const start = this.at;
    let depth = 0;
    do {
      const character = this.peek();
      if (character === OPEN_BRACE || character === OPEN_BRACKET) {
        depth++;
        this.at++;
      } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
        depth--;
        this.at++;
      } else if (character === COMMA || character === 0x3a) {
        this.at++;
      } else {
        this.scalar();
      }
    } while (depth > 0);
    return this.text.slice(start, this.at);
  }

  #word<Value>(length: number, value: Value): Value {
    this.at += length;
    return value;
  }

  #nextBackslash(from: number): number {
    const found = this.text.indexOf('\\', from);
    return found < 0 ? this.text.length : found;
  }

  #escaped(start: number, firstBackslash: number): string {
    const { text } = this;
    const parts: string[] = [];
    let plain = start;
    let at = firstBackslash;
    for (;;) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) break;
      if (character !== BACKSLASH) {
        at++;
        continue;
      }
      parts.push(text.slice(plain, at));
      if (text.charCodeAt(at + 1) === 0x75) {
        const unit = this.#unit(at);
        const next = isHighSurrogate(unit) ? this.#unit(at + 6) : 0;
        if (isHighSurrogate(unit) && isLowSurrogate(next)) {
          parts.push(String.fromCharCode(unit, next));
          at += 12;
        } else {
          parts.push(isHighSurrogate(unit) || isLowSurrogate(unit) ? '\ufffd' : String.fromCharCode(unit));
          at += 6;
        }
      } else {
        parts.push(ESCAPES[text[at + 1]!]!);
        at += 2;
      }
      plain = at;
    }
    parts.push(text.slice(plain, at));
    this.at = at + 1;
    return parts.join('');
  }

  /** The code unit of the `\uXXXX` at `at`; 0 when there is none. */
  #unit(at: number): number {
    if (this.text.charCodeAt(at) !== BACKSLASH || this.text.charCodeAt(at + 1) !== 0x75) return 0;
    return Number.parseInt(this.text.slice(at + 2, at + 6), 16);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
