// What a list's body comes to when its items are taken out.
import { CHUNK_BYTES, type Source } from '../source.ts';

export type Cut = {
  /** A body of the same format, its `items` empty. */
  frame: Uint8Array;
  count: number;
  /** Each as it stands in the body, found anew by every walk. */
  items(): Iterable<Uint8Array>;
};

/** Bytes of a source by place, of which a chunk is held at a time. */
export class Window {
  readonly #source: Source;
  #start = 0;
  #chunk: Uint8Array = new Uint8Array();

  constructor(source: Source) {
    this.#source = source;
  }

  /** undefined behind the end. */
  byte(at: number): number | undefined {
    const place = at - this.#start;
    if (place >= 0 && place < this.#chunk.length) return this.#chunk[place];
    if (at >= this.#source.size) return undefined;
    this.#start = at;
    this.#chunk = this.#source.read(at, at + CHUNK_BYTES);
    return this.#chunk[0];
  }
}
