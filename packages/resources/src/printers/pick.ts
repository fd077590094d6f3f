// Takes the few fields a printer needs out of an item's bytes, in one pass that builds nothing else.
import { JsonReader, type JsonValue, readTree, type Span, skipValue } from '@sluice/encoding';

/**
 * What to take: the type of a value, or the same for members and elements. What isn't of that type counts as absent.
 *
 * | want | gives |
 * |---|---|
 * | text, number, flag | the scalar |
 * | size | how many members or elements |
 * | tree | whatever it is, whole |
 * | some | true: it is there |
 */
export type Want =
  | 'text'
  | 'number'
  | 'flag'
  | 'size'
  | 'tree'
  | 'some'
  | readonly [Want]
  | { readonly [name: string]: Want };

export type Picked<W extends Want> = W extends 'text'
  ? string
  : W extends 'number' | 'size'
    ? number
    : W extends 'flag' | 'some'
      ? boolean
      : W extends 'tree'
        ? JsonValue
        : W extends readonly [infer Element extends Want]
          ? Picked<Element>[]
          : { -readonly [Name in keyof W]?: W[Name] extends Want ? Picked<W[Name]> : never };

/** A function that picks from an object of a built-in kind: compact JSON, its structs' keys without escapes. */
export function picker<const W extends Want>(want: W): (item: Uint8Array) => PickedItem<W> {
  const plan = planOf(want);
  return (item) => {
    const reader = new Picker(item);
    const object = (reader.value(plan) ?? {}) as Picked<W>;
    return { object, metadata: reader.metadata };
  };
}

/** `metadata`: where the item's metadata stands, which was passed on the way. */
export type PickedItem<W extends Want> = { object: Picked<W>; metadata: Span | undefined };

type Plan = {
  type: 'text' | 'number' | 'flag' | 'size' | 'tree' | 'some' | 'list' | 'object';
  element: Plan | undefined;
  /** Members by the length of their names. */
  members: readonly (readonly Member[] | undefined)[];
};

type Member = { name: string; bytes: Uint8Array; plan: Plan };

function planOf(want: Want): Plan {
  if (typeof want === 'string') return { type: want, element: undefined, members: [] };
  if (isList(want)) return { type: 'list', element: planOf(want[0]), members: [] };
  const members: Member[][] = [];
  for (const [name, inner] of Object.entries(want)) {
    const member = { name, bytes: Buffer.from(name), plan: planOf(inner) };
    members[name.length] = [...(members[name.length] ?? []), member];
  }
  return { type: 'object', element: undefined, members };
}

function isList(want: Want): want is readonly [Want] {
  return Array.isArray(want);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NULL = 0x6e;
const TRUE = 0x74;

class Picker {
  readonly #bytes: Buffer;
  #at = 0;
  metadata: Span | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The value under the cursor, which ends up behind it. */
  value(plan: Plan): unknown {
    const start = this.#at;
    const first = this.#bytes[start]!;
    if (plan.type === 'object' && first === OPEN_BRACE) return this.#object(plan);
    if (plan.type === 'list' && first === OPEN_BRACKET) return this.#list(plan.element!);
    if (plan.type === 'size' && (first === OPEN_BRACE || first === OPEN_BRACKET)) return this.#size(first);
    this.#at = skipValue(this.#bytes, start);
    return first === NULL ? undefined : this.#scalar(plan, first, start);
  }

  #scalar(plan: Plan, first: number, start: number): unknown {
    switch (plan.type) {
      case 'text':
        return first === QUOTE ? this.#string(start, this.#at) : undefined;
      case 'number':
        return isNumber(first) ? Number(this.#text(start, this.#at)) : undefined;
      case 'flag':
        return isLetter(first) ? first === TRUE : undefined;
      case 'tree':
        return readTree(new JsonReader(this.#text(start, this.#at)));
      default:
        return plan.type === 'some' ? true : undefined;
    }
  }

  #object(plan: Plan): Record<string, unknown> {
    const picked: Record<string, unknown> = {};
    const bytes = this.#bytes;
    const isItem = this.#at === 0;
    let at = this.#at + 1;
    while (bytes[at] === QUOTE) {
      let keyEnd = at + 1;
      while (keyEnd < bytes.length && bytes[keyEnd] !== QUOTE) keyEnd++;
      const member = memberOf(plan, bytes, at + 1, keyEnd);
      this.#at = keyEnd + 2;
      if (member === undefined) {
        this.#at = skipValue(bytes, this.#at);
      } else {
        const value = this.value(member.plan);
        if (isItem && member.name === 'metadata') this.metadata = { start: keyEnd + 2, end: this.#at };
        if (value !== undefined) picked[member.name] = value;
      }
      at = this.#at;
      if (bytes[at] === COMMA) at++;
    }
    this.#at = at + 1;
    return picked;
  }

  #list(element: Plan): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    while (this.#bytes[this.#at] !== CLOSE_BRACKET) {
      list.push(this.value(element) ?? EMPTY[element.type]);
      if (this.#bytes[this.#at] === COMMA) this.#at++;
    }
    this.#at++;
    return list;
  }

  #size(first: number): number {
    const bytes = this.#bytes;
    let count = 0;
    let at = this.#at + 1;
    while (bytes[at] !== CLOSE_BRACKET && bytes[at] !== CLOSE_BRACE) {
      count++;
      if (first === OPEN_BRACE) at = skipValue(bytes, at) + 1;
      at = skipValue(bytes, at);
      if (bytes[at] === COMMA) at++;
    }
    this.#at = at + 1;
    return count;
  }

  #string(start: number, end: number): string {
    const text = this.#text(start, end);
    return text.includes('\\') ? new JsonReader(text).string() : text.slice(1, -1);
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }
}

function memberOf(plan: Plan, bytes: Uint8Array, start: number, end: number): Member | undefined {
  const sameLength = plan.members[end - start];
  if (sameLength === undefined) return undefined;
  for (const member of sameLength) {
    let same = 0;
    while (same < member.bytes.length && member.bytes[same] === bytes[start + same]) same++;
    if (same === member.bytes.length) return member;
  }
  return undefined;
}

/** What a null in a list stands for. */
const EMPTY: Readonly<Record<Plan['type'], unknown>> = {
  text: '',
  number: 0,
  flag: false,
  size: 0,
  tree: null,
  some: false,
  list: [],
  object: {},
};

function isNumber(first: number): boolean {
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** Of `true` or `false`: null was told apart before. */
function isLetter(first: number): boolean {
  return first >= 0x61 && first <= 0x7a;
}
