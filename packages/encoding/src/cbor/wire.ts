// CBOR's bytes: initial bytes, tags, and how heads and floats are written at their shortest (RFC 8949, 3 and 4.2.1).

export const MAJOR = {
  unsigned: 0x00,
  negative: 0x20,
  bytes: 0x40,
  text: 0x60,
  array: 0x80,
  map: 0xa0,
  tag: 0xc0,
  simple: 0xe0,
} as const;

export const FALSE = 0xf4;
export const TRUE = 0xf5;
export const NULL = 0xf6;
export const UNDEFINED = 0xf7;
export const HALF = 0xf9;
export const SINGLE = 0xfa;
export const DOUBLE = 0xfb;
export const BREAK = 0xff;

/** Tag 55799 around a whole object says that it is CBOR. */
export const SELF_DESCRIBED: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

export const TAG = { timeText: 0, timeNumber: 1, base64Url: 21, base64: 22, base16: 23 } as const;

/** Bytes that JSON shows in base64: tag 22. */
export const TAG_BASE64 = 0xd6;

const LONGEST_HEAD_BYTES = 9;
const TWO_TO_32 = 2 ** 32;

/** Writes a head whose argument is a safe integer. @returns the index behind it. */
export function writeHead(out: Uint8Array, at: number, major: number, argument: number): number {
  if (argument < 24) {
    out[at] = major | argument;
    return at + 1;
  }
  if (argument < 0x100) {
    out[at] = major | 24;
    out[at + 1] = argument;
    return at + 2;
  }
  if (argument < 0x10000) {
    out[at] = major | 25;
    return write16(out, at + 1, argument);
  }
  if (argument < TWO_TO_32) {
    out[at] = major | 26;
    return write32(out, at + 1, argument);
  }
  out[at] = major | 27;
  return write32(out, write32(out, at + 1, Math.floor(argument / TWO_TO_32)), argument % TWO_TO_32);
}

export function headOf(major: number, argument: number): Uint8Array {
  const bytes = new Uint8Array(LONGEST_HEAD_BYTES);
  return bytes.subarray(0, writeHead(bytes, 0, major, argument));
}

/** Writes a head of nine bytes. */
export function writeLongHead(out: Uint8Array, at: number, major: number, argument: bigint): number {
  out[at] = major | 27;
  return write32(out, write32(out, at + 1, Number(argument >> 32n)), Number(argument & 0xffffffffn));
}

/** Writes a finite number as the shortest of half, single and double that gives it back. */
export function writeFloat(out: Uint8Array, at: number, value: number): number {
  if (Math.fround(value) !== value) {
    DOUBLES[0] = value;
    out[at] = DOUBLE;
    return write32(out, write32(out, at + 1, BITS[HIGH]!), BITS[1 - HIGH]!);
  }
  SINGLES[0] = value;
  const bits = BITS[0]!;
  const half = halfBits(bits);
  out[at] = half < 0 ? SINGLE : HALF;
  return half < 0 ? write32(out, at + 1, bits) : write16(out, at + 1, half);
}

const DOUBLES = new Float64Array(1);
const SINGLES = new Float32Array(DOUBLES.buffer);
const BITS = new Uint32Array(DOUBLES.buffer);
/** Which of a double's two words comes first on the wire. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

const SINGLE_BIAS = 127;
const HALF_BIAS = 15;
/** Bits of the fraction that a half hasn't got. */
const LOST_BITS = 13;

/** The half with the value of a single, both as bits; -1: there is none. */
function halfBits(single: number): number {
  const sign = (single >>> 16) & 0x8000;
  if ((single & 0x7fffffff) === 0) return sign;
  const exponent = ((single >>> 23) & 0xff) - SINGLE_BIAS;
  const fraction = single & 0x7fffff;
  if (exponent > HALF_BIAS || exponent < -24) return -1;
  if (exponent > -HALF_BIAS) {
    if ((fraction & ((1 << LOST_BITS) - 1)) !== 0) return -1;
    return sign | ((exponent + HALF_BIAS) << 10) | (fraction >>> LOST_BITS);
  }
  // Subnormal: the one before the point becomes a bit of the fraction.
  const whole = fraction | 0x800000;
  const lost = LOST_BITS - 14 - exponent;
  return (whole & ((1 << lost) - 1)) === 0 ? sign | (whole >>> lost) : -1;
}

function write16(out: Uint8Array, at: number, value: number): number {
  out[at] = value >>> 8;
  out[at + 1] = value & 0xff;
  return at + 2;
}

function write32(out: Uint8Array, at: number, value: number): number {
  out[at] = value >>> 24;
  out[at + 1] = (value >>> 16) & 0xff;
  out[at + 2] = (value >>> 8) & 0xff;
  out[at + 3] = value & 0xff;
  return at + 4;
}
