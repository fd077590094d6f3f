// CBOR bytes as a tree, of the kind Kubernetes sends: definite lengths, byte strings where text is meant (RFC 8949).

/** One item; bytes after it are an error. */
export function cborTree(bytes: Buffer): unknown {
  const reader = new CborReader(bytes);
  const value = reader.item();
  if (!reader.atEnd) throw new Error('extraneous bytes');
  return value;
}

/** Items one after the other, as in a watch (RFC 8742). */
export function cborSequence(bytes: Buffer): unknown[] {
  const reader = new CborReader(bytes);
  const items: unknown[] = [];
  while (!reader.atEnd) items.push(reader.item());
  return items;
}

/** The tag that says "this is CBOR" and nothing about the value. */
const SELF_DESCRIBED = 55799n;

class CborReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Numbers keep their kind in the tree: `int 1`, `float 1`; a text string is `text:…`, a byte string bare. */
  item(): unknown {
    if (this.atEnd) throw new Error('item missing');
    const head = this.#take(1)[0]!;
    const major = head >> 5;
    const info = head & 31;
    if (major === 7) return this.#simple(info);
    if (info === 31) throw new Error('indefinite length');
    const argument = info < 24 ? BigInt(info) : this.#unsigned(1 << (info - 24));
    if (major === 0) return `int ${argument}`;
    if (major === 1) return `int ${-1n - argument}`;
    if (major === 2) return this.#take(Number(argument)).toString('utf8');
    if (major === 3) return `text:${this.#take(Number(argument)).toString('utf8')}`;
    if (major === 4) return Array.from({ length: Number(argument) }, () => this.item());
    if (major === 5) return this.#map(argument);
    const value = this.item();
    return argument === SELF_DESCRIBED ? value : { [`tag ${argument}`]: value };
  }

  #map(pairs: bigint): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (let pair = 0n; pair < pairs; pair++) entries.push([String(this.item()), this.item()]);
    return Object.fromEntries(entries);
  }

  #simple(info: number): unknown {
    if (info === 20) return false;
    if (info === 21) return true;
    if (info === 22) return null;
    if (info === 25) return `float ${halfFloat(this.#take(2).readUInt16BE())}`;
    if (info === 26) return `float ${this.#take(4).readFloatBE()}`;
    if (info === 27) return `float ${this.#take(8).readDoubleBE()}`;
    throw new Error(`simple ${info}`);
  }

  #unsigned(length: number): bigint {
    return BigInt(`0x${this.#take(length).toString('hex')}`);
  }

  /** At the end of the bytes there may be fewer: a string that was cut off reads as what there is of it. */
  #take(length: number): Buffer {
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }
}

function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >> 15 ? -size : size;
}
