// One run from JSON bytes to Protobuf bytes: where it reads, where it writes, and what must be put in order at the end.
import { copyBytes, putVarint, varintLength, WireWriter } from './wire.ts';

/** What a run starts with. */
const FIRST_BYTES = 64 * 1024;
/** Space for a tag and a length of any size. */
const HEADER_BYTES = 16;
const FIRST_MARKS = 256;

/** Writes what stands at the cursor, which is not null: tag and value; every element of a list or map. */
export type Write = (run: Transcoding) => void;

export class Transcoding extends WireWriter {
  json: Uint8Array = new Uint8Array();
  at = 0;
  /** Where the next backslash is, so that looking for it never walks the same text twice; -1: not known. */
  backslash = -1;
  /** Fields written since some message began: its number and where it starts, pair by pair. */
  #marks = new Int32Array(FIRST_MARKS);
  #marked = 0;
  #sorted: Buffer = Buffer.allocUnsafe(0);
  #order = new Int32Array(FIRST_MARKS);

  constructor() {
    super(FIRST_BYTES);
  }

  start(json: Uint8Array): void {
    this.json = json;
    this.at = 0;
    this.length = 0;
    this.backslash = -1;
    this.#marked = 0;
  }

  /** A tag and room for a length of so many bytes. Gives where the length starts. */
  open(tag: number, lengthBytes: number): number {
    this.reserve(HEADER_BYTES);
    const { buffer } = this;
    if (tag < 0x80) buffer[this.length++] = tag;
    else this.length = putVarint(buffer, this.length, tag);
    const start = this.length;
    this.length = start + lengthBytes;
    return start;
  }

  /** Puts the length where open() left room, moving what follows if it needs more or less. Gives the bytes it needs. */
  close(start: number, lengthBytes: number): number {
    const body = start + lengthBytes;
    const size = this.length - body;
    const needed = size < 0x80 ? 1 : varintLength(size);
    if (needed !== lengthBytes) {
      this.reserve(needed);
      this.buffer.copyWithin(start + needed, body, this.length);
      this.length += needed - lengthBytes;
    }
    if (needed === 1) this.buffer[start] = size;
    else putVarint(this.buffer, start, size);
    return needed;
  }

  /** How many marks there are: a message's own begin here. */
  get marked(): number {
    return this.#marked;
  }

  /** A field starts here. */
  mark(number: number): void {
    if (this.#marked + 2 > this.#marks.length) {
      const grown = new Int32Array(this.#marks.length * 2);
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marks[this.#marked++] = number;
    this.#marks[this.#marked++] = this.length;
  }

  /** Brings the fields marked since `base` into the order of their numbers. */
  sortMarks(base: number): void {
    const marks = this.#marks;
    const end = this.#marked;
    this.#marked = base;
    let first = base + 2;
    while (first < end && marks[first - 2]! < marks[first]!) first += 2;
    if (first < end) this.#rearrange(base, end);
  }

  /** What stands at its place already, before the first field that has to move and behind the last, stays there. */
  #rearrange(base: number, end: number): void {
    const fields = this.#orderOf(base, end);
    const count = (end - base) / 2;
    let from = 0;
    let to = count;
    while (fields[from] === base + 2 * from) from++;
    while (fields[to - 1] === base + 2 * (to - 1)) to--;
    const start = this.#marks[base + 2 * from + 1]!;
    const size = this.#endOf(base + 2 * (to - 1), end) - start;
    if (this.#sorted.length < size) this.#sorted = Buffer.allocUnsafe(size * 2);
    let at = 0;
    for (let place = from; place < to; place++) {
      const mark = fields[place]!;
      const fieldStart = this.#marks[mark + 1]!;
      const fieldEnd = this.#endOf(mark, end);
      copyBytes(this.buffer, fieldStart, fieldEnd, this.#sorted, at);
      at += fieldEnd - fieldStart;
    }
    copyBytes(this.#sorted, 0, size, this.buffer, start);
  }

  /** Where the marks of the fields are, by their numbers. They are few, and nearly in order: each is moved to its place. */
  #orderOf(base: number, end: number): Int32Array {
    const marks = this.#marks;
    const count = (end - base) / 2;
    if (this.#order.length < count) this.#order = new Int32Array(count * 2);
    const order = this.#order;
    for (let i = 0; i < count; i++) {
      const mark = base + 2 * i;
      let place = i;
      for (; place > 0 && marks[order[place - 1]!]! > marks[mark]!; place--) order[place] = order[place - 1]!;
      order[place] = mark;
    }
    return order;
  }

  #endOf(mark: number, end: number): number {
    return mark + 2 < end ? this.#marks[mark + 3]! : this.length;
  }
}
