// JSON text to a tree, without recursion: what a body nests 10,000 deep can't overflow the stack.
import { JsonReader, OPEN_BRACE, OPEN_BRACKET } from './reader.ts';
import { checkSyntax } from './syntax.ts';
import { decodeText } from './text.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Where a key stands: keys are text, places in arrays numbers. */
export type JsonPath = readonly (string | number)[];

export type OnDuplicate = (path: JsonPath) => unknown;

export type ParseOptions = {
  /**
   * Told of a key that its object already has, before the second value is read. The last value wins.
   * Called once for each key of an object, however often it comes again, until it returns false: paths are long
   * where nesting is deep.
   */
  onDuplicate?: OnDuplicate;
};

/** @throws JsonSyntaxError with Go's message. */
export function parseJson(bytes: Uint8Array, options: ParseOptions = {}): JsonValue {
  checkSyntax(bytes);
  return readTree(new JsonReader(decodeText(bytes)), options.onDuplicate);
}

/** Reads one value from text whose syntax was checked. */
export function readTree(reader: JsonReader, onDuplicate?: OnDuplicate): JsonValue {
  let tell = onDuplicate;
  const outer: Open[] = [];
  let open: Open | undefined;
  for (;;) {
    let value: JsonValue;
    const character = reader.peek();
    if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      const entered = begin(character === OPEN_BRACE);
      if (reader.enter()) {
        if (open !== undefined) outer.push(open);
        open = entered;
        if (open.object !== undefined) open.key = reader.key();
        continue;
      }
      value = entered.value;
    } else {
      value = reader.scalar();
    }
    for (;;) {
      if (open === undefined) return value;
      if (open.object === undefined) open.array!.push(value);
      else open.object.set(open.key, value);
      if (reader.more()) {
        if (open.object !== undefined) {
          open.key = reader.key();
          if (tell !== undefined && open.object.has(open.key) && !told(tell, outer, open)) tell = undefined;
        }
        break;
      }
      value = open.value;
      open = outer.pop();
    }
  }
}

/** An object or array that isn't finished. */
type Open = {
  value: JsonValue[] | JsonObject;
  object: JsonObject | undefined;
  array: JsonValue[] | undefined;
  key: string;
  told: Set<string> | undefined;
};

function begin(isObject: boolean): Open {
  const object: JsonObject | undefined = isObject ? new Map() : undefined;
  const array: JsonValue[] | undefined = isObject ? undefined : [];
  return { value: (object ?? array)!, object, array, key: '', told: undefined };
}

function told(tell: OnDuplicate, outer: readonly Open[], open: Open): boolean {
  open.told ??= new Set();
  if (open.told.has(open.key)) return true;
  open.told.add(open.key);
  const path = [...outer, open].map((level) =>
    level.object === undefined ? level.array!.length : level.key,
  );
  return tell(path) !== false;
}
