// Compact JSON → CBOR as Kubernetes writes it in its deterministic mode: texts and keys are byte strings, keys are sorted
// by their encoded bytes, heads and floats are the shortest there are (RFC 8949, 4.2.1).
import type { ByteWriter } from '../json/writer.ts';
import { type CborForm, elementForm, memberForm } from './form.ts';
import { JsonTape, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './tape.ts';
import {
  FALSE,
  MAJOR,
  NULL,
  SELF_DESCRIBED,
  TAG_BASE64,
  TRUE,
  writeFloat,
  writeHead,
  writeLongHead,
} from './wire.ts';

/** A whole object, under the tag that says it is CBOR. */
export function encodeCbor(json: Uint8Array, form?: CborForm): Uint8Array {
  const end = encode(json, form);
  const object = Buffer.allocUnsafe(SELF_DESCRIBED.length + end);
  object.set(SELF_DESCRIBED);
  object.set(out.subarray(0, end), SELF_DESCRIBED.length);
  release();
  return object;
}

/** An item of a list, or any other value within one: without the tag. */
export function encodeCborItem(json: Uint8Array, writer: ByteWriter, form?: CborForm): void {
  const end = encode(json, form);
  writer.bytes(out.subarray(0, end));
  release();
}

// One value is encoded at a time, so all share this room.
const tape = new JsonTape();
let out: Buffer = Buffer.alloc(0);
/** Tokens still to be written, the next one on top. `~key` is a member: its key and its value. */
let pending: Int32Array = new Int32Array(0);
/** Of the keys among them: see JsonTape. */
let ranks: Int32Array = new Int32Array(0);
const forms: (CborForm | undefined)[] = [];

const KEPT_BYTES = 1024 * 1024;
/** `0.1,` becomes nine bytes; nothing else grows as much. */
const GROWTH = 3;
/** Below this a length is in the initial byte. */
const SHORT_HEAD = 24;
const LONG_STRING_BYTES = 48;
/** More keys than this are sorted in n log n steps. */
const FEW_KEYS = 24;
const INTEGER_DIGITS = 15;
const ZERO = 0x30;
const MINUS = 0x2d;
const LARGEST = (1n << 63n) - 1n;

function release(): void {
  tape.release();
  if (forms.length > 0) forms.length = 0;
  if (out.length <= KEPT_BYTES) return;
  out = Buffer.alloc(0);
  makeRoom(0);
}

function makeRoom(tokens: number): void {
  pending = new Int32Array(tokens);
  ranks = new Int32Array(tokens);
}

/** @returns how many bytes of `out` the value takes. */
function encode(json: Uint8Array, form: CborForm | undefined): number {
  const room = json.length * GROWTH + SELF_DESCRIBED.length;
  if (out.length < room) out = Buffer.allocUnsafeSlow(room * 2);
  const tokens = tape.read(json);
  if (pending.length <= tokens) makeRoom(tokens * 2 + 1);
  const { kinds } = tape;
  const typed = form !== undefined;
  let at = 0;
  let top = 1;
  pending[0] = 0;
  forms[0] = form;
  while (top > 0) {
    let token = pending[--top]!;
    const expected = typed ? forms[top] : undefined;
    if (token < 0) {
      token = ~token;
      at = writeString(token, at);
      token++;
    }
    const kind = kinds[token]!;
    if (kind === QUOTE) {
      at = expected === 'bytes' ? writeBytes(token, at) : writeString(token, at);
    } else if (kind === OPEN_BRACE) {
      const first = top;
      top = pushMembers(token, first);
      at = writeHead(out, at, MAJOR.map, top - first);
      if (typed) formMembers(first, top, expected);
    } else if (kind === OPEN_BRACKET) {
      const first = top;
      top = pushElements(token, first);
      at = writeHead(out, at, MAJOR.array, top - first);
      if (typed) formElements(first, top, elementForm(expected));
    } else if (kind === 0x74) {
      out[at++] = TRUE;
    } else if (kind === 0x66) {
      out[at++] = FALSE;
    } else if (kind === 0x6e) {
      out[at++] = NULL;
    } else {
      at = expected === 'double' ? writeFloat(out, at, Number(tape.latin1(token))) : writeNumber(token, at);
    }
  }
  return at;
}

/** Puts an object's members on the pile, the first of them on top. Of a key that comes twice the last one stays. */
function pushMembers(object: number, first: number): number {
  const { ends, kinds } = tape;
  const [keys, order] = [pending, ranks];
  const end = ends[object]!;
  let top = first;
  for (let key = object + 1; key < end; ) {
    const rank = tape.rank(key);
    let place = top++;
    if (top - first <= FEW_KEYS) {
      for (; place > first; place--) {
        const difference = order[place - 1]! - rank;
        if (difference > 0 || (difference === 0 && compareKeys(~keys[place - 1]!, key) >= 0)) break;
        keys[place] = keys[place - 1]!;
        order[place] = order[place - 1]!;
      }
    }
    keys[place] = ~key;
    order[place] = rank;
    const kind = kinds[++key]!;
    key = kind === OPEN_BRACE || kind === OPEN_BRACKET ? ends[key]! : key + 1;
  }
  if (top - first > FEW_KEYS) {
    keys.subarray(first, top).sort((left, right) => compareKeys(~right, ~left) || right - left);
    for (let place = first; place < top; place++) order[place] = tape.rank(~keys[place]!);
  }
  return dropRepeated(first, top);
}

function dropRepeated(first: number, top: number): number {
  const [keys, order] = [pending, ranks];
  let kept = first;
  for (let place = first; place < top; place++) {
    const isRepeated =
      place + 1 < top &&
      order[place] === order[place + 1] &&
      compareKeys(~keys[place]!, ~keys[place + 1]!) === 0;
    if (!isRepeated) keys[kept++] = keys[place]!;
  }
  return kept;
}

function pushElements(array: number, first: number): number {
  const end = tape.ends[array]!;
  let top = first;
  for (let element = array + 1; element < end; element = tape.after(element)) pending[top++] = element;
  pending.subarray(first, top).reverse();
  return top;
}

function formMembers(first: number, top: number, form: CborForm | undefined): void {
  for (let place = first; place < top; place++) {
    forms[place] = form === undefined ? undefined : memberForm(form, tape.latin1(~pending[place]!));
  }
}

function formElements(first: number, top: number, form: CborForm | undefined): void {
  for (let place = first; place < top; place++) forms[place] = form;
}

/** By encoded bytes: a shorter key has a smaller head. */
function compareKeys(left: number, right: number): number {
  const { bytes, starts, ends } = tape;
  const leftStart = starts[left]!;
  const rightStart = starts[right]!;
  const length = ends[left]! - leftStart;
  const difference = length - (ends[right]! - rightStart);
  if (difference !== 0) return difference;
  for (let i = 0; i < length; i++) {
    const order = bytes[leftStart + i]! - bytes[rightStart + i]!;
    if (order !== 0) return order;
  }
  return 0;
}

function writeString(token: number, at: number): number {
  const { bytes } = tape;
  const target = out;
  const start = tape.starts[token]!;
  const end = tape.ends[token]!;
  const length = end - start;
  let place = at;
  if (length < SHORT_HEAD) target[place++] = MAJOR.bytes | length;
  else place = writeHead(target, place, MAJOR.bytes, length);
  if (length > LONG_STRING_BYTES) return place + bytes.copy(target, place, start, end);
  for (let i = start; i < end; i++) target[place++] = bytes[i]!;
  return place;
}

function writeBytes(token: number, at: number): number {
  const text = tape.latin1(token);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  out[at] = TAG_BASE64;
  const place = writeHead(out, at + 1, MAJOR.bytes, (text.length / 4) * 3 - padding);
  return place + out.write(text, place, 'base64');
}

/** Integers of 64 bits by their spelling, all else as floats. */
function writeNumber(token: number, at: number): number {
  const { bytes } = tape;
  const start = tape.starts[token]!;
  const end = tape.ends[token]!;
  const isNegative = bytes[start] === MINUS;
  const firstDigit = isNegative ? start + 1 : start;
  let value = 0;
  for (let i = firstDigit; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    // `.`, `e` and `E` are no digits.
    if (digit < 0 || digit > 9) return writeFloat(out, at, Number(tape.latin1(token)));
    value = value * 10 + digit;
  }
  if (end - firstDigit > INTEGER_DIGITS) return writeLongNumber(token, at, isNegative);
  if (isNegative && value > 0) return writeHead(out, at, MAJOR.negative, value - 1);
  return writeHead(out, at, MAJOR.unsigned, value);
}

function writeLongNumber(token: number, at: number, isNegative: boolean): number {
  const text = tape.latin1(token);
  const value = BigInt(text);
  const argument = isNegative ? -1n - value : value;
  if (argument > LARGEST) return writeFloat(out, at, Number(text));
  // What has 16 digits but no need of eight bytes does not exist.
  return writeLongHead(out, at, isNegative ? MAJOR.negative : MAJOR.unsigned, argument);
}
