// Where YAML is written: a buffer that knows where its last line begins, emptied into a ByteWriter now and then.
import type { ByteWriter } from '../json/writer.ts';

const FLUSH_BYTES = 64 * 1024;
/** Room kept from one value to the next; more is given back. */
const KEPT_BYTES = 1024 * 1024;
/** Below this a loop copies faster than a call. */
const SHORT_BYTES = 96;

const SPACE = 0x20;
const NEWLINE = 0x0a;

export class Lines {
  bytes: Buffer = Buffer.allocUnsafeSlow(2 * FLUSH_BYTES);
  used = 0;
  lineStart = 0;

  /** Whoever writes into `bytes` asks for the room first. */
  reserve(count: number): void {
    if (this.used + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.used + count));
    grown.set(this.bytes.subarray(0, this.used));
    this.bytes = grown;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.used++] = byte;
  }

  copy(text: Buffer, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { bytes, used } = this;
    if (length <= SHORT_BYTES) for (let i = 0; i < length; i++) bytes[used + i] = text[start + i]!;
    else bytes.set(text.subarray(start, end), used);
    this.used = used + length;
  }

  ascii(text: string): void {
    this.reserve(text.length);
    this.used += this.bytes.write(text, this.used, 'latin1');
  }

  spaces(count: number): void {
    this.reserve(count);
    const { bytes, used } = this;
    if (count <= SHORT_BYTES) for (let i = 0; i < count; i++) bytes[used + i] = SPACE;
    else bytes.fill(SPACE, used, used + count);
    this.used = used + count;
  }

  newline(): void {
    this.byte(NEWLINE);
    this.lineStart = this.used;
  }

  /** A break that stands in the text itself. */
  startLine(): void {
    this.lineStart = this.used;
  }

  /** Characters on the line so far. */
  column(): number {
    let characters = 0;
    for (let i = this.lineStart; i < this.used; i++) if ((this.bytes[i]! & 0xc0) !== 0x80) characters++;
    return characters;
  }

  /** Call it between two lines. */
  flushIfFull(out: ByteWriter): void {
    if (this.used >= FLUSH_BYTES) this.flush(out);
  }

  flush(out: ByteWriter): void {
    out.bytes(this.bytes.subarray(0, this.used));
    this.used = 0;
    this.lineStart = 0;
  }

  /** Forgets what is written, and gives back what a large value needed. */
  release(): void {
    this.used = 0;
    this.lineStart = 0;
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafeSlow(2 * FLUSH_BYTES);
  }
}
