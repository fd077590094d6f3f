// A buffer that grows: text and bytes are put behind each other and taken out whole.
import { quote } from './quote.ts';

const FIRST_BYTES = 1024;

/** More was written than the writer takes. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

export class ByteWriter {
  readonly #limitBytes: number;
  #buffer: Buffer;
  #length = 0;

  /** Past the limit nothing more is taken: what goes over it is at most the piece before. */
  constructor(capacityBytes: number = FIRST_BYTES, limitBytes: number = Number.POSITIVE_INFINITY) {
    this.#limitBytes = limitBytes;
    this.#buffer = Buffer.allocUnsafe(Math.max(capacityBytes, 1));
  }

  get length(): number {
    return this.#length;
  }

  text(text: string): this {
    // No code unit becomes more than three bytes.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** A JSON string, quoted and escaped. */
  json(text: string): this {
    return this.text(quote(text));
  }

  /** Forgets what was written behind the first `length` bytes. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** A copy of all that was written; the writer is empty afterwards and keeps its room. */
  take(): Uint8Array {
    const taken = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    if (this.#length > this.#limitBytes) throw new TooLongError(`more than ${this.#limitBytes} bytes`);
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
