// A JSON number as YAML prints it: 64-bit integers as they are, everything else as the nearest float.

/** `text` is a number of JSON's grammar. */
export function printNumber(text: string): string {
  if (INTEGER.test(text)) {
    const integer = BigInt(text);
    if (integer >= INT64_MIN && integer <= UINT64_MAX) return integer.toString();
  }
  const value = Number(text);
  // Too large for a float: it was read as a word.
  return Number.isFinite(value) ? printShortest(value) : text;
}

const INTEGER = /^-?\d{1,20}$/;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/** Go's format g with the shortest digits that read back the same. */
function printShortest(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= EXPONENT_BELOW && exponent < EXPONENT_FROM) return value.toString();
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const EXPONENT_BELOW = -4;
const EXPONENT_FROM = 6;
