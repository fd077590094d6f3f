// Gathers small pieces of a body into pooled buffers, so that a list of small items is a few large writes.
//
//   pieces   head  , item  item  item   large piece   tail
//   writes   [──────── 128 KiB ──────]  [as it is]    [──]

/** Where gathered bytes go. `done` is called when the bytes are no longer looked at: their buffer may be used again. */
export type WriteBytes = (bytes: Uint8Array, done: () => void) => Promise<void> | undefined;

/** The best write size measured: smaller costs calls and frames, larger costs caches. */
export const SEGMENT_BYTES: number = 128 * 1024;
/** From this size on a piece is written as it is: a copy costs more than a write. */
const WRITE_THROUGH_BYTES = 32 * 1024;
/** Buffers that wait for use, over all responses; more are left to the garbage collector. */
const POOL_MAX = 64;

/** Takes pieces in order; a promise is returned when the writer must wait before the next piece. */
export class Gatherer {
  readonly #write: WriteBytes;
  #buffer: Buffer | null = null;
  #used = 0;

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  /** Bytes taken but not written yet. */
  get pending(): number {
    return this.#used;
  }

  /** `piece` must not change: it may be written as it is. */
  add(piece: Uint8Array): Promise<void> | undefined {
    if (piece.length >= WRITE_THROUGH_BYTES) return this.#through(piece);
    if (this.#used + piece.length > SEGMENT_BYTES) {
      const room = this.flush();
      if (room) return room.then(() => this.add(piece));
    }
    this.#buffer ??= pool.pop() ?? Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    this.#buffer.set(piece, this.#used);
    this.#used += piece.length;
    return undefined;
  }

  /** Writes what was gathered. */
  flush(): Promise<void> | undefined {
    const buffer = this.#buffer;
    if (!buffer) return undefined;
    const bytes = buffer.subarray(0, this.#used);
    this.#buffer = null;
    this.#used = 0;
    return this.#write(bytes, () => giveBack(buffer));
  }

  /** Forgets what was gathered. */
  drop(): void {
    if (this.#buffer) giveBack(this.#buffer);
    this.#buffer = null;
    this.#used = 0;
  }

  #through(piece: Uint8Array): Promise<void> | undefined {
    const room = this.flush();
    return room ? room.then(() => this.#segments(piece, 0)) : this.#segments(piece, 0);
  }

  /** A piece of many MiB goes out in segments, each asked for when there is room. */
  #segments(piece: Uint8Array, from: number): Promise<void> | undefined {
    for (let at = from; at < piece.length; at += SEGMENT_BYTES) {
      const room = this.#write(piece.subarray(at, at + SEGMENT_BYTES), nothing);
      if (room) return room.then(() => this.#segments(piece, at + SEGMENT_BYTES));
    }
    return undefined;
  }
}

const pool: Buffer[] = [];

function giveBack(buffer: Buffer): void {
  if (pool.length < POOL_MAX) pool.push(buffer);
}

function nothing(): void {}
