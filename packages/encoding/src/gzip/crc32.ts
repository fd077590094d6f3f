// Joins CRC-32s: the checksum of A followed by B from those of A and B, without looking at their bytes (RFC 1952, section 8).
//
// A CRC-32 is a polynomial over GF(2) modulo P. Appending n bytes multiplies it by x^(8n), so
// crc(AB) = crc(A) · x^(8n) + crc(B). Polynomials are kept reflected, as in the CRC itself: bit 31 is x^0.

const P = 0xedb88320;
const ONE = 0x80000000;
/** Operators are cached by length; leaves come in few lengths, lists of odd items in many. */
const OPERATORS_MAX = 4096;

/** CRC-32 of A followed by B, given both and B's length in bytes. */
export function combineCrc32(crcA: number, crcB: number, lengthB: number): number {
  if (lengthB === 0) return crcA;
  return (multiply(operatorFor(lengthB), crcA) ^ crcB) >>> 0;
}

const operators = new Map<number, number>();

function operatorFor(lengthBytes: number): number {
  let operator = operators.get(lengthBytes);
  if (operator === undefined) {
    if (operators.size >= OPERATORS_MAX) operators.clear();
    operator = powerOfX(lengthBytes);
    operators.set(lengthBytes, operator);
  }
  return operator;
}

/** x^(8·bytes) modulo P, by repeated squaring. */
function powerOfX(bytes: number): number {
  let result = ONE;
  for (let rest = bytes, k = 3; rest > 0; rest = Math.floor(rest / 2), k++) {
    if (rest % 2 === 1) result = multiply(result, squares[k % squares.length]!);
  }
  return result;
}

/** Product of two polynomials modulo P. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b >>> 0;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ P : shifted >>> 1;
  }
  return product >>> 0;
}

/** x^(2^k) for k = 0…31; then they repeat, since x^(2^32) = x. */
const squares: number[] = [0x40000000];
for (let k = 1; k < 32; k++) squares.push(multiply(squares[k - 1]!, squares[k - 1]!));
