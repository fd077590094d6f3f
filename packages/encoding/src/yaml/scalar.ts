// Writes one string in the style chosen for it, folded where the reference folds.
import { SPACE } from './classes.ts';
import type { Lines } from './lines.ts';
import { DOUBLE_QUOTED, isPrintableHigh, isWideBreak, LITERAL, PLAIN, SINGLE_QUOTED } from './style.ts';

/** A line is broken at the first single space behind this column. */
const FOLD_BEHIND_COLUMN = 80;

/** A short ASCII string that can't reach the fold, as most are, is copied. `indent` is that of lines that follow. */
export function writeText(
  lines: Lines,
  text: Buffer,
  start: number,
  end: number,
  classes: number,
  style: number,
  indent: number,
): void {
  if (style === PLAIN && ((classes & SPACE) === 0 || fits(lines, end - start))) lines.copy(text, start, end);
  else if (style === PLAIN || style === SINGLE_QUOTED) writeFolded(lines, text, start, end, style, indent);
  else if (style === DOUBLE_QUOTED) writeEscaped(lines, text, start, end, indent);
  else if (style === LITERAL) writeLiteral(lines, text, start, end, indent);
}

/** Keys before a colon stand on one line, however long. */
export const NEVER_FOLD: number = -1;

function fits(lines: Lines, length: number): boolean {
  return lines.used - lines.lineStart + length <= FOLD_BEHIND_COLUMN;
}

/** Plain and single-quoted: nothing is escaped but the quote, which is doubled. */
function writeFolded(
  lines: Lines,
  text: Buffer,
  start: number,
  end: number,
  style: number,
  indent: number,
): void {
  const quoted = style === SINGLE_QUOTED;
  if (quoted) lines.byte(SINGLE);
  let column = lines.column();
  let at = start;
  while (at < end) {
    const byte = text[at]!;
    lines.reserve(LONGEST_CHARACTER);
    if (byte === BLANK) {
      const alone = text[at - 1] !== BLANK || at === start;
      const inside = at > start && at < end - 1;
      if (alone && inside && column > FOLD_BEHIND_COLUMN && text[at + 1] !== BLANK && indent !== NEVER_FOLD) {
        column = breakLine(lines, indent);
      } else {
        lines.bytes[lines.used++] = BLANK;
        column++;
      }
      at++;
    } else if (isWideBreak(text, at)) {
      at = copyBreaks(lines, text, at, end, indent);
      column = indent;
    } else {
      if (quoted && byte === SINGLE) {
        lines.bytes[lines.used++] = SINGLE;
        column++;
      }
      lines.bytes[lines.used++] = byte;
      if ((byte & 0xc0) !== 0x80) column++;
      at++;
    }
  }
  if (quoted) lines.byte(SINGLE);
}

function writeEscaped(lines: Lines, text: Buffer, start: number, end: number, indent: number): void {
  lines.byte(DOUBLE);
  let column = lines.column();
  // A byte order mark at the front makes the reference escape everything behind it.
  const escapesAll = end - start >= 3 && isByteOrderMark(text, start);
  let at = start;
  while (at < end) {
    const byte = text[at]!;
    lines.reserve(LONGEST_ESCAPE);
    if (byte === BLANK && !escapesAll) {
      const alone = at > start && text[at - 1] !== BLANK;
      if (alone && at < end - 1 && column > FOLD_BEHIND_COLUMN && indent !== NEVER_FOLD) {
        column = breakLine(lines, indent);
        if (text[at + 1] === BLANK) {
          lines.byte(BACKSLASH);
          column++;
        }
      } else {
        lines.bytes[lines.used++] = BLANK;
        column++;
      }
      at++;
    } else if (escapesAll || needsEscape(text, at)) {
      const before = lines.used;
      at = writeEscape(lines, text, at);
      column += lines.used - before;
    } else {
      lines.bytes[lines.used++] = byte;
      if ((byte & 0xc0) !== 0x80) column++;
      at++;
    }
  }
  lines.byte(DOUBLE);
}

