// The deferred response writer of KEP-5116: holds a body back until it is known whether it will be compressed, and while it may still become an error.
//
//   write ──▶ held (≤ 128 KiB) ──more──▶ gzip: stitched from stored, deflated and twin parts
//                 │ end
//                 └────────────────────▶ plain        gzip not wanted: plain from the first byte
//
// Until the destination was started an error can still be answered cleanly; afterwards the stream is destroyed.

import { Gatherer, type WriteBytes } from './gather.ts';
import { type Deflated, deflate, PIECE_BYTES } from './gzip/deflated.ts';
import { GZIP_HEADER, GzipMember } from './gzip/member.ts';

/** Bodies of more bytes than this are compressed, as kube-apiserver does; counted over all writes. */
export const GZIP_ABOVE_BYTES: number = 128 * 1024;
/** Parts this small are cheaper stored than sent to the thread pool. */
const STORED_BELOW_BYTES = 512;

/** A response, as far as its body is concerned. */
export interface Destination {
  /** Once, before the first byte: the body will be gzip or plain. */
  start(gzip: boolean): void;
  /** Resolves (or returns undefined) when there is room for more; rejects when the reader is gone. */
  write: WriteBytes;
  /** The body is whole. */
  end(): void;
  /** The body is cut: whoever reads it must notice. */
  destroy(error: Error): void;
}

/**
 * What is kept of bytes that are written again and again: their deflated form, made when first asked for. It stands for
 * the bytes from index `from` on: a leaf's comma is not part of its twin, since the first leaf of a list has none.
 */
export type Twin = { from: number; deflated: () => Deflated | Promise<Deflated> };

export type DeferredWriterOptions = {
  /** The reader accepts gzip. */
  gzip: boolean;
  /** The body's exact length if it is known: then nothing needs to be held. */
  length?: number | undefined;
};

export class DeferredWriter {
  readonly #to: Destination;
  readonly #out: Gatherer;
  readonly #member = new GzipMember();
  #mode: 'held' | 'plain' | 'gzip' | 'over' = 'held';
  #started = false;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** gzip: bytes without a twin, until they make a piece worth deflating. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;

  constructor(to: Destination, options: DeferredWriterOptions) {
    this.#to = to;
    this.#out = new Gatherer(to.write.bind(to));
    if (!options.gzip) this.#mode = 'plain';
    else if (options.length !== undefined) this.#mode = options.length > GZIP_ABOVE_BYTES ? 'gzip' : 'plain';
  }

  /** Nothing was sent yet: an error can be answered with its own status. */
  get clean(): boolean {
    return !this.#started;
  }

  /** Adds bytes, which must not change afterwards. `twin` gives their deflated form, should it be needed. */
  async write(bytes: Uint8Array, twin?: Twin): Promise<void> {
    if (this.#mode === 'held' && !this.#hold(bytes)) {
      this.#mode = 'gzip';
      for (const earlier of this.#takeHeld()) await this.#gzip(earlier);
    }
    if (this.#mode === 'gzip') await this.#gzip(bytes, twin);
    else if (this.#mode === 'plain') {
      this.#start();
      await this.#out.add(bytes);
    }
  }

  /** Sends what was taken so far. For streams that must be seen at once; they are never held, so never compressed. */
  async flush(): Promise<void> {
    if (this.#mode === 'held') {
      this.#mode = 'plain';
      for (const bytes of this.#takeHeld()) await this.write(bytes);
    }
    this.#start();
    await this.#out.flush();
  }

  async end(): Promise<void> {
    if (this.#mode === 'held') {
      this.#mode = 'plain';
      for (const bytes of this.#takeHeld()) await this.write(bytes);
    }
    this.#start();
    if (this.#mode === 'gzip') {
      await this.#deflateWaiting();
      await this.#out.add(this.#member.trailer());
    }
    await this.#out.flush();
    this.#mode = 'over';
    this.#to.end();
  }

  /**
   * The body can't be finished. True: nothing was sent, what was held is dropped, answer with an error instead.
   * False: the stream was destroyed.
   */
  fail(error: Error): boolean {
    const clean = this.clean;
    this.#mode = 'over';
    this.#takeHeld();
    this.#waiting = [];
    this.#out.drop();
    if (!clean) this.#to.destroy(error);
    return clean;
  }

  #hold(bytes: Uint8Array): boolean {
    if (this.#heldBytes + bytes.length > GZIP_ABOVE_BYTES) return false;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    return true;
  }

  #takeHeld(): Uint8Array[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#to.start(this.#mode === 'gzip');
    if (this.#mode === 'gzip') void this.#out.add(GZIP_HEADER);
  }

  async #gzip(bytes: Uint8Array, twin?: Twin): Promise<void> {
    if (twin) {
      if (twin.from > 0) await this.#gzip(bytes.subarray(0, twin.from));
      const deflated = await twin.deflated();
      await this.#deflateWaiting();
      this.#start();
      for (const part of this.#member.deflated(deflated)) await this.#out.add(part);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= PIECE_BYTES) await this.#deflateWaiting();
  }

  async #deflateWaiting(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    const bytes =
      this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (bytes.length < STORED_BELOW_BYTES) {
      this.#start();
      await this.#out.add(this.#member.stored(bytes));
      return;
    }
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const deflated = await deflate(bytes.subarray(at, at + PIECE_BYTES));
      this.#start();
      for (const part of this.#member.deflated(deflated)) await this.#out.add(part);
    }
  }
}
