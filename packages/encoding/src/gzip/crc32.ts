// Joins CRC-32s: the checksum of A followed by B from those of A and B, without looking at their bytes (RFC 1952, section 8).
//
// A CRC-32 is a polynomial over GF(2) modulo P. Appending n bytes multiplies it by x^(8n), so
// crc(AB) = crc(A) · x^(8n) + crc(B). Polynomials are kept reflected, as in the CRC itself: bit 31 is x^0.

const P = 0xedb88320;
const ONE = 0x80000000;
const X = 0x40000000;

/** CRC-32 of A followed by B, given both and `shiftB`, the shift of B's length. */
export function combineCrc32(crcA: number, crcB: number, shiftB: number): number {
  return (multiply(shiftB, crcA) ^ crcB) >>> 0;
}

/**
 * x^(8·bytes) modulo P: what a CRC-32 is multiplied by when so many bytes follow. It takes ten times as long as
 * joining, so it is kept beside the checksum of bytes that are joined again and again.
 */
export function crc32Shift(bytes: number): number {
  let shift = ONE;
  for (let rest = bytes, k = 3; rest > 0; rest = Math.floor(rest / 2), k++) {
    if (rest % 2 === 1) shift = multiply(shift, squares[k % squares.length]!);
  }
  return shift;
}

/** Product of two polynomials modulo P. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ P : shifted >>> 1;
  }
  return product >>> 0;
}

/** x^(2^k) for k = 0…31. From k = 32 on they repeat: P is irreducible of degree 32, so x^(2^32) = x. */
const squares: number[] = [X];
for (let k = 1; k < 32; k++) squares.push(multiply(squares[k - 1]!, squares[k - 1]!));
