// Bytes deflated by themselves, on the thread pool, so that they can stand anywhere in a gzip member.
import zlib from 'node:zlib';
import { crc32Shift } from './crc32.ts';

/** Pieces are deflated one by one: bounds what a pool thread holds, loses 2 % of the ratio on Pods. */
export const PIECE_BYTES: number = 256 * 1024;
/** Level 1 on the request path: several times level 6's speed for more than four fifths of its ratio on Pods. */
const LEVEL = 1;
/** How much of a piece is looked at to see whether matches are worth searching for: windows all over it. */
const SAMPLE_WINDOWS = 4;
const SAMPLE_WINDOW_BYTES = 2 * 1024;
/** Below this share of repeated 4-byte strings only Huffman coding pays: faster at the same ratio. */
const REPEATS_MIN = 0.05;
/** Slots of the table that remembers strings: 2^13, several for each string of a sample. */
const SEEN_BITS = 13;

/**
 * Raw deflate data without a final block: each part ends byte-aligned (sync flush), none refers to what stands before
 * it. `length`, `crc` and `shift` are those of the bytes it stands for.
 */
export type Deflated = {
  readonly parts: readonly Uint8Array[];
  /** Of all parts together. */
  readonly bytes: number;
  readonly length: number;
  readonly crc: number;
  /** What joining `crc` to another takes, see crc32Shift(). */
  readonly shift: number;
};

/** Deflates on the thread pool. `input` must not change until it resolves. */
export async function deflate(input: Uint8Array): Promise<Deflated> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let crc = 0;
  for (let at = 0; at < input.length; at += PIECE_BYTES) {
    const piece = input.subarray(at, at + PIECE_BYTES);
    crc = zlib.crc32(piece, crc);
    const part = await deflatePiece(piece);
    parts.push(part);
    bytes += part.length;
  }
  return { parts, bytes, length: input.length, crc, shift: crc32Shift(input.length) };
}

function deflatePiece(piece: Uint8Array): Promise<Uint8Array> {
  const options: zlib.ZlibOptions = {
    level: LEVEL,
    strategy:
      repeats(piece) < REPEATS_MIN ? zlib.constants.Z_HUFFMAN_ONLY : zlib.constants.Z_DEFAULT_STRATEGY,
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
    // One round trip to the pool: room for the worst case, stored blocks and the flush.
    chunkSize: piece.length + (piece.length >>> 10) + 128,
  };
  return new Promise((resolve, reject) => {
    zlib.deflateRaw(piece, options, (error, result) => {
      if (error) reject(error);
      else resolve(trimmed(result));
    });
  });
}

/** The result is a view of a buffer as large as the input; what is kept must not hold that. */
function trimmed(result: Buffer): Uint8Array {
  const own = Buffer.allocUnsafeSlow(result.length);
  result.copy(own);
  return own;
}

/** The share of positions in a sample whose next four bytes stood before in it. */
function repeats(piece: Uint8Array): number {
  const step = Math.max(Math.floor(piece.length / SAMPLE_WINDOWS), SAMPLE_WINDOW_BYTES);
  seen.fill(0);
  let positions = 0;
  let found = 0;
  for (let from = 0; from < piece.length; from += step) {
    const end = Math.min(from + SAMPLE_WINDOW_BYTES, piece.length) - 4;
    for (let i = from; i < end; i++) {
      const word = piece[i]! | (piece[i + 1]! << 8) | (piece[i + 2]! << 16) | (piece[i + 3]! << 24);
      const slot = Math.imul(word, 0x9e3779b1) >>> (32 - SEEN_BITS);
      positions++;
      if (seen[slot] === word) found++;
      else seen[slot] = word;
    }
  }
  // Too little to judge by is too little to save time on.
  return positions < 64 ? 1 : found / positions;
}

const seen = new Int32Array(1 << SEEN_BITS);
