// Which strings YAML 1.1 would take for something else when they stand there without quotes.
//
//     first byte        may be
//     + - 0…9           number, date, sexagesimal number (190:20:30)
//     .                 number, .inf, .nan
//     y n t f o ~       one of the words for true, false and null
//     anything else     a string
import { DIGIT, HEX_LETTER, OTHER_PRINTABLE } from './classes.ts';
import { isTimestamp } from './timestamp.ts';

/** How a string begins, for HINT. */
const NO_HINT = 0;
const WORD_HINT = 1;
const NUMBER_HINT = 2;
const POINT_HINT = 3;

/** True when the string in bytes start to end, which holds bytes of these classes, reads as a string. */
export function readsAsText(text: Buffer, start: number, end: number, classes: number): boolean {
  if (start === end) return false;
  switch (HINT[text[start]!]) {
    case NO_HINT:
      return true;
    case WORD_HINT:
      return !isWord(text, start, end);
    case POINT_HINT:
      return end - start === 1 || !isPointNumber(text.toString('latin1', start, end));
    default:
      return !isNumeric(text, start, end, classes);
  }
}

const HINT: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  if ('+-0123456789'.includes(letter)) return NUMBER_HINT;
  if (letter === '.') return POINT_HINT;
  return 'yYnNtTfFoO~'.includes(letter) ? WORD_HINT : NO_HINT;
});

const LONGEST_WORD = 5;

function isWord(text: Buffer, start: number, end: number): boolean {
  if (end - start > LONGEST_WORD) return false;
  // Most keys that get here are `name`, `type`, `time`, …: the second letter tells.
  const second = text[start + 1]! | 0x20;
  if (end - start > 1 && !SECOND_LETTERS.includes(second)) return false;
  return WORDS.has(text.toString('latin1', start, end));
}

/** ye(s) tr(ue) on no fa(lse) of(f) nu(ll) */
const SECOND_LETTERS: readonly number[] = [...'ernoafu'].map((letter) => letter.charCodeAt(0));

const WORDS: ReadonlySet<string> = new Set([
  '~',
  ...['y', 'n'].flatMap((word) => [word, word.toUpperCase()]),
  ...['yes', 'true', 'on', 'no', 'false', 'off', 'null'].flatMap((word) => [
    word,
    word[0]!.toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]),
]);

function isPointNumber(text: string): boolean {
  return POINT_WORD.test(text) || (POINT_NUMBER.test(text) && fitsFloat(text));
}

const POINT_WORD = /^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$/;
/** Underscores between digits are allowed here, and only here. */
const POINT_NUMBER = /^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/;

function isNumeric(text: Buffer, start: number, end: number, classes: number): boolean {
  if (classes === DIGIT && end - start <= SURELY_FINITE_DIGITS) return true;
  const second = text[start + 1]!;
  // Only +.inf has letters no number and no date has.
  if ((classes & OTHER_PRINTABLE) !== 0 && second !== POINT) return false;
  if ((classes & HEX_LETTER) !== 0 && second !== POINT && !isHexadecimal(text, start)) return false;
  const word = text.toString('latin1', start, end);
  return isTimestamp(word) || isNumber(word) || SEXAGESIMAL.test(word);
}

const POINT = 0x2e;
const LETTER_X = 0x78;
const SURELY_FINITE_DIGITS = 300;

/** 0x… or -0x… */
function isHexadecimal(text: Buffer, start: number): boolean {
  return (text[start + 1]! | 0x20) === LETTER_X || (text[start + 2]! | 0x20) === LETTER_X;
}

function isNumber(word: string): boolean {
  if (POINT_WORD.test(word)) return true;
  const plain = word.replaceAll('_', '');
  const prefixed = PREFIXED.exec(plain);
  if (prefixed) {
    const integer = BigInt(`0${prefixed[2]!.toLowerCase()}${prefixed[3]}`);
    return integer <= (prefixed[1] === '-' ? INT64_MAX + 1n : prefixed[1] === '+' ? INT64_MAX : UINT64_MAX);
  }
  if (SIGN_BEHIND_PREFIX.test(plain)) {
    const integer = BigInt(`0b${plain.slice(3)}`);
    return integer <= (plain[2] === '-' ? INT64_MAX + 1n : INT64_MAX);
  }
  return DECIMAL.test(plain) && fitsFloat(plain);
}

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
const PREFIXED = /^([-+]?)0([xX](?=[\da-fA-F]+$)|[oO](?=[0-7]+$)|[bB](?=[01]+$))([\da-fA-F]+)$/;
const SIGN_BEHIND_PREFIX = /^0b[-+][01]+$/;
const DECIMAL = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const SEXAGESIMAL = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/;

function fitsFloat(number: string): boolean {
  return Number.isFinite(Number(number.replaceAll('_', '')));
}
