// One gzip member stitched from parts: stored blocks for what is made per answer, deflated twins for what is kept (RFC 1951, 1952).
//
//   10 bytes   stored(head)   twin   twin   stored(",")   twin   stored(tail)   03 00   crc32   length
//   header     └──────────── deflate blocks, none of them final ───────────┘   final    of the whole
//
// Every part is byte-aligned: a stored block is by nature, a twin by its sync flush. None refers to another.
import zlib from 'node:zlib';
import { combineCrc32 } from './crc32.ts';
import type { Deflated } from './deflated.ts';

/** A stored block's length has 16 bits (RFC 1951, 3.2.4). */
const STORED_MAX_BYTES = 0xffff;
const STORED_HEADER_BYTES = 5;
/** The length in the trailer has 32 bits and wraps (RFC 1952, 2.3.1). */
const LENGTH_MODULUS = 2 ** 32;

/** The gzip header Go writes for its fastest level: no name, no time, unknown system. */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);

/** Keeps the running checksum and length of one member, and gives the bytes of its parts. */
export class GzipMember {
  #crc = 0;
  #length = 0;

  /** Uncompressed bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** `raw` as stored blocks. */
  stored(raw: Uint8Array): Uint8Array {
    this.#crc = zlib.crc32(raw, this.#crc);
    this.#length += raw.length;
    const blocks = Math.ceil(raw.length / STORED_MAX_BYTES);
    const out = Buffer.allocUnsafe(raw.length + blocks * STORED_HEADER_BYTES);
    for (let from = 0, to = 0; from < raw.length; from += STORED_MAX_BYTES) {
      const size = Math.min(STORED_MAX_BYTES, raw.length - from);
      out[to] = 0;
      out.writeUInt16LE(size, to + 1);
      out.writeUInt16LE(size ^ 0xffff, to + 3);
      out.set(raw.subarray(from, from + size), to + STORED_HEADER_BYTES);
      to += STORED_HEADER_BYTES + size;
    }
    return out;
  }

  /** A twin's parts, as they are. */
  deflated(twin: Deflated): readonly Uint8Array[] {
    this.#crc = combineCrc32(this.#crc, twin.crc, twin.shift);
    this.#length += twin.length;
    return twin.parts;
  }

  /** An empty final block, the checksum and the length modulo 2^32. Without it the member is visibly cut. */
  trailer(): Uint8Array {
    const out = Buffer.allocUnsafe(10);
    out[0] = 3;
    out[1] = 0;
    out.writeUInt32LE(this.#crc, 2);
    out.writeUInt32LE(this.#length % LENGTH_MODULUS, 6);
    return out;
  }
}
