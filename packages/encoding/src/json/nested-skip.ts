// Passes over nested JSON 64 bytes at a time, in WebAssembly: what is skipped is most of an object where few of its fields are shown.
//
//   bytes      { " a " : " } \ " " , … }
//   quotes       1   1     1         1          those that aren't escaped
//   strings      1 1       1 1 1 1              from each quote up to the next: exclusive or of all bits below
//   opens      1                         ┐      brackets outside of strings: counted where the object can't end yet,
//   closes                             1 ┘      else gone through one by one
import {
  add,
  add64,
  again,
  and64,
  type Code,
  constant,
  constant64,
  countOnes64,
  countTrailingZeros64,
  equalBytes,
  get,
  giveBack,
  highBits,
  isLess,
  isLess64,
  isZero,
  isZero64,
  loadSixteen,
  loop,
  moduleOf,
  narrow,
  or64,
  orBytes,
  select,
  set,
  shiftLeft64,
  shiftSigned64,
  sixteenOf,
  subtract,
  subtract64,
  type ValueType,
  when,
  widen,
  xor64,
} from './wasm-code.ts';

/** What is used of it: Node's types leave it out. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => WasmMemory;
  Module: new (code: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};
type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number };

/** Longer bytes are not staged. */
const STAGED_MAX_BYTES = 4 * 1024 * 1024;
const FIRST_BYTES = 512 * 1024;
const PAGE_BYTES = 64 * 1024;
const BLOCK_BYTES = 64;

/** Where staged bytes lie; undefined: nowhere. */
export let stage: ArrayBuffer | undefined;

/** The index in `bytes`, which are staged, behind the object or list that starts at `at`. */
export function skipStaged(bytes: Uint8Array, at: number): number {
  const { byteOffset } = bytes;
  return run!(byteOffset + at, byteOffset + bytes.length) - byteOffset;
}

/** A copy of the bytes in which values are passed over faster, good until the next call; or the bytes themselves. */
export function staged(bytes: Uint8Array): Uint8Array {
  const wanted = bytes.length + BLOCK_BYTES;
  if (bytes.length > STAGED_MAX_BYTES || (run === undefined && !open())) return bytes;
  const lacking = wanted - memory!.buffer.byteLength;
  if (lacking > 0) memory!.grow(Math.ceil(lacking / PAGE_BYTES));
  stage = memory!.buffer;
  const copy = new Uint8Array(stage, 0, bytes.length);
  copy.set(bytes);
  return copy;
}

let memory: WasmMemory | undefined;
let run: ((at: number, end: number) => number) | undefined;
let isRefused = false;

/** Where WebAssembly is switched off, or vectors are unknown, there is none of this. */
function open(): boolean {
  if (isRefused) return false;
  try {
    memory = new WebAssembly.Memory({ initial: FIRST_BYTES / PAGE_BYTES });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(skipModule()), { js: { memory } });
    run = instance.exports.run as (at: number, end: number) => number;
  } catch {
    isRefused = true;
  }
  return !isRefused;
}

/** Parameters, then locals. */
const [BLOCK, END, DEPTH, COUNT] = [0, 1, 2, 3];
const [FIRST_VECTOR, VECTORS] = [4, 4];
const [SLASHES, ESCAPED, ESCAPES_NEXT, FOLLOWING, ENDS] = [8, 9, 10, 11, 12];
const [STRINGS, IN_STRING, OPENS, CLOSES, BRACKETS, LOWEST] = [13, 14, 15, 16, 17, 18];
const LOCALS: readonly ValueType[] = [
  ...Array<ValueType>(2).fill('i32'),
  ...Array<ValueType>(4).fill('v128'),
  ...Array<ValueType>(11).fill('i64'),
];

const ONE = constant64(1n);
const EVEN_BITS = constant64(0x5555_5555_5555_5555n);
/** Brackets and braces differ by this bit. */
const BRACE_BIT = sixteenOf(0x20);

