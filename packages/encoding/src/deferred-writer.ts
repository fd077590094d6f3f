// The deferred response writer of KEP-5116: holds a body back until it is known whether it will be compressed, and while it may still become an error.
//
//                                      plain: #out ─────────────────────────────────┐
//   write ─▶ #in, held ≤ 128 KiB ─┬─ end ──────────── plain ────────────────────────┼─▶ destination
//                                 └─ more ─▶ gzip: #in ─▶ stored, deflated ─▶ #out ─┘
//                                                          twins ───────────▶ #out
//
// Until the destination was given its first byte an error can still be answered cleanly; afterwards the stream is destroyed.
import { COPY_MAX_BYTES, Gatherer, SEGMENT_BYTES, type WriteBytes } from './gather.ts';
import { type Deflated, deflate } from './gzip/deflated.ts';
import { GZIP_HEADER, GzipMember } from './gzip/member.ts';

/** Bodies of more bytes than this are compressed, as kube-apiserver does; what one segment holds. */
export const GZIP_ABOVE_BYTES: number = SEGMENT_BYTES;
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
  /** The body is cut: whoever reads it must notice. Writes that wait for room reject. */
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

/** One call at a time: each waits for what the one before returned. */
export class DeferredWriter {
  readonly #to: Destination;
  /** Holds the body while nothing is decided; under gzip gathers what has no twin into pieces worth deflating. */
  readonly #in: Gatherer;
  /** What goes to the destination. */
  readonly #out: Gatherer;
  readonly #member = new GzipMember();
  #mode: 'held' | 'plain' | 'gzip' = 'held';
  #started = false;
  #busy = false;
  #over: Error | null = null;

  constructor(to: Destination, options: DeferredWriterOptions) {
    this.#to = to;
    this.#in = new Gatherer(
      (bytes, done) => (this.#mode === 'gzip' ? this.#compress(bytes, done) : this.#send(bytes, done)),
      SEGMENT_BYTES,
    );
    this.#out = new Gatherer((bytes, done) => this.#send(bytes, done), COPY_MAX_BYTES);
    if (!options.gzip) this.#mode = 'plain';
    else if (options.length !== undefined) this.#decide(options.length > GZIP_ABOVE_BYTES);
  }

  /** Nothing was sent yet: an error can be answered with its own status. */
  get clean(): boolean {
    return !this.#started;
  }

  /** The body is being compressed: twins will be asked for. */
  get gzips(): boolean {
    return this.#mode === 'gzip';
  }

  /**
   * Adds bytes, which must not change before the body was sent. A promise is returned when the next write must wait
   * for room. `twin` gives the bytes' deflated form; it is asked only under gzip.
   */
  write(bytes: Uint8Array, twin?: Twin): Promise<void> | undefined {
    this.#check();
    if (this.#mode === 'held' && this.#in.pending + bytes.length > GZIP_ABOVE_BYTES) this.#decide(true);
    if (this.#mode === 'plain') return this.#wait(this.#out.add(bytes));
    if (this.#mode === 'gzip' && twin) return this.#wait(this.#addTwin(bytes, twin));
    return this.#wait(this.#in.add(bytes));
  }

  /** Adds bytes that are deflated already. Only while it gzips: who asks knows that they'll be wanted. */
  writeDeflated(deflated: Deflated): Promise<void> | undefined {
    this.#check();
    if (this.#mode !== 'gzip') throw new Error('the body is not being compressed');
    return this.#wait(
      this.#in.flush()?.then(() => this.#addDeflated(deflated)) ?? this.#addDeflated(deflated),
    );
  }

  /** Sends what was taken so far, and the head if there is nothing: for streams that must be seen at once. */
  async flush(): Promise<void> {
    this.#check();
    await this.#wait(this.#flush());
  }

  /** The body is whole. Resolves when the destination has taken the last byte. */
  async end(): Promise<void> {
    this.#check();
    await this.#wait(this.#finish());
    this.#over = new Error('the body has ended');
    this.#to.end();
  }

  /**
   * The body can't be finished. True: nothing was sent, what was held is dropped, answer with an error instead.
   * False: the stream was destroyed. A call that is still waiting rejects.
   */
  fail(error: Error): boolean {
    if (this.#over) return this.clean;
    this.#over = error;
    this.#in.drop();
    this.#out.drop();
    if (this.#started) this.#to.destroy(error);
    return this.clean;
  }

  #decide(gzip: boolean): void {
    this.#mode = gzip ? 'gzip' : 'plain';
    if (gzip) void this.#out.add(GZIP_HEADER);
  }

  async #flush(): Promise<void> {
    if (this.#mode === 'held') this.#decide(false);
    await this.#in.flush();
    await this.#out.flush();
    this.#start();
  }

  async #finish(): Promise<void> {
    if (this.#mode === 'gzip') {
      await this.#in.flush();
      await this.#out.add(this.#member.trailer());
    }
    await this.#flush();
  }

  async #addTwin(bytes: Uint8Array, twin: Twin): Promise<void> {
    const deflated = await twin.deflated();
    if (twin.from + deflated.length !== bytes.length) throw new Error('the twin is of other bytes');
    if (twin.from > 0) await this.#in.add(bytes.subarray(0, twin.from));
    await this.#in.flush();
    await this.#addDeflated(deflated);
  }

  #compress(bytes: Uint8Array, done: () => void): Promise<void> | undefined {
    if (bytes.length >= STORED_BELOW_BYTES) return this.#deflate(bytes, done);
    const room = this.#out.add(this.#member.stored(bytes));
    done();
    return room;
  }

  async #deflate(bytes: Uint8Array, done: () => void): Promise<void> {
    const deflated = await deflate(bytes);
    done();
    await this.#addDeflated(deflated);
  }

  async #addDeflated(deflated: Deflated): Promise<void> {
    if (this.#over) throw this.#over;
    for (const part of this.#member.deflated(deflated)) await this.#out.add(part);
  }

  /** The only way to the destination. What comes after a failure, late from the thread pool, is refused. */
  #send(bytes: Uint8Array, done: () => void): Promise<void> | undefined {
    if (this.#over) throw this.#over;
    this.#start();
    return this.#to.write(bytes, done);
  }

  #start(): void {
    if (this.#over) throw this.#over;
    if (this.#started) return;
    this.#started = true;
    this.#to.start(this.#mode === 'gzip');
  }

  /** Bytes of two calls at once would mix. A call that failed leaves the writer busy: it can only fail(). */
  #wait(room: Promise<void> | undefined): Promise<void> | undefined {
    if (!room) return undefined;
    this.#busy = true;
    return room.then(() => {
      this.#busy = false;
      if (this.#over) throw this.#over;
    });
  }

  #check(): void {
    if (this.#over) throw this.#over;
    if (this.#busy) throw new Error('the call before has not resolved');
  }
}
