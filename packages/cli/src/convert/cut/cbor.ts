// Takes the items out of a list in CBOR: the array that its key `items` names.
import { type Range, readRanges, type Source } from '../source.ts';
import { type Cut, Window } from './cut.ts';

/** undefined: no map with one array `items`, or no CBOR at all. */
export function cutCbor(source: Source): Cut | undefined {
  const window = new Window(source);
  const array = findItems(window);
  if (array === undefined) return undefined;
  let count = 0;
  let end = array.end;
  for (const element of elements(window, array)) {
    if (element === undefined) return undefined;
    end = element.end;
    count++;
  }
  if (array.argument < 0) end++;
  return {
    frame: Buffer.concat([
      readRanges(source, [{ start: 0, end: array.start }]),
      EMPTY_ARRAY,
      readRanges(source, [{ start: end, end: source.size }]),
    ]),
    count,
    *items() {
      for (const element of elements(window, array)) yield source.read(element!.start, element!.end);
    },
  };
}

const MAJOR = { bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;
const BREAK = 0xff;
const EMPTY_ARRAY = Uint8Array.of(0x80);
const ITEMS = 'items';

/** `argument` -1: of no told length. */
type Head = { major: number; argument: number; start: number; end: number };

function findItems(window: Window): Head | undefined {
  let map = headAt(window, 0);
  while (map?.major === MAJOR.tag) map = headAt(window, map.end);
  if (map?.major !== MAJOR.map) return undefined;
  let found: Head | undefined;
  let at: number | undefined = map.end;
  for (let place = 0; at !== undefined; place++) {
    if (map.argument < 0 ? window.byte(at) === BREAK : place >= map.argument) return found;
    const value = passValue(window, at);
    const head = value === undefined ? undefined : headAt(window, value);
    if (head && isItems(window, at)) {
      if (head.major !== MAJOR.array || found) return undefined;
      found = head;
    }
    at = value === undefined ? undefined : passValue(window, value);
  }
  return undefined;
}

function isItems(window: Window, at: number): boolean {
  const key = headAt(window, at);
  if (key === undefined || (key.major !== MAJOR.bytes && key.major !== MAJOR.text)) return false;
  if (key.argument !== ITEMS.length) return false;
  return [...ITEMS].every((letter, place) => window.byte(key.end + place) === letter.charCodeAt(0));
}

/** An `undefined` says that it is broken there. */
function* elements(window: Window, array: Head): Generator<Range | undefined, void> {
  let start = array.end;
  for (let place = 0; ; place++) {
    if (array.argument < 0 ? window.byte(start) === BREAK : place >= array.argument) return;
    const end = passValue(window, start);
    yield end === undefined ? undefined : { start, end };
    if (end === undefined) return;
    start = end;
  }
}

/** Behind the value at a place; undefined where it is broken. */
function passValue(window: Window, start: number): number | undefined {
  /** Values still to come in each open array and map, -1 where a break ends it. */
  const open: number[] = [1];
  let at = start;
  while (open.length > 0) {
    const left = open.at(-1)!;
    if (left === 0 || (left < 0 && window.byte(at) === BREAK)) {
      if (left < 0) at++;
      open.pop();
      continue;
    }
    if (left > 0) open[open.length - 1] = left - 1;
    const head = headAt(window, at);
    if (head === undefined) return undefined;
    at = head.end;
    const { major, argument } = head;
    if (major === MAJOR.bytes || major === MAJOR.text) {
      if (argument < 0) open.push(-1);
      else at += argument;
    } else if (major === MAJOR.array) open.push(argument);
    else if (major === MAJOR.map) open.push(argument < 0 ? -1 : 2 * argument);
    else if (major === MAJOR.tag) open.push(1);
    if (open.length > DEPTH_MAX || window.byte(at - 1) === undefined) return undefined;
  }
  return at;
}

/** No body goes deeper that can be read. */
const DEPTH_MAX = 10_000;

function headAt(window: Window, start: number): Head | undefined {
  const initial = window.byte(start);
  if (initial === undefined || initial === BREAK) return undefined;
  const major = initial >> 5;
  const short = initial & 31;
  if (short < 24) return { major, argument: short, start, end: start + 1 };
  if (short === 31) return { major, argument: -1, start, end: start + 1 };
  if (short > 27) return undefined;
  const length = 1 << (short - 24);
  let argument = 0;
  for (let place = 1; place <= length; place++) {
    const byte = window.byte(start + place);
    if (byte === undefined) return undefined;
    argument = argument * 256 + byte;
  }
  return { major, argument, start, end: start + 1 + length };
}
