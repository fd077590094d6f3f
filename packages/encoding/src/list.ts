// The contract of a streamed list (KEP-5116): what is a list to the letter is written item by item, all else whole; the bytes are the same.
//
//   {"kind":"PodList","apiVersion":"v1","metadata":{…},"items":[ ┆ {…} ┆ , ┆ {…} ┆ ]}⏎
//   └── head ──────────────────────────────────────────────────┘   item     item  └ tail
import { eachMember, skipValue } from './json/member.ts';
import { quote } from './json/quote.ts';

/** A list that never was one value: its items come from wherever they lie. */
export type List = {
  kind?: string;
  apiVersion?: string;
  /** A JSON object. */
  metadata: Uint8Array;
  /** Each an object's compact JSON; null: the list has none to show, not even an empty array. */
  items: Iterable<Uint8Array> | AsyncIterable<Uint8Array> | null;
};

/** A list's JSON, cut where its items are. */
export type SplitList = {
  /** Up to the bracket before the first item. */
  head: Uint8Array;
  /** Views of the JSON; can be walked again. */
  items: Iterable<Uint8Array>;
  /** From the bracket behind the last item. */
  tail: Uint8Array;
};

/** Takes bytes that don't change any more; a promise is returned when the next must wait for room. */
export type WriteList = (bytes: Uint8Array) => Promise<void> | undefined;

/**
 * Writes a list, with the newline that ends every body.
 * @param list its parts; or the compact JSON of any value, which is written whole when it isn't exactly a list.
 */
export async function streamList(list: List | Uint8Array, write: WriteList): Promise<void> {
  if (!(list instanceof Uint8Array)) return writeParts(headOf(list), list.items ?? [], tailOf(list), write);
  const split = splitList(list);
  if (split === undefined) await write(Buffer.concat([list, NEWLINE]));
  else await writeParts(split.head, split.items, Buffer.concat([split.tail, NEWLINE]), write);
}

/**
 * undefined: not exactly a list. A list of a built-in kind has kind, apiVersion, metadata and items in this order, and
 * nothing else. One of a custom kind has its keys sorted, whatever they are.
 */
export function splitList(json: Uint8Array): SplitList | undefined {
  const keys: string[] = [];
  const starts = new Map<string, number>();
  let end = 1;
  eachMember(json, 0, (keyStart, keyEnd, valueStart, valueEnd) => {
    const key = Buffer.from(json.buffer, json.byteOffset + keyStart, keyEnd - keyStart).toString('latin1');
    keys.push(key);
    starts.set(key, valueStart);
    end = valueEnd;
    return true;
  });
  if (json[0] !== OPEN_BRACE || end !== json.length - 1 || json[end] !== CLOSE_BRACE) return undefined;
  const isTyped = TYPED_KEYS.test(keys.join()) && json[starts.get('metadata')!] === OPEN_BRACE;
  const start = starts.get('items') ?? 0;
  if ((!isTyped && !isSorted(keys)) || json[start] !== OPEN_BRACKET) return undefined;
  const close = endOfItems(json, start);
  if (close === undefined) return undefined;
  return {
    head: json.subarray(0, start + 1),
    items: { [Symbol.iterator]: () => itemsFrom(json, start + 1) },
    tail: json.subarray(close),
  };
}

async function writeParts(
  head: Uint8Array,
  items: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  tail: Uint8Array,
  write: WriteList,
): Promise<void> {
  // A turn is only waited for where there is something to wait for: most writes go into a buffer.
  const put = (bytes: Uint8Array, isFirst: boolean): Promise<void> | undefined => {
    if (isFirst) return write(bytes);
    const room = write(COMMA);
    return room ? room.then(() => write(bytes)) : write(bytes);
  };
  await write(head);
  let isFirst = true;
  if (Symbol.asyncIterator in items) {
    for await (const item of items) {
      await put(item, isFirst);
      isFirst = false;
    }
  } else {
    for (const item of items) {
      const room = put(item, isFirst);
      if (room) await room;
      isFirst = false;
    }
  }
  await write(tail);
}

/** Kind and apiVersion are left out when they are empty, as in Go. */
function headOf({ kind, apiVersion, metadata, items }: List): Uint8Array {
  const names = [
    kind ? `"kind":${quote(kind)},` : '',
    apiVersion ? `"apiVersion":${quote(apiVersion)},` : '',
  ];
  const before = Buffer.from(`{${names.join('')}"metadata":`);
  return Buffer.concat([before, metadata, Buffer.from(items === null ? ',"items":null' : ',"items":[')]);
}

function tailOf({ items }: List): Uint8Array {
  return Buffer.from(items === null ? '}\n' : ']}\n');
}

const NEWLINE = Buffer.from('\n');
const COMMA = Buffer.from(',');
const COMMA_BYTE = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const TYPED_KEYS = /^(kind,)?(apiVersion,)?metadata,items$/;

/** Latin-1 texts compare as their bytes do. */
function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, place) => place === 0 || keys[place - 1]! < key);
}

/** Where the array's bracket closes; undefined unless all its elements are objects or null. */
function endOfItems(json: Uint8Array, start: number): number | undefined {
  let at = start + 1;
  if (json[at] === CLOSE_BRACKET) return at;
  for (;;) {
    const end = skipValue(json, at);
    if (json[at] !== OPEN_BRACE && !isNull(json, at, end)) return undefined;
    if (json[end] !== COMMA_BYTE) return json[end] === CLOSE_BRACKET ? end : undefined;
    at = end + 1;
  }
}

function isNull(json: Uint8Array, at: number, end: number): boolean {
  return end - at === 4 && json[at] === 0x6e;
}

function* itemsFrom(json: Uint8Array, start: number): Generator<Uint8Array, void> {
  let at = start;
  while (json[at] !== CLOSE_BRACKET) {
    const end = skipValue(json, at);
    yield json.subarray(at, end);
    at = json[end] === COMMA_BYTE ? end + 1 : end;
  }
}
