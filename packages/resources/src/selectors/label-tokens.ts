// The words and symbols of a label selector, one after the other, as the reference's lexer tells them apart.

export type Token = {
  type: 'identifier' | 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';
  text: string;
};

/** Reads one token ahead and no more: a long selector costs no memory for its tokens. A NUL before a token ends the text. */
export class Tokens {
  readonly #text: string;
  #at = 0;
  #next: Token;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  /** After the last one there is only `end`. */
  peek(): Token {
    return this.#next;
  }

  take(): Token {
    const token = this.#next;
    if (token !== END) this.#next = this.#read();
    return token;
  }

  #read(): Token {
    const text = this.#text;
    let start = this.#at;
    while (start < text.length && CLASS[text.charCodeAt(start)] === SPACE) start++;
    const code = text.charCodeAt(start);
    if (start >= text.length || code === 0) {
      this.#at = start;
      return END;
    }
    if (CLASS[code] === SYMBOL) return this.#symbol(start);
    let end = start + 1;
    while (end < text.length && !CLASS[text.charCodeAt(end)]) end++;
    // The reference's lexer swallows a NUL that ends a word, and goes on behind it.
    this.#at = text.charCodeAt(end) === 0 ? end + 1 : end;
    const word = text.slice(start, end);
    return { type: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
  }

  #symbol(start: number): Token {
    const two = this.#text.charCodeAt(start + 1) === EQUALS ? DOUBLE[this.#text[start]!] : undefined;
    this.#at = start + (two ? 2 : 1);
    return two ?? SINGLE[this.#text[start]!]!;
  }
}

const END: Token = { type: 'end', text: '' };
const EQUALS = 0x3d;

const DOUBLE: Readonly<Record<string, Token>> = {
  '=': { type: '==', text: '==' },
  '!': { type: '!=', text: '!=' },
};
const SINGLE: Readonly<Record<string, Token>> = Object.fromEntries(
  (['=', '!', '(', ')', ',', '>', '<'] as const).map((type) => [type, { type, text: type }]),
);

/** What ends a word, by character; any other is a part of one. */
const SPACE = 1;
const SYMBOL = 2;
const NUL = 3;
const CLASS: Uint8Array = new Uint8Array(128);
for (const space of ' \t\r\n') CLASS[space.charCodeAt(0)] = SPACE;
for (const symbol of Object.keys(SINGLE)) CLASS[symbol.charCodeAt(0)] = SYMBOL;
CLASS[0] = NUL;
