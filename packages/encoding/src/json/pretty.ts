// Indents compact JSON as it streams by: two spaces, `"key": value`, empty [] and {} on one line, no newline at the end.
//
// The state between two chunks is a depth and whether a string is open, so a list of any size is indented in constant
// memory, and the bytes are those of indenting it whole.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/** Input is indented in pieces of this size, so that an output buffer is rarely grown. */
const PIECE_BYTES = 32 * 1024;
/** A piece of output that has reached this is given out. */
const FULL_BYTES = 4 * PIECE_BYTES;

/** Fewer bytes than this are copied faster by a loop than by a call. */
const SHORT_BYTES = 48;

/** A whole compact JSON text indented, as it stands at some depth of another. */
export function indentJson(json: Uint8Array, depth = 0): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const piece of new Indenter(depth).indent(json)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Takes one compact JSON text, in chunks cut anywhere; a newline after it is dropped. */
export class Indenter {
  #depth: number;
  #inString = false;
  #escaped = false;
  /** An opening bracket was written, and whether anything stands in it is not known yet. */
  #justOpened = false;
  #out: Buffer = Buffer.allocUnsafeSlow(2 * PIECE_BYTES);
  #used = 0;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** The chunk indented, in pieces that are good until the next one is asked for. */
  *indent(chunk: Uint8Array): Generator<Uint8Array, void> {
    for (let at = 0; at < chunk.length; ) {
      this.#used = 0;
      at = this.#piece(chunk, at, Math.min(chunk.length, at + PIECE_BYTES));
      yield this.#out.subarray(0, this.#used);
    }
  }

  /** Gives where it stopped: before the end where deep nesting makes each byte a long line. */
  #piece(chunk: Uint8Array, from: number, end: number): number {
    let i = from;
    while (i < end && this.#used < FULL_BYTES) {
      if (this.#inString) {
        i = this.#string(chunk, i, end);
        continue;
      }
      this.#structure(chunk[i]!);
      i++;
    }
    return i;
  }

  /** Copies up to the closing quote, or to the end of the piece. */
  #string(chunk: Uint8Array, from: number, end: number): number {
    let stop = from;
    let escaped = this.#escaped;
    while (stop < end && this.#inString) {
      const byte = chunk[stop++];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    }
    this.#escaped = escaped;
    this.#copy(chunk, from, stop);
    return stop;
  }

  #copy(chunk: Uint8Array, from: number, end: number): void {
    this.#room(end - from);
    const out = this.#out;
    let to = this.#used;
    if (end - from < SHORT_BYTES) for (let i = from; i < end; i++) out[to++] = chunk[i]!;
    else out.set(chunk.subarray(from, end), to);
    this.#used += end - from;
  }

  #structure(byte: number): void {
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth--;
      if (!this.#justOpened) this.#breakLine();
      this.#justOpened = false;
      this.#byte(byte);
      return;
    }
    if (byte === NEWLINE) return;
    if (this.#justOpened) {
      this.#breakLine();
      this.#justOpened = false;
    }
    this.#byte(byte);
    if (byte === QUOTE) this.#inString = true;
    else if (byte === COLON) this.#byte(SPACE);
    else if (byte === COMMA) this.#breakLine();
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth++;
      this.#justOpened = true;
    }
  }

  #breakLine(): void {
    const spaces = 2 * this.#depth;
    this.#room(1 + spaces);
    const out = this.#out;
    const start = this.#used + 1;
    const end = start + spaces;
    out[start - 1] = NEWLINE;
    if (spaces < SHORT_BYTES) for (let i = start; i < end; i++) out[i] = SPACE;
    else out.fill(SPACE, start, end);
    this.#used = end;
  }

  #byte(byte: number): void {
    this.#room(1);
    this.#out[this.#used++] = byte;
  }

  /** Deep nesting makes one input byte many; the buffer then doubles. */
  #room(bytes: number): void {
    if (this.#used + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#out.length, this.#used + bytes));
    larger.set(this.#out.subarray(0, this.#used));
    this.#out = larger;
  }
}
