// What the bytes of a string are to YAML: one lookup a byte tells which strings need a closer look.

/** A number or a date could hold it. */
export const DIGIT: number = 1 << 3;
export const NUMBER_PUNCTUATION: number = 1 << 4;
/** a c d f: of all numbers only those behind 0x have them. */
export const HEX_LETTER: number = 1 << 5;
/** No number and no date holds it. */
export const OTHER_PRINTABLE: number = 1 << 6;
export const SPACE: number = 1 << 7;
export const COLON: number = 1 << 8;
export const HASH: number = 1 << 9;
/** ASCII that only an escape can show. */
export const CONTROL: number = 1 << 10;
export const NEWLINE: number = 1 << 11;
/** Not ASCII. */
export const HIGH: number = 1 << 12;
/** Only in RAW_CLASS: the string ends here, or isn't what it looks like. */
export const STOP: number = 1 << 13;

/** Classes of a string's own bytes. */
export const CLASS: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => classOf(byte));

/** Classes of bytes between two quotes of JSON. */
export const RAW_CLASS: Int32Array = CLASS.map((bits, byte) =>
  byte === 0x22 || byte === 0x5c || byte === 0x7f || byte < 0x20 ? STOP : bits,
);

function classOf(byte: number): number {
  const letter = String.fromCharCode(byte);
  if (byte === 0x0a) return NEWLINE;
  if (byte < 0x20 || byte === 0x7f) return CONTROL;
  if (byte >= 0x80) return HIGH;
  if (letter === ' ') return SPACE;
  if (letter === ':') return COLON;
  if (letter === '#') return HASH | OTHER_PRINTABLE;
  if (letter >= '0' && letter <= '9') return DIGIT;
  if ('_.,+-eExXoObBtTzZ'.includes(letter)) return NUMBER_PUNCTUATION;
  if ('acdfACDF'.includes(letter)) return HEX_LETTER;
  return OTHER_PRINTABLE;
}
