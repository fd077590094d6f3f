// Whether bytes are one well-formed CBOR item: a walk without recursion that builds nothing, so hostile bytes cost no more
// than their length. It comes before everything else, as in the reference: its errors are told first.
import { CborError, notAccepted, TYPE_NAMES } from './error.ts';
import { BREAK, MAJOR } from './wire.ts';

/** Arrays, maps and tags within each other. */
export const CBOR_DEPTH_LIMIT = 10_000;
/** Elements of an array. */
const ELEMENTS_LIMIT = 2_147_483_647;
/** Pairs of a map. */
const PAIRS_LIMIT = 2_097_152;

/** @throws CborError */
export function checkCbor(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new CborError('EOF');
  const end = new Check(bytes).item();
  if (end === bytes.length) return;
  throw new CborError(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
}

/** An array or map whose items are being read. */
type Open = {
  isMap: boolean;
  /** Items still to come; -1: until a break. */
  left: number;
  /** Items read, counted where there is no telling how many come. */
  read: number;
  /** How deep its items are. */
  depth: number;
};

const INDEFINITE = 31;
const FLOAT16 = 25;

class Check {
  readonly #bytes: Buffer;
  #at = 0;
  #type = 0;
  #info = 0;
  #argument = 0;
  #long = 0n;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @returns where the first item ends. */
  item(): number {
    const outer: Open[] = [];
    let open: Open | undefined;
    for (;;) {
      if (open?.left === -1 && this.#foundBreak()) {
        if (open.isMap && open.read % 2 === 1) throw new CborError('cbor: unexpected "break" code');
      } else {
        const depth = (open?.depth ?? 0) + this.#tags(open?.depth ?? 0);
        const entered = this.#value(depth);
        if (open !== undefined) count(open);
        if (entered !== undefined) {
          if (open !== undefined) outer.push(open);
          open = entered;
        }
        if (open === undefined) return this.#at;
        if (open.left !== 0) continue;
      }
      // An array or map is complete, and with it perhaps those around it.
      do open = outer.pop();
      while (open?.left === 0);
      if (open === undefined) return this.#at;
    }
  }

  /** Reads tags, and the head of what they stand before. @returns how much deeper they make it. */
  #tags(depth: number): number {
    let tags = 0;
    this.#head();
    while (this.#type === TAG) {
      if (tags > 0 && depth + tags > CBOR_DEPTH_LIMIT) throw tooDeep();
      tags++;
      if (this.#at === this.#bytes.length) throw endsEarly();
      if (this.#argument === 2 || this.#argument === 3)
        throw new CborError(notAccepted('tag', 'bignum').message);
      this.#head();
    }
    return Math.max(tags - 1, 0);
  }

  /** What follows its head. An array or map that has items is given back. */
  #value(depth: number): Open | undefined {
    if (this.#type === BYTES || this.#type === TEXT) {
      if (this.#info === INDEFINITE) this.#chunks();
      else this.#string();
      return undefined;
    }
    if (this.#type !== ARRAY && this.#type !== MAP) return undefined;
    if (depth >= CBOR_DEPTH_LIMIT) throw tooDeep();
    const isMap = this.#type === MAP;
    if (this.#info === INDEFINITE) return { isMap, left: -1, read: 0, depth: depth + 1 };
    this.#checkLength('it would cause');
    checkCount(isMap, this.#argument);
    const left = isMap ? this.#argument * 2 : this.#argument;
    return left === 0 ? undefined : { isMap, left, read: 0, depth: depth + 1 };
  }

  #string(): void {
    this.#checkLength('causing');
    if (this.#bytes.length - this.#at < this.#argument) throw endsEarly();
    this.#at += this.#argument;
  }

  #chunks(): void {
    const type = this.#type;
    const name = TYPE_NAMES[type]!;
    while (!this.#foundBreak()) {
      const next = this.#bytes[this.#at]!;
      if (next >> 5 !== type) {
        throw new CborError(
          `cbor: wrong element type ${TYPE_NAMES[next >> 5]} for indefinite-length ${name}`,
        );
      }
      if ((next & 0x1f) === INDEFINITE) {
        throw new CborError(`cbor: indefinite-length ${name} chunk is not definite-length`);
      }
      this.#head();
      this.#string();
    }
  }

  #foundBreak(): boolean {
    if (this.#at === this.#bytes.length) throw endsEarly();
    if (this.#bytes[this.#at] !== BREAK) return false;
    this.#at++;
    return true;
  }

  #head(): void {
    if (this.#at === this.#bytes.length) throw endsEarly();
    const first = this.#bytes[this.#at++]!;
    this.#type = first >> 5;
    this.#info = first & 0x1f;
    this.#argument = this.#info;
    if (this.#info < 24) return;
    if (this.#info > 27) {
      const canBeIndefinite = this.#type >= BYTES && this.#type <= MAP;
      if (this.#info === INDEFINITE && canBeIndefinite) return;
      if (first === BREAK) throw new CborError('cbor: unexpected "break" code');
      throw new CborError(
        `cbor: invalid additional information ${this.#info} for type ${TYPE_NAMES[this.#type]}`,
      );
    }
    const size = 1 << (this.#info - 24);
    if (this.#bytes.length - this.#at < size) throw endsEarly();
    if (size === 8) {
      this.#long = this.#bytes.readBigUInt64BE(this.#at);
      this.#argument = Number(this.#long);
    } else this.#argument = this.#bytes.readUIntBE(this.#at, size);
    if (this.#type === SIMPLE) this.#checkSimple();
    this.#at += size;
  }

  #checkSimple(): void {
    if (this.#info < FLOAT16) {
      if (this.#argument >= 32) return;
      throw new CborError(`cbor: invalid simple value ${this.#argument} for type primitives`);
    }
    const [exponent, fraction] = this.#floatBits();
    if (!exponent) return;
    throw new CborError(
      notAccepted('primitives', fraction ? 'floating-point NaN' : 'floating-point infinity').message,
    );
  }

  /** Whether all bits of the exponent are set, and any of the fraction. */
  #floatBits(): [boolean, boolean] {
    if (this.#info === FLOAT16) return [(this.#argument & 0x7c00) === 0x7c00, (this.#argument & 0x3ff) !== 0];
    const value = this.#info === 26 ? this.#bytes.readFloatBE(this.#at) : this.#bytes.readDoubleBE(this.#at);
    return [!Number.isFinite(value), Number.isNaN(value)];
  }

  #checkLength(causing: string): void {
    if (this.#info !== 27 || this.#long < 1n << 63n) return;
    const name = TYPE_NAMES[this.#type];
    throw new CborError(`cbor: ${name} length ${this.#long} is too large, ${causing} integer overflow`);
  }
}

const [BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE] = [
  MAJOR.bytes >> 5,
  MAJOR.text >> 5,
  MAJOR.array >> 5,
  MAJOR.map >> 5,
  MAJOR.tag >> 5,
  MAJOR.simple >> 5,
];

function count(open: Open): void {
  if (open.left > 0) open.left--;
  else {
    open.read++;
    checkCount(open.isMap, open.isMap ? Math.floor(open.read / 2) : open.read);
  }
}

function checkCount(isMap: boolean, count: number): void {
  const limit = isMap ? PAIRS_LIMIT : ELEMENTS_LIMIT;
  if (count <= limit) return;
  const what = isMap ? 'key-value pairs' : 'elements';
  throw new CborError(`cbor: exceeded max number of ${what} ${limit} for CBOR ${isMap ? 'map' : 'array'}`);
}

function endsEarly(): CborError {
  return new CborError('unexpected EOF');
}

function tooDeep(): CborError {
  return new CborError(`cbor: exceeded max nested level ${CBOR_DEPTH_LIMIT}`);
}
