// Protobuf's wire format: a buffer that varints and length-delimited parts are written to, and a cursor that reads them.

/** Bytes that aren't the message they should be; `message` is the Go decoder's. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

/** No varint is longer: 64 bits, seven in a byte. */
export const VARINT_BYTES = 10;

const TWO_TO_32 = 0x1_0000_0000;

export function tagOf(number: number, wire: number): number {
  return number * 8 + wire;
}

/** How many bytes a varint has; `value` is an integer from 0 to 2^53 - 1. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

/** A growing buffer. Whoever writes many bytes reserves room first, writes into `buffer`, and moves `length`. */
export class WireWriter {
  buffer: Buffer;
  length = 0;

  constructor(capacityBytes: number) {
    this.buffer = Buffer.allocUnsafe(capacityBytes);
  }

  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }

  /** An integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.reserve(VARINT_BYTES);
    this.length = putVarint(this.buffer, this.length, value);
  }

  /** 64 bits in two halves, each as unsigned 32. */
  varint64(low: number, high: number): void {
    this.reserve(VARINT_BYTES);
    let rest = low >>> 0;
    let above = high >>> 0;
    while (above > 0 || rest >= 0x80) {
      this.buffer[this.length++] = (rest & 0x7f) | 0x80;
      rest = ((rest >>> 7) | (above << 25)) >>> 0;
      above >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  /** A signed integer that JavaScript's numbers hold exactly; negative ones become ten bytes. */
  integer(value: number): void {
    if (value >= 0) this.varint(value);
    else this.varint64(value, Math.floor(value / TWO_TO_32));
  }

  copy(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    copyBytes(source, start, end, this.buffer, this.length);
    this.length += end - start;
  }
}

/** Gives the place after it. */
export function putVarint(buffer: Uint8Array, at: number, value: number): number {
  let to = at;
  let rest = value;
  while (rest > 0x7fff_ffff) {
    buffer[to++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  while (rest >= 0x80) {
    buffer[to++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  buffer[to++] = rest;
  return to;
}

/** Below so many bytes a loop is faster than a call into the engine. */
const LOOP_BYTES = 48;

export function copyBytes(source: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > LOOP_BYTES) to.set(source.subarray(start, end), at);
  else for (let from = start, place = at; from < end; from++, place++) to[place] = source[from]!;
}

/** Reads from `at` to `end` as the generated Go code does, with its errors. */
export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  end: number;
  /** What the last varint held. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('proto: integer overflow');
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else {
        high |= bits << (shift - 32);
      }
      if (byte < 0x80) break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
  }

  /** The last varint as decimal digits. */
  unsigned(): string {
    return ((BigInt(this.high) << 32n) | BigInt(this.low)).toString();
  }

  signed(): bigint {
    return BigInt.asIntN(64, (BigInt(this.high) << 32n) | BigInt(this.low));
  }

  /** A length, and where what it measures ends: never behind `end`. */
  delimited(): number {
    this.varint();
    if (this.high > 0x7fff_ffff) throw negativeLength();
    const stop = this.at + this.high * TWO_TO_32 + this.low;
    if (stop > this.end) throw stop >= TWO_TO_32 * 0x8000_0000 ? negativeLength() : unexpectedEnd();
    return stop;
  }

  /** Walks over the field whose tag comes next. Groups are followed without recursion. */
  skip(): void {
    let depth = 0;
    while (this.at < this.end) {
      this.varint();
      const wire = this.low & 7;
      if (wire === VARINT) this.#skipVarint();
      else if (wire === FIXED64) this.at += 8;
      else if (wire === LENGTH_DELIMITED) this.#skipDelimited();
      else if (wire === START_GROUP) depth++;
      else if (wire === FIXED32) this.at += 4;
      else if (wire !== END_GROUP) throw new ProtobufError(`proto: illegal wireType ${wire}`);
      else if (depth-- === 0) throw new ProtobufError('proto: unexpected end of group');
      if (depth === 0) {
        if (this.at > this.end) throw unexpectedEnd();
        return;
      }
    }
    throw unexpectedEnd();
  }

  #skipVarint(): void {
    for (let length = 0; ; length++) {
      if (length === VARINT_BYTES) throw new ProtobufError('proto: integer overflow');
      if (this.at >= this.end) throw unexpectedEnd();
      if (this.bytes[this.at++]! < 0x80) return;
    }
  }

  /** May step behind `end`: whoever called sees it, as in Go. */
  #skipDelimited(): void {
    this.varint();
    if (this.high > 0x7fff_ffff) throw negativeLength();
    this.at += this.high * TWO_TO_32 + this.low;
    if (this.at >= TWO_TO_32 * 0x8000_0000) throw negativeLength();
  }
}

export function unexpectedEnd(): ProtobufError {
  return new ProtobufError('unexpected EOF');
}

function negativeLength(): ProtobufError {
  return new ProtobufError('proto: negative length found during unmarshaling');
}