function skipModule(): Uint8Array<ArrayBuffer> {
  const vectors = Array.from({ length: VECTORS }, (_, i) =>
    set(FIRST_VECTOR + i, loadSixteen(get(BLOCK), 16 * i)),
  );
  return moduleOf(2, LOCALS, [
    ...loop([
      ...vectors.flat(),
      ...set(
        SLASHES,
        bitsOf((vector) => equalBytes(vector, sixteenOf(0x5c))),
      ),
      ...set(ESCAPED, constant64(0n)),
      ...when(isZero(isZero64(or64(get(SLASHES), get(ESCAPES_NEXT)))), findEscaped()),
      ...set(
        STRINGS,
        bitsOf((vector) => equalBytes(vector, sixteenOf(0x22))),
      ),
      ...set(STRINGS, without(get(STRINGS), get(ESCAPED))),
      ...[1, 2, 4, 8, 16, 32].flatMap((bits) =>
        set(STRINGS, xor64(get(STRINGS), shiftLeft64(get(STRINGS), constant64(BigInt(bits))))),
      ),
      ...set(STRINGS, xor64(get(STRINGS), get(IN_STRING))),
      ...set(IN_STRING, shiftSigned64(get(STRINGS), constant64(63n))),
      ...set(OPENS, without(bitsOf(isBracket(0x7b)), get(STRINGS))),
      ...set(CLOSES, without(bitsOf(isBracket(0x7d)), get(STRINGS))),
      ...set(COUNT, narrow(countOnes64(get(CLOSES)))),
      ...when(
        isLess(get(COUNT), get(DEPTH)),
        set(DEPTH, subtract(add(get(DEPTH), narrow(countOnes64(get(OPENS)))), get(COUNT))),
        goThroughBrackets(),
      ),
      ...set(BLOCK, add(get(BLOCK), constant(BLOCK_BYTES))),
      ...when(isLess(get(BLOCK), get(END)), again(1)),
    ]),
    ...get(END),
  ]);
}

/** A bit for each of the 64 bytes. */
function bitsOf(test: (vector: Code) => Code): Code {
  return Array.from({ length: VECTORS }, (_, i) => {
    const bits = widen(highBits(test(get(FIRST_VECTOR + i))));
    return i === 0 ? bits : shiftLeft64(bits, constant64(BigInt(16 * i)));
  }).reduce((all, bits) => or64(all, bits));
}

function isBracket(brace: number): (vector: Code) => Code {
  return (vector) => equalBytes(orBytes(vector, BRACE_BIT), sixteenOf(brace));
}

function without(bits: Code, others: Code): Code {
  return and64(bits, xor64(others, constant64(-1n)));
}

/**
 * Bytes behind a run of backslashes of odd length, and every second one within runs. Adding to a run's first bit
 * carries to the bit behind the run, whose place is even or odd as the run's length makes it.
 */
function findEscaped(): Code {
  return [
    ...set(SLASHES, without(get(SLASHES), get(ESCAPES_NEXT))),
    ...set(FOLLOWING, or64(shiftLeft64(get(SLASHES), ONE), get(ESCAPES_NEXT))),
    ...set(ENDS, add64(without(without(get(SLASHES), EVEN_BITS), get(FOLLOWING)), get(SLASHES))),
    ...set(ESCAPES_NEXT, widen(isLess64(get(ENDS), get(SLASHES)))),
    ...set(ESCAPED, and64(xor64(EVEN_BITS, shiftLeft64(get(ENDS), ONE)), get(FOLLOWING))),
  ];
}

function goThroughBrackets(): Code {
  const end = add(add(get(BLOCK), narrow(countTrailingZeros64(get(LOWEST)))), constant(1));
  return [
    ...set(BRACKETS, or64(get(OPENS), get(CLOSES))),
    ...loop(
      when(isZero(isZero64(get(BRACKETS))), [
        ...set(LOWEST, and64(get(BRACKETS), subtract64(constant64(0n), get(BRACKETS)))),
        ...set(BRACKETS, xor64(get(BRACKETS), get(LOWEST))),
        ...when(isZero64(and64(get(CLOSES), get(LOWEST))), set(DEPTH, add(get(DEPTH), constant(1))), [
          ...set(DEPTH, subtract(get(DEPTH), constant(1))),
          ...when(isZero(get(DEPTH)), giveBack(select(end, get(END), isLess(end, get(END))))),
        ]),
        ...again(1),
      ]),
    ),
  ];
}
