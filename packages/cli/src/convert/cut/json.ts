// Takes the items out of a list in JSON, however it is laid out, without a look at what they are.
import { CHUNK_BYTES, type Range, readRanges, type Source } from '../source.ts';
import type { Cut } from './cut.ts';

/** undefined: no object with an array `items`. What is no JSON shows in the frame or in an item. */
export function cutJson(source: Source): Cut | undefined {
  const marks = new Marks(source);
  const arrays: Elements[] = [];
  let depth = 0;
  let before = 0;
  let isItems = false;
  for (let mark = marks.next(); mark !== END; mark = marks.next()) {
    if (mark === OPEN_BRACKET && depth === 1 && before === COLON && isItems) {
      arrays.push(passElements(source, marks));
      mark = CLOSE_BRACKET;
    } else if (mark === OPEN_BRACE || mark === OPEN_BRACKET) depth++;
    else if (mark === CLOSE_BRACE || mark === CLOSE_BRACKET) depth--;
    else if (mark === QUOTE && depth === 1 && before !== COLON) isItems = isItemsKey(source, marks);
    before = mark;
  }
  const last = arrays.at(-1);
  if (last === undefined) return undefined;
  return {
    frame: withoutElements(source, arrays),
    count: last.count,
    *items() {
      for (const { start, end } of elements(source, new Marks(source, last.start))) {
        yield source.read(start, end);
      }
    },
  };
}

const END = -1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const IS_MARK = new Uint8Array(256);
for (const mark of [QUOTE, COMMA, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) {
  IS_MARK[mark] = 1;
}

/** The bytes that give JSON its structure. A string is one mark. */
class Marks {
  readonly #source: Source;
  #chunk: Uint8Array = new Uint8Array();
  #chunkStart: number;
  #next = 0;
  /** Where the last mark is, and where it ends. */
  at = 0;
  end: number;

  constructor(source: Source, start = 0) {
    this.#source = source;
    this.#chunkStart = start;
    this.end = start;
  }

  next(): number {
    for (;;) {
      const byte = this.#byte();
      if (byte !== END && IS_MARK[byte] === 0) continue;
      this.at = this.#chunkStart + this.#next - (byte === END ? 0 : 1);
      if (byte === QUOTE) this.#passString();
      this.end = this.#chunkStart + this.#next;
      return byte;
    }
  }

  #passString(): void {
    for (let byte = this.#byte(); byte !== QUOTE && byte !== END; byte = this.#byte()) {
      if (byte === BACKSLASH) this.#byte();
    }
  }

  #byte(): number {
    if (this.#next === this.#chunk.length) {
      this.#chunkStart += this.#chunk.length;
      this.#next = 0;
      this.#chunk = this.#source.read(this.#chunkStart, this.#chunkStart + CHUNK_BYTES);
      if (this.#chunk.length === 0) return END;
    }
    return this.#chunk[this.#next++]!;
  }
}

/** In an array: behind its opening bracket, and at its closing one. */
type Elements = Range & { count: number };

function passElements(source: Source, marks: Marks): Elements {
  const start = marks.end;
  let count = 0;
  for (const _ of elements(source, marks)) count++;
  return { start, end: marks.at, count };
}

/** Where each element is; ends at the array's closing bracket. */
function* elements(source: Source, marks: Marks): Generator<Range, void> {
  let start = marks.end;
  let depth = 0;
  let isFirst = true;
  for (let mark = marks.next(); ; mark = marks.next()) {
    if (mark === OPEN_BRACE || mark === OPEN_BRACKET) depth++;
    const isEnd = mark === END || (mark === CLOSE_BRACKET && depth === 0);
    if (isEnd || (mark === COMMA && depth === 0)) {
      if (!(isEnd && isFirst && isBlank(source.read(start, marks.at)))) yield { start, end: marks.at };
      if (isEnd) return;
      start = marks.end;
      isFirst = false;
    } else if (mark === CLOSE_BRACE || mark === CLOSE_BRACKET) depth--;
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

function isItemsKey(source: Source, { at, end }: Marks): boolean {
  const key = Buffer.from(source.read(at, end)).toString('latin1');
  return key === '"items"' || (key.includes('\\u') && unescaped(key) === '"items"');
}

function unescaped(key: string): string {
  return key.replace(/\\u00([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function withoutElements(source: Source, arrays: readonly Elements[]): Uint8Array {
  const starts = [0, ...arrays.map(({ end }) => end)];
  const ends = [...arrays.map(({ start }) => start), source.size];
  return readRanges(
    source,
    starts.map((start, place) => ({ start, end: ends[place]! })),
  );
}
