// The text of a string that has escapes or line breaks in it, as YAML reads what stands between JSON's quotes.
//
//     in JSON          YAML reads
//     \n \u003c        the same as JSON
//     \/ \ud83d        an error: YAML has no such escapes
//     raw U+0085       a line break: folded to a space, spaces around it lost (YAML 1.1, 7.1 and 5.1.3)
//     raw U+2028/9     a line break that stays
//
// Text never grows, so it is written over its own raw form.
import { HIGH, RAW_CLASS, SPACE as SPACE_CLASS, STOP } from './classes.ts';
import { controlError, scannerError } from './errors.ts';

export type RawText = {
  /** The index after the text. */
  end: number;
  /** The index of the closing quote. */
  quote: number;
  /** Line breaks it held. */
  lines: number;
};

/** Reads from `start` on; what is before it stays. `lines`: those before the string, for messages. */
export function readRawText(bytes: Buffer, start: number, lines: number): RawText {
  let read = start;
  let write = start;
  let broken = 0;
  // Valid JSON ends in a quote before the bytes do.
  while (read < bytes.length) {
    const byte = bytes[read]!;
    // Spaces before a break are lost; one before another character is not.
    if (isPlain(byte) || (byte === SPACE && isPlain(bytes[read + 1]!))) {
      bytes[write++] = byte;
      read++;
    } else if (byte === BACKSLASH) {
      const value = escaped(bytes, read, lines + broken);
      read += bytes[read + 1] === LETTER_U ? 6 : 2;
      write = putCodePoint(bytes, write, value);
    } else if (byte === QUOTE) {
      break;
    } else {
      let after = read;
      while (bytes[after] === SPACE) after++;
      if (breakWidth(bytes, after) > 0) {
        const fold = readBreaks(bytes, after, write, lines + broken);
        ({ read, write } = fold);
        broken += fold.lines;
      } else if (after > read) {
        bytes.copyWithin(write, read, after);
        write += after - read;
        read = after;
      } else {
        const width = checkedWidth(bytes, read);
        write = move(bytes, write, read, width);
        read += width;
      }
    }
  }
  return { end: write, quote: read, lines: broken };
}

/** Text beyond ASCII without escapes: true when it has line breaks and must be read by readRawText(). */
export function hasRawBreaks(bytes: Buffer, start: number, end: number): boolean {
  let breaks = false;
  for (let at = start; at < end; ) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      at++;
      continue;
    }
    if (byte === 0xc2 || byte === 0xe2) breaks ||= breakWidth(bytes, at) > 0;
    at += checkedWidth(bytes, at);
  }
  return breaks;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const LETTER_U = 0x75;

/** Printable ASCII that means itself wherever it stands. */
function isPlain(byte: number): boolean {
  return (RAW_CLASS[byte]! & (STOP | HIGH | SPACE_CLASS)) === 0;
}

/** Line breaks and the spaces among and behind them: one break becomes a space, of several one is dropped. */
function readBreaks(
  bytes: Buffer,
  start: number,
  to: number,
  lines: number,
): { read: number; write: number; lines: number } {
  let read = start;
  let write = to;
  let broken = 0;
  let kept = false;
  let atLineStart = false;
  for (;;) {
    const width = breakWidth(bytes, read);
    if (width === 0 && bytes[read] !== SPACE) break;
    atLineStart = width > 0;
    if (width === 3) write = move(bytes, write, read, 3);
    else if (width === 2 && broken > 0) bytes[write++] = NEWLINE;
    kept ||= width === 3 || (width === 2 && broken > 0);
    if (width > 0) broken++;
    read += width || 1;
  }
  if (!kept) bytes[write++] = SPACE;
  if (atLineStart && isDocumentMark(bytes, read)) {
    throw scannerError('found unexpected document indicator', lines + broken);
  }
  return { read, write, lines: broken };
}

function move(bytes: Buffer, to: number, from: number, width: number): number {
  for (let i = 0; i < width; i++) bytes[to + i] = bytes[from + i]!;
  return to + width;
}

/** 2 for U+0085, 3 for U+2028 and U+2029, 0 for what doesn't break a line. Raw newlines don't occur in JSON. */
function breakWidth(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === 0xc2) return bytes[at + 1] === 0x85 ? 2 : 0;
  if (byte !== 0xe2 || bytes[at + 1] !== 0x80) return 0;
  return (bytes[at + 2]! & 0xfe) === 0xa8 ? 3 : 0;
}

/** How many bytes the character has, if YAML lets it stand raw. U+0085 may. */
function checkedWidth(bytes: Buffer, at: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) {
    if (byte < 0x20 || byte === 0x7f) throw controlError();
    return 1;
  }
  const second = bytes[at + 1]!;
  if (byte < 0xe0) {
    if (byte === 0xc2 && second < 0xa0 && second !== 0x85) throw controlError();
    return 2;
  }
  if (byte < 0xf0) {
    if (byte === 0xef && second === 0xbf && bytes[at + 2]! >= 0xbe) throw controlError();
    return 3;
  }
  return 4;
}

/** `---` or `...` and then a blank. */
function isDocumentMark(bytes: Buffer, at: number): boolean {
  const byte = bytes[at];
  if ((byte !== 0x2d && byte !== 0x2e) || bytes[at + 1] !== byte || bytes[at + 2] !== byte) return false;
  return bytes[at + 3] === SPACE || breakWidth(bytes, at + 3) > 0;
}

function escaped(bytes: Buffer, backslash: number, lines: number): number {
  const letter = bytes[backslash + 1]!;
  if (letter === LETTER_U) {
    const value = Number.parseInt(bytes.toString('latin1', backslash + 2, backslash + 6), 16);
    if (value >= 0xd800 && value <= 0xdfff) {
      throw scannerError('found invalid Unicode character escape code', lines);
    }
    return value;
  }
  const value = ESCAPES.get(letter);
  if (value === undefined) throw scannerError('found unknown escape character', lines);
  return value;
}

const ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

function putCodePoint(bytes: Buffer, at: number, value: number): number {
  if (value < 0x80) {
    bytes[at] = value;
    return at + 1;
  }
  if (value < 0x800) {
    bytes[at] = 0xc0 | (value >> 6);
    bytes[at + 1] = 0x80 | (value & 0x3f);
    return at + 2;
  }
  bytes[at] = 0xe0 | (value >> 12);
  bytes[at + 1] = 0x80 | ((value >> 6) & 0x3f);
  bytes[at + 2] = 0x80 | (value & 0x3f);
  return at + 3;
}
