// WebAssembly written as expressions: each gives the bytes that push its value. Only what passing over JSON needs.
// Opcodes are those of the WebAssembly core specification 2.0, sections 5.4 and 5.5.

/** Instructions that leave one value, or none, on the stack. */
export type Code = readonly number[];

const operation =
  (...opcode: number[]) =>
  (...operands: Code[]): Code => [...operands.flat(), ...opcode];

export const add: (a: Code, b: Code) => Code = operation(0x6a);
export const subtract: (a: Code, b: Code) => Code = operation(0x6b);
export const isLess: (a: Code, b: Code) => Code = operation(0x49);
export const isZero: (a: Code) => Code = operation(0x45);
/** The first where the condition isn't zero. */
export const select: (yes: Code, no: Code, condition: Code) => Code = operation(0x1b);

/** The same for 64 bits, which are unsigned. */
export const add64: (a: Code, b: Code) => Code = operation(0x7c);
export const subtract64: (a: Code, b: Code) => Code = operation(0x7d);
export const isLess64: (a: Code, b: Code) => Code = operation(0x54);
export const isZero64: (a: Code) => Code = operation(0x50);
export const and64: (a: Code, b: Code) => Code = operation(0x83);
export const or64: (a: Code, b: Code) => Code = operation(0x84);
export const xor64: (a: Code, b: Code) => Code = operation(0x85);
export const shiftLeft64: (a: Code, bits: Code) => Code = operation(0x86);
/** The highest bit fills what becomes free. */
export const shiftSigned64: (a: Code, bits: Code) => Code = operation(0x87);
export const countTrailingZeros64: (a: Code) => Code = operation(0x7a);
export const countOnes64: (a: Code) => Code = operation(0x7b);
/** 32 bits to 64 and back. */
export const widen: (a: Code) => Code = operation(0xad);
export const narrow: (a: Code) => Code = operation(0xa7);

/** Of 16 bytes at a time. */
export const equalBytes: (a: Code, b: Code) => Code = operation(0xfd, 0x23);
export const orBytes: (a: Code, b: Code) => Code = operation(0xfd, 0x50);
/** One bit for each byte: its highest. */
export const highBits: (a: Code) => Code = operation(0xfd, 0x64);
export const sixteenOf = (byte: number): Code => [0x41, ...signed(byte), 0xfd, 0x0f];
export const loadSixteen = (address: Code, offset: number): Code => [
  ...address,
  0xfd,
  0x00,
  0x00,
  ...unsigned(offset),
];

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const constant64 = (value: bigint): Code => [0x42, ...signed(value)];

export const when = (condition: Code, then: Code, otherwise: Code = []): Code =>
  otherwise.length === 0
    ? [...condition, 0x04, 0x40, ...then, 0x0b]
    : [...condition, 0x04, 0x40, ...then, 0x05, ...otherwise, 0x0b];
export const loop = (body: Code): Code => [0x03, 0x40, ...body, 0x0b];
/** To the beginning of the loop that stands so many blocks further out. */
export const again = (depth: number): Code => [0x0c, depth];
export const giveBack = (value: Code): Code => [...value, 0x0f];

export type ValueType = 'i32' | 'i64' | 'v128';
const VALUE_TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, v128: 0x7b };

/**
 * A module that imports `js.memory` and exports `run`, a function of so many 32-bit integers that gives one. Its locals
 * are numbered behind its parameters.
 */
export function moduleOf(
  parameters: number,
  locals: readonly ValueType[],
  body: Code,
): Uint8Array<ArrayBuffer> {
  const declared = locals.flatMap((type) => [1, VALUE_TYPES[type]]);
  const code = [...unsigned(locals.length), ...declared, ...body, 0x0b];
  const types = [1, 0x60, parameters, ...Array(parameters).fill(0x7f), 1, 0x7f];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, [1, ...name('js'), ...name('memory'), 0x02, 0x00, 0x00]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number | bigint): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
