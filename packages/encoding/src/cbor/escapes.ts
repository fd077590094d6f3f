// Decodes a JSON string's escapes where they stand: none is shorter than the UTF-8 it stands for.

/**
 * @param from where the string's first backslash is.
 * @returns where the closing quote is, and where the decoded bytes end.
 */
export function unescapeString(bytes: Buffer, from: number): { close: number; end: number } {
  let at = from;
  let end = from;
  for (;;) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return { close: at, end };
    if (byte !== BACKSLASH) {
      bytes[end++] = byte;
      at++;
      continue;
    }
    const letter = bytes[at + 1]!;
    if (letter !== LETTER_U) {
      bytes[end++] = LETTERS.get(letter) ?? letter;
      at += 2;
      continue;
    }
    let code = codeUnit(bytes, at);
    at += UNIT_BYTES;
    if (code >= 0xd800 && code < 0xdc00) {
      const low = codeUnit(bytes, at);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += UNIT_BYTES;
      }
    }
    // Half a pair stands for nothing.
    end = writeUtf8(bytes, end, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** `\uXXXX` */
const UNIT_BYTES = 6;

/** What the letter behind a backslash stands for, where it isn't itself. */
const LETTERS: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** The code unit of the `\uXXXX` at `at`; 0 when there is none. */
function codeUnit(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return 0;
  return Number.parseInt(bytes.toString('latin1', at + 2, at + UNIT_BYTES), 16);
}

function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  let place = at;
  if (code < 0x80) bytes[place++] = code;
  else {
    if (code < 0x800) bytes[place++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[place++] = 0xe0 | (code >> 12);
      else {
        bytes[place++] = 0xf0 | (code >> 18);
        bytes[place++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[place++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[place++] = 0x80 | (code & 0x3f);
  }
  return place;
}
