// A cursor over CBOR that was checked: reads heads and strings without asking whether they are there.
import { BREAK, MAJOR } from './wire.ts';

/** The low five bits of an initial byte that say: until a break. */
const INDEFINITE = 31;

export class CborCursor {
  readonly bytes: Buffer;
  at = 0;
  /** Of the head read last: the major type in the three upper bits. */
  major = 0;
  /** The other five bits. */
  info = 0;
  /** The argument; of eight bytes as near as a double comes. -1: indefinite length. */
  argument = 0;

  /** Of the string read last: one of its parts begins within a character of UTF-8. */
  cutsCharacter = false;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The major type of what comes next. */
  peek(): number {
    return this.bytes[this.at]! & 0xe0;
  }

  head(): void {
    const { bytes } = this;
    const first = bytes[this.at++]!;
    this.major = first & 0xe0;
    this.info = first & 0x1f;
    if (this.info < 24) this.argument = this.info;
    else if (this.info === INDEFINITE) this.argument = -1;
    else {
      const size = 1 << (this.info - 24);
      this.argument = size === 8 ? Number(bytes.readBigUInt64BE(this.at)) : bytes.readUIntBE(this.at, size);
      this.at += size;
    }
  }

  /** The argument of the head read last, to the last digit. */
  exactArgument(): bigint {
    return this.info === 27 ? this.bytes.readBigUInt64BE(this.at - 8) : BigInt(this.argument);
  }

  /** Steps over a break, if there is one. */
  foundBreak(): boolean {
    if (this.bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  /** The bytes of a string whose head was just read. */
  string(): Buffer {
    this.cutsCharacter = false;
    if (this.argument >= 0) return this.#take(this.argument);
    const parts: Buffer[] = [];
    while (!this.foundBreak()) {
      this.head();
      if (this.argument === 0) continue;
      if ((this.bytes[this.at]! & 0xc0) === 0x80) this.cutsCharacter = true;
      parts.push(this.#take(this.argument));
    }
    return Buffer.concat(parts);
  }

  /** Walks over an item, however deep. */
  skip(): void {
    /** How many items are still to come in each open array and map; -1: until a break. */
    const open: number[] = [1];
    while (open.length > 0) {
      const last = open.length - 1;
      if (open[last] === 0 || (open[last] === -1 && this.foundBreak())) {
        open.pop();
        continue;
      }
      this.head();
      // What a tag stands before is still the same item.
      if (this.major === MAJOR.tag) continue;
      if (open[last]! > 0) open[last]!--;
      if (this.major === MAJOR.bytes || this.major === MAJOR.text) {
        if (this.argument >= 0) this.at += this.argument;
        else open.push(-1);
      } else if (this.major === MAJOR.array) open.push(this.argument);
      else if (this.major === MAJOR.map) open.push(this.argument < 0 ? -1 : this.argument * 2);
    }
  }

  #take(length: number): Buffer {
    const start = this.at;
    this.at += length;
    return this.bytes.subarray(start, this.at);
  }
}
