// Which of YAML's five ways to write a string the reference chooses.
import { COLON, CONTROL, HASH, HIGH, NEWLINE, SPACE } from './classes.ts';
import { readsAsText } from './resolver.ts';

export const PLAIN: number = 0;
export const SINGLE_QUOTED: number = 1;
export const DOUBLE_QUOTED: number = 2;
export const LITERAL: number = 3;
/** Behind the style: line breaks of any kind are in it. Such a key needs a `?`. */
export const MULTILINE: number = 4;

/** The style of the string in bytes start to end, which holds bytes of these classes, with or without MULTILINE. */
export function chooseStyle(text: Buffer, start: number, end: number, classes: number): number {
  const readsRight = readsAsText(text, start, end, classes);
  if ((classes & (CONTROL | NEWLINE | HIGH)) !== 0) {
    return styleOfUnusual(text, start, end, (classes & NEWLINE) !== 0, readsRight);
  }
  if (!readsRight) return DOUBLE_QUOTED;
  if (FIRST[text[start]!] !== ANY_PLACE && !mayStart(text, start, end)) return SINGLE_QUOTED;
  if ((classes & (SPACE | COLON)) === 0) return PLAIN;
  const last = text[end - 1];
  if (last === COLON_BYTE || last === SPACE_BYTE || text[start] === SPACE_BYTE) return SINGLE_QUOTED;
  if ((classes & SPACE) === 0 || (classes & (COLON | HASH)) === 0) return PLAIN;
  return hasIndicator(text, start, end) ? SINGLE_QUOTED : PLAIN;
}

/** Printable, as far as YAML is concerned; U+2028 and U+2029 count, and all beyond U+FFFF don't. `at` isn't ASCII. */
export function isPrintableHigh(text: Buffer, at: number): boolean {
  const byte = text[at]!;
  if (byte === 0xc2) return text[at + 1]! >= 0xa0;
  if (byte !== 0xef) return byte < 0xf0;
  const second = text[at + 1]!;
  const third = text[at + 2]!;
  return !(second === 0xbb && third === 0xbf) && !(second === 0xbf && third >= 0xbe);
}

/** U+2028 and U+2029, the breaks that are printed raw. */
export function isWideBreak(text: Buffer, at: number): boolean {
  return text[at] === 0xe2 && text[at + 1] === 0x80 && (text[at + 2]! & 0xfe) === 0xa8;
}

const SPACE_BYTE = 0x20;
const COLON_BYTE = 0x3a;
const HASH_BYTE = 0x23;
const NEWLINE_BYTE = 0x0a;

const ANY_PLACE = 0;
const NEVER_FIRST = 1;
const BEFORE_TEXT = 2;
const THREE_FOLD = 3;

/** What a string may not begin with. */
const FIRST: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  if ('#,[]{}&*!|>\'"%@`'.includes(letter)) return NEVER_FIRST;
  if ('?:-'.includes(letter)) return BEFORE_TEXT;
  return letter === '.' ? THREE_FOLD : ANY_PLACE;
});

/** `- a`, `-` and `---` mean something; `-a` doesn't. */
function mayStart(text: Buffer, start: number, end: number): boolean {
  const byte = text[start]!;
  const kind = FIRST[byte];
  if (kind === NEVER_FIRST) return false;
  if (kind === BEFORE_TEXT && (start + 1 === end || text[start + 1] === SPACE_BYTE)) return false;
  const isMark = byte === 0x2d || byte === 0x2e;
  return !(isMark && end - start >= 3 && text[start + 1] === byte && text[start + 2] === byte);
}

/** `: ` or ` #` */
function hasIndicator(text: Buffer, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const byte = text[at];
    if (byte === HASH_BYTE && text[at - 1] === SPACE_BYTE) return true;
    if (byte === SPACE_BYTE && text[at - 1] === COLON_BYTE) return true;
  }
  return false;
}

/** Text with line breaks, with characters that need an escape, or just beyond ASCII. */
function styleOfUnusual(
  text: Buffer,
  start: number,
  end: number,
  hasNewline: boolean,
  readsRight: boolean,
): number {
  let multiline = false;
  let special = false;
  let spaceBeforeBreak = false;
  let spaceAfterBreak = false;
  let before = OTHER;
  let first = OTHER;
  let at = start;
  while (at < end) {
    const byte = text[at]!;
    let kind = OTHER;
    let width = 1;
    if (byte === SPACE_BYTE) {
      kind = BLANK;
      if (before === BREAK) spaceAfterBreak = true;
    } else if (byte < 0x80) {
      if (byte === NEWLINE_BYTE) kind = BREAK;
      else if (byte < 0x20 || byte === 0x7f) special = true;
      if (byte === CARRIAGE_RETURN) kind = BREAK;
    } else {
      width = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      if (!isPrintableHigh(text, at)) special = true;
      if (isWideBreak(text, at) || (byte === 0xc2 && text[at + 1] === 0x85)) kind = BREAK;
    }
    if (kind === BREAK) {
      multiline = true;
      if (before === BLANK) spaceBeforeBreak = true;
    }
    if (at === start) first = kind;
    before = kind;
    at += width;
  }
  const lines = multiline ? MULTILINE : 0;
  if (special || spaceBeforeBreak) return DOUBLE_QUOTED | lines;
  if (hasNewline) return (before === BLANK ? DOUBLE_QUOTED : LITERAL) | lines;
  if (!readsRight || spaceAfterBreak) return DOUBLE_QUOTED | lines;
  const plain =
    !multiline &&
    first === OTHER &&
    before === OTHER &&
    mayStart(text, start, end) &&
    text[end - 1] !== COLON_BYTE &&
    !hasIndicator(text, start, end);
  return (plain ? PLAIN : SINGLE_QUOTED) | lines;
}

const CARRIAGE_RETURN = 0x0d;
const OTHER = 0;
const BLANK = 1;
const BREAK = 2;
