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
    if (first >= end) return;
    const fields: { number: number; start: number; end: number }[] = [];
    for (let at = base; at < end; at += 2) {
      const next = at + 2 < end ? marks[at + 3]! : this.length;
      fields.push({ number: marks[at]!, start: marks[at + 1]!, end: next });
    }
    this.#rearrange(fields);
  }

  #rearrange(fields: { number: number; start: number; end: number }[]): void {
    const start = fields[0]!.start;
    const size = this.length - start;
    if (this.#sorted.length < size) this.#sorted = Buffer.allocUnsafe(size * 2);
    fields.sort((a, b) => a.number - b.number);
    let to = 0;
    for (const field of fields) {
      copyBytes(this.buffer, field.start, field.end, this.#sorted, to);
      to += field.end - field.start;
    }
    copyBytes(this.#sorted, 0, size, this.buffer, start);
  }
}
