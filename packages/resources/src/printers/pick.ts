// Takes the few fields a printer needs out of an item's text, in one pass that builds nothing else.
import { JsonReader, type JsonValue, readTree } from '@sluice/encoding';

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

/** A function that picks from the text of an object of a built-in kind: compact, its keys without escapes. */
export function picker<const W extends Want>(want: W): (text: string) => Picked<W> {
  const plan = planOf(want);
  return (text) => (new Picker(text).value(plan) ?? {}) as Picked<W>;
}

/** The text of the member `name` of the object that `text` is. */
export function memberText(text: string, name: string): string | undefined {
  const at = new Picker(text).find(name);
  return at === undefined ? undefined : text.slice(at, skip(text, at));
}

type Plan = {
  type: 'text' | 'number' | 'flag' | 'size' | 'tree' | 'some' | 'list' | 'object';
  element: Plan | undefined;
  members: ReadonlyMap<string, Plan>;
};

const NO_MEMBERS: ReadonlyMap<string, Plan> = new Map();

function planOf(want: Want): Plan {
  if (typeof want === 'string') return { type: want, element: undefined, members: NO_MEMBERS };
  if (isList(want)) return { type: 'list', element: planOf(want[0]), members: NO_MEMBERS };
  const members = new Map(Object.entries(want).map(([name, inner]) => [name, planOf(inner)]));
  return { type: 'object', element: undefined, members };
}

function isList(want: Want): want is readonly [Want] {
  return Array.isArray(want);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NULL = 0x6e;

class Picker {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value under the cursor, which ends up behind it. */
  value(plan: Plan): unknown {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    if (plan.type === 'object' && first === OPEN_BRACE) return this.#object(plan);
    if (plan.type === 'list' && first === OPEN_BRACKET) return this.#list(plan.element!);
    if (plan.type === 'size' && (first === OPEN_BRACE || first === OPEN_BRACKET)) return this.#size(first);
    this.#at = skip(this.#text, start);
    if (first === NULL) return undefined;
    switch (plan.type) {
      case 'text':
        return first === QUOTE ? this.#string(start, this.#at) : undefined;
      case 'number':
        return isNumber(first) ? Number(this.#text.slice(start, this.#at)) : undefined;
      case 'flag':
        return isWord(first) ? first === 0x74 : undefined;
      case 'tree':
        return readTree(new JsonReader(this.#text.slice(start, this.#at)));
      default:
        return plan.type === 'some' ? true : undefined;
    }
  }

  /** Where the member's value starts. */
  find(name: string): number | undefined {
    const text = this.#text;
    for (let at = 1; text.charCodeAt(at) === QUOTE; ) {
      const keyEnd = closingQuote(text, at + 1);
      if (keyEnd - at - 1 === name.length && text.startsWith(name, at + 1)) return keyEnd + 2;
      at = skip(text, keyEnd + 2);
      if (text.charCodeAt(at) === COMMA) at++;
    }
    return undefined;
  }

  #object(plan: Plan): Record<string, unknown> {
    const picked: Record<string, unknown> = {};
    const text = this.#text;
    let at = this.#at + 1;
    while (text.charCodeAt(at) === QUOTE) {
      const keyEnd = text.indexOf('"', at + 1);
      const member = plan.members.get(text.slice(at + 1, keyEnd));
      this.#at = keyEnd + 2;
      if (member === undefined) {
        this.#at = skip(text, this.#at);
      } else {
        const name = text.slice(at + 1, keyEnd);
        const value = this.value(member);
        if (value !== undefined) picked[name] = value;
      }
      at = this.#at;
      if (text.charCodeAt(at) === COMMA) at++;
    }
    this.#at = at + 1;
    return picked;
  }

  #list(element: Plan): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    while (this.#text.charCodeAt(this.#at) !== CLOSE_BRACKET) {
      list.push(this.value(element) ?? EMPTY[element.type]);
      if (this.#text.charCodeAt(this.#at) === COMMA) this.#at++;
    }
    this.#at++;
    return list;
  }

  #size(first: number): number {
    const text = this.#text;
    let count = 0;
    let at = this.#at + 1;
    while (text.charCodeAt(at) !== CLOSE_BRACKET && text.charCodeAt(at) !== CLOSE_BRACE) {
      count++;
      if (first === OPEN_BRACE) at = closingQuote(text, at + 1) + 2;
      at = skip(text, at);
      if (text.charCodeAt(at) === COMMA) at++;
    }
    this.#at = at + 1;
    return count;
  }

  #string(start: number, end: number): string {
    const inner = this.#text.slice(start + 1, end - 1);
    return inner.includes('\\') ? new JsonReader(this.#text.slice(start, end)).string() : inner;
  }
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

/** The index behind the value that starts at `at`. */
export function skip(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return closingQuote(text, at + 1) + 1;
  let end = at;
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
    return end;
  }
  for (let depth = 0; end < text.length; end++) {
    const character = text.charCodeAt(end);
    if (character === QUOTE) end = closingQuote(text, end + 1);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++;
    else if ((character === CLOSE_BRACE || character === CLOSE_BRACKET) && --depth === 0) return end + 1;
  }
  return end;
}

function closingQuote(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at++;
  }
  return at;
}

function endsScalar(character: number): boolean {
  return character === COMMA || character === CLOSE_BRACE || character === CLOSE_BRACKET;
}

function isNumber(first: number): boolean {
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** `true` or `false`. */
function isWord(first: number): boolean {
  return first === 0x74 || first === 0x66;
}
