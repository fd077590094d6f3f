// CBOR → tree, as Kubernetes reads it into values of no type: byte strings are text, tags 21 to 23 spell them in base64 or
// hex, times become text, integers must fit 64 bits, keys must be text and never come twice.
//
// Without recursion. Of several errors the first is told, but a repeated key is told before all else in its map.
import { compareUtf8, sortedKeys } from '../json/printer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkCbor } from './check.ts';
import { CborCursor } from './cursor.ts';
import { CborError, goText, Refusal, repeatedKey } from './error.ts';
import { type CborForm, elementForm, memberForm } from './form.ts';
import { readScalar, readTags, readText } from './scalar.ts';
import { MAJOR } from './wire.ts';

/**
 * @param form of the kind that is expected: what is bytes in it becomes base64 however it is tagged.
 * @throws CborError
 */
export function parseCbor(bytes: Uint8Array, form?: CborForm): JsonValue {
  checkCbor(bytes);
  return new Reader(bytes).read(form);
}

/** An array or map that isn't finished. */
type Open = {
  value: JsonValue[] | JsonObject;
  /** Elements or pairs still to come; -1: until a break. */
  left: number;
  /** Pairs read. */
  read: number;
  key: string;
  /** The innermost of the tags 21 to 23 around it; 0: none. */
  spelling: number;
  form: CborForm | undefined;
  error: Refusal | undefined;
};

class Reader {
  readonly #cursor: CborCursor;
  readonly #outer: Open[] = [];
  #open: Open | undefined;

  constructor(bytes: Uint8Array) {
    this.#cursor = new CborCursor(bytes);
  }

  read(form: CborForm | undefined): JsonValue {
    let expected = form;
    for (;;) {
      let value = this.#value(expected);
      while (value !== undefined) {
        if (this.#open === undefined) {
          if (value instanceof Refusal) throw new CborError(value.message);
          return value;
        }
        this.#put(this.#open, value);
        value = this.#next(this.#open);
      }
      const open: Open = this.#open!;
      expected = Array.isArray(open.value) ? elementForm(open.form) : memberForm(open.form, open.key);
    }
  }

  /** A scalar, an empty array or map, or an error; undefined: an array or map was entered. */
  #value(form: CborForm | undefined): JsonValue | Refusal | undefined {
    const cursor = this.#cursor;
    const tags = readTags(cursor, this.#open?.spelling ?? 0);
    if (tags instanceof Refusal) return tags;
    const major = cursor.peek();
    if (major !== MAJOR.array && major !== MAJOR.map) return readScalar(cursor, tags, form);
    cursor.head();
    const open: Open = {
      value: major === MAJOR.map ? new Map() : [],
      left: cursor.argument,
      read: 0,
      key: '',
      spelling: tags.spelling,
      form,
      error: undefined,
    };
    if (this.#open !== undefined) this.#outer.push(this.#open);
    this.#open = open;
    return this.#next(open);
  }

  /** Goes to the next element, or behind the next key. At the end, gives back the whole. */
  #next(open: Open): JsonValue | Refusal | undefined {
    const cursor = this.#cursor;
    while (this.#hasMore(open)) {
      if (Array.isArray(open.value)) return undefined;
      const key = readText(cursor, open.spelling, open.key);
      open.read++;
      if (!(key instanceof Refusal)) {
        open.key = key;
        return undefined;
      }
      open.error ??= key;
      cursor.skip();
    }
    this.#open = this.#outer.pop();
    return open.error ?? (open.value instanceof Map ? inOrder(open.value) : open.value);
  }

  #hasMore(open: Open): boolean {
    if (open.left < 0) return !this.#cursor.foundBreak();
    if (open.left === 0) return false;
    open.left--;
    return true;
  }

  #put(open: Open, value: JsonValue | Refusal): void {
    if (value instanceof Refusal) open.error ??= value;
    else if (Array.isArray(open.value)) open.value.push(value);
    else if (!open.value.has(open.key)) open.value.set(open.key, value);
    else {
      open.error = repeatedKey(goText(open.key), open.read - 1);
      while (this.#hasMore(open)) {
        this.#cursor.skip();
        this.#cursor.skip();
      }
      // The map is over: nothing more comes, not even a break.
      open.left = 0;
    }
  }
}

/** Sorted by key: a map of Go's has no order of its own, and is printed like this. */
function inOrder(object: JsonObject): JsonObject {
  let sorted = true;
  let last: string | undefined;
  for (const key of object.keys()) {
    sorted = last === undefined || (sorted && compareUtf8(last, key) < 0);
    last = key;
  }
  return sorted ? object : new Map(sortedKeys(object).map((key) => [key, object.get(key)!]));
}
