// resource.Quantity: `1500m`, `1Gi`, `1e3`; read, rounded and put in canonical form as the reference does.

/** Canonical text, or the reference's error. */
export function canonicalQuantity(text: string): { text: string } | { error: string } {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? parsed : { text: parsed.text };
}

export type Quantity = {
  /** Canonical. */
  text: string;
  /** The value is `digits` × 10^`exponent`. */
  digits: bigint;
  exponent: number;
};

export function parseQuantity(text: string): Quantity | { error: string } {
  const parts = text === '' || text.length > MOST_CHARACTERS ? undefined : split(text);
  if (parts === undefined) return { error: FORMAT_WRONG };
  const [sign, , digits, point, fraction, suffix] = parts;
  // The reference looks no further than the zeros when there is nothing else.
  if (digits === '' && point === '' && suffix === '') return ZERO;
  const unit = readSuffix(suffix);
  if (unit === undefined) return { error: "unable to parse quantity's suffix" };
  const number: Number10 = { sign, whole: digits === '' ? '0' : digits, fraction };
  return verbatim(text, number, unit) ?? canonicalForm(rounded(number, unit));
}

type Format = 'decimal' | 'exponent' | 'binary';
type Unit = { format: Format; base: 2 | 10; exponent: number };
type Number10 = { sign: string; whole: string; fraction: string };
type Decimal = { digits: bigint; exponent: number; format: Format };

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const ZERO: Quantity = { text: '0', digits: 0n, exponent: 0 };
const DECIMAL_SUFFIXES: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Arithmetic on more digits than this takes noticeable time; the reference has no such limit. */
const MOST_CHARACTERS = 4096;
const NANO = -9;
const MOST = 2n ** 63n - 1n;
/** Digits that are sure to fit an int64. */
const INT64_DIGITS = 18;
/** Behind these, digits of a fraction can only decide that it is rounded up. */
const FRACTION_DIGITS = 48;
/** No binary quantity of more digits is below the cap, and none below it has more. */
const WHOLE_DIGITS = 24;

type Parts = readonly [
  sign: string,
  zeros: string,
  digits: string,
  point: string,
  fraction: string,
  suffix: string,
];

const PART_PATTERNS: readonly RegExp[] = [
  /[+-]?/y,
  /0*/y,
  /\d*/y,
  /\.?/y,
  /\d*/y,
  /[eEinumkKMGTP]*[-+]?\d*/y,
];

/** One pattern after the other: a single one for all would try its repetitions against each other. */
function split(text: string): Parts | undefined {
  let at = 0;
  const parts = PART_PATTERNS.map((pattern, place) => {
    // Without a point there is no fraction, and digits behind are a suffix (of none).
    if (place === 4 && text[at - 1] !== '.') return '';
    pattern.lastIndex = at;
    const part = pattern.exec(text)![0];
    at += part.length;
    return part;
  });
  return at === text.length ? (parts as unknown as Parts) : undefined;
}

function readSuffix(suffix: string): Unit | undefined {
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal >= 0) return { format: 'decimal', base: 10, exponent: decimal * 3 + NANO };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { format: 'binary', base: 2, exponent: binary * 10 };
  if (!/^[eE][+-]?\d+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) >= 2 ** 63) return undefined;
  return { format: 'exponent', base: 10, exponent: Number(BigInt.asIntN(32, BigInt(exponent))) };
}

/** The reference keeps what was written where it can see that it is canonical, signs and zeros before it included. */
function verbatim(text: string, number: Number10, unit: Unit): Quantity | undefined {
  const shifted = number.whole + number.fraction;
  if (shifted.length > INT64_DIGITS || shifted.startsWith('0')) return undefined;
  const value = BigInt(number.sign === '-' ? `-${shifted}` : shifted);
  if (unit.base === 2) {
    const digits = 15 - number.whole.length - Math.trunc((unit.exponent * 3) / 10) - 1;
    if (number.fraction !== '' || digits < 0 || (value & 7n) === 0n) return undefined;
    return { text, digits: value << BigInt(unit.exponent), exponent: 0 };
  }
  const exponent = unit.exponent - number.fraction.length;
  if (exponent < NANO || exponent % 3 !== 0 || value % 1000n === 0n) return undefined;
  return { text, digits: value, exponent };
}

/** The value without its unit, rounded away from zero to billionths; binary values are capped. */
function rounded(number: Number10, unit: Unit): Decimal {
  const negative = number.sign === '-';
  let { whole, fraction } = number;
  if (unit.base === 2 && whole.length > WHOLE_DIGITS) whole = '9'.repeat(WHOLE_DIGITS);
  if (unit.base === 2 && fraction.length > FRACTION_DIGITS) {
    const rest = /[1-9]/.test(fraction.slice(FRACTION_DIGITS)) ? '1' : '';
    fraction = fraction.slice(0, FRACTION_DIGITS) + rest;
  }
  let exponent = (unit.base === 10 ? unit.exponent : 0) - fraction.length;
  let text = (whole + fraction).replace(/^0+/, '');
  const excess = NANO - exponent;
  let up = 0n;
  if (excess > 0) {
    const cut = Math.max(text.length - excess, 0);
    up = /[1-9]/.test(text.slice(cut)) && unit.base === 10 ? 1n : 0n;
    if (unit.base === 10) {
      text = text.slice(0, cut);
      exponent = NANO;
    }
  }
  let digits = BigInt(text || '0') + up;
  let { format } = unit;
  if (unit.base === 2) {
    digits <<= BigInt(unit.exponent);
    if (exponent < NANO) {
      const divisor = 10n ** BigInt(NANO - exponent);
      digits = (digits + divisor - 1n) / divisor;
      exponent = NANO;
    }
    if (exponent >= 0 ? digits * 10n ** BigInt(exponent) > MOST : digits > MOST * 10n ** BigInt(-exponent)) {
      digits = MOST;
      exponent = 0;
    }
    // Less than one: the reference fears confusion.
    if (exponent < 0 && digits < 10n ** BigInt(-exponent)) format = 'decimal';
  }
  return { digits: negative ? -digits : digits, exponent, format };
}

function canonicalForm(value: Decimal): Quantity {
  if (value.digits === 0n) return ZERO;
  const { digits, exponent } = withoutZeros(value);
  const whole = exponent >= 0 ? digits * 10n ** BigInt(Math.min(exponent, 40)) : undefined;
  if (value.format === 'binary' && whole !== undefined && (whole >= 1024n || whole <= -1024n)) {
    return { text: binaryText(whole), digits, exponent };
  }
  const shift = ((exponent % 3) + 3) % 3;
  const number = digits * 10n ** BigInt(shift);
  const power = exponent - shift;
  const suffix =
    value.format === 'exponent'
      ? power === 0
        ? ''
        : `e${power}`
      : (DECIMAL_SUFFIXES[(power - NANO) / 3] ?? '');
  return { text: `${number}${suffix}`, digits, exponent };
}

function binaryText(whole: bigint): string {
  let number = whole;
  let place = 0;
  while (number % 1024n === 0n && place < BINARY_SUFFIXES.length - 1) {
    number /= 1024n;
    place++;
  }
  return `${number}${BINARY_SUFFIXES[place]}`;
}

function withoutZeros(value: Decimal): { digits: bigint; exponent: number } {
  const text = String(value.digits);
  const zeros = /0*$/.exec(text)![0].length;
  return { digits: BigInt(text.slice(0, text.length - zeros)), exponent: value.exponent + zeros };
}