/** Block scalar: a header, then each line as it is. Its end may be a break; the value is then complete. */
function writeLiteral(lines: Lines, text: Buffer, start: number, end: number, indent: number): void {
  const first = text[start]!;
  lines.ascii(first === BLANK || first === NEWLINE || isWideBreak(text, start) ? '|2' : '|');
  const last = breakBefore(text, start, end);
  if (last === end) lines.byte(HYPHEN);
  else if (last === start || breakBefore(text, start, last) < last) lines.byte(PLUS);
  lines.newline();
  let atLineStart = true;
  let at = start;
  while (at < end) {
    if (text[at] === NEWLINE) {
      lines.newline();
      atLineStart = true;
      at++;
    } else if (isWideBreak(text, at)) {
      lines.copy(text, at, at + 3);
      lines.startLine();
      atLineStart = true;
      at += 3;
    } else {
      if (atLineStart) lines.spaces(indent);
      atLineStart = false;
      const from = at;
      do at++;
      while (at < end && text[at] !== NEWLINE && !isWideBreak(text, at));
      lines.copy(text, from, at);
    }
  }
}

/** True when the literal's text ends in a break, so that no newline is to follow it. */
export function endsInBreak(text: Buffer, start: number, end: number): boolean {
  return breakBefore(text, start, end) < end;
}

const BLANK = 0x20;
const NEWLINE = 0x0a;
const SINGLE = 0x27;
const DOUBLE = 0x22;
const BACKSLASH = 0x5c;
const HYPHEN = 0x2d;
const PLUS = 0x2b;
const LONGEST_CHARACTER = 4;
/** \U0001F600 */
const LONGEST_ESCAPE = 10;

/** Gives back the column the next line begins at. */
function breakLine(lines: Lines, indent: number): number {
  lines.newline();
  lines.spaces(indent);
  lines.reserve(LONGEST_ESCAPE);
  return indent;
}

/** U+2028 and U+2029 stand raw; what follows them is indented. */
function copyBreaks(lines: Lines, text: Buffer, from: number, end: number, indent: number): number {
  let at = from;
  while (at < end && isWideBreak(text, at)) at += 3;
  lines.copy(text, from, at);
  lines.startLine();
  if (at < end) lines.spaces(indent);
  return at;
}

/** Where the break that ends at `end` begins; `end` when there is none. */
function breakBefore(text: Buffer, start: number, end: number): number {
  if (end > start && text[end - 1] === NEWLINE) return end - 1;
  return end - start >= 3 && isWideBreak(text, end - 3) ? end - 3 : end;
}

function isByteOrderMark(text: Buffer, at: number): boolean {
  return text[at] === 0xef && text[at + 1] === 0xbb && text[at + 2] === 0xbf;
}

function needsEscape(text: Buffer, at: number): boolean {
  const byte = text[at]!;
  if (byte < 0x80) return byte < 0x20 || byte === 0x7f || byte === DOUBLE || byte === BACKSLASH;
  if ((byte & 0xc0) === 0x80) return false;
  return !isPrintableHigh(text, at) || isWideBreak(text, at);
}

function writeEscape(lines: Lines, text: Buffer, at: number): number {
  const byte = text[at]!;
  const width = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  let value = byte & (width === 1 ? 0x7f : 0x7f >> width);
  for (let i = 1; i < width; i++) value = (value << 6) | (text[at + i]! & 0x3f);
  lines.ascii(`\\${SHORT_ESCAPES.get(value) ?? hexadecimal(value)}`);
  return at + width;
}

function hexadecimal(value: number): string {
  const digits = value.toString(16).toUpperCase();
  if (value <= 0xff) return `x${digits.padStart(2, '0')}`;
  return value <= 0xffff ? `u${digits.padStart(4, '0')}` : `U${digits.padStart(8, '0')}`;
}

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);
