// The order of an object's keys: letters by code point, everything else before letters, runs of digits as numbers.
//
// It isn't an order for keys that mix digits with other characters (10 < 1a < 9 < 10). The reference prints such
// keys in a different order each time; here the same object always prints the same.
import { NODE_COLUMNS, type Nodes, OBJECT } from './nodes.ts';

/** Up to this many keys are put in their places one by one, which is quick when they nearly stand there already. */
const FEW_KEYS = 24;

/**
 * Puts the keys (their nodes) of the object at `object` in order into `order` from `from` on.
 * Gives back the index after the last. Of a key that stands there twice, the later remains.
 */
export function orderKeys(nodes: Nodes, object: number, order: Int32Array, from: number): number {
  const { text, columns } = nodes;
  const count = columns[object + 1]!;
  let twins = false;
  const compare = (a: number, b: number): number => {
    const difference = compareKeys(text, columns[a + 1]!, columns[a + 2]!, columns[b + 1]!, columns[b + 2]!);
    if (difference === 0) twins = true;
    return difference;
  };
  const end = from + count;
  const isFew = count <= FEW_KEYS;
  let key = object + NODE_COLUMNS;
  for (let i = from; i < end; i++) {
    let at = i;
    if (isFew) while (at > from && compare(order[at - 1]!, key) > 0) order[at] = order[--at]!;
    order[at] = key;
    key = nextNode(columns, key + NODE_COLUMNS);
  }
  if (!isFew) order.subarray(from, end).sort(compare);
  return twins ? withoutTwins(order, from, end, compare) : end;
}

/** The node after this one and all that is in it. */
export function nextNode(columns: Int32Array, node: number): number {
  return (columns[node]! & 7) >= OBJECT - 1 ? columns[node + 2]! : node + NODE_COLUMNS;
}

/** Below 0: the key in bytes a to aEnd comes first. */
export function compareKeys(text: Buffer, a: number, aEnd: number, b: number, bEnd: number): number {
  let i = a;
  let j = b;
  while (i < aEnd && j < bEnd && text[i] === text[j]) {
    i++;
    j++;
  }
  if (i === aEnd || j === bEnd) return aEnd - i - (bEnd - j);
  const byteA = text[i]!;
  const byteB = text[j]!;
  if (isLetter(byteA) && isLetter(byteB)) return byteA - byteB;
  for (let at = a; at < aEnd; at++) if (text[at]! >= 0x80) return compareTexts(text, a, aEnd, b, bEnd);
  for (let at = b; at < bEnd; at++) if (text[at]! >= 0x80) return compareTexts(text, a, aEnd, b, bEnd);
  if (isLetter(byteA)) return 1;
  if (isLetter(byteB)) return -1;
  return compareRuns(text.toString('latin1', a, aEnd), text.toString('latin1', b, bEnd), i - a);
}

function withoutTwins(
  order: Int32Array,
  from: number,
  end: number,
  compare: (a: number, b: number) => number,
): number {
  let kept = from;
  for (let i = from + 1; i < end; i++) {
    if (compare(order[kept]!, order[i]!) !== 0) kept++;
    order[kept] = order[i]!;
  }
  return kept + 1;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function compareTexts(text: Buffer, a: number, aEnd: number, b: number, bEnd: number): number {
  const first = [...text.toString('utf8', a, aEnd)];
  const second = [...text.toString('utf8', b, bEnd)];
  let at = 0;
  while (first[at] === second[at]) at++;
  if (at >= first.length || at >= second.length) return first.length - second.length;
  const isFirstLetter = LETTER.test(first[at]!);
  const isSecondLetter = LETTER.test(second[at]!);
  if (isFirstLetter && isSecondLetter) return first[at]!.codePointAt(0)! - second[at]!.codePointAt(0)!;
  if (isFirstLetter || isSecondLetter) return isSecondLetter ? -1 : 1;
  return compareRuns(first, second, at);
}

/** Neither character at `at` is a letter and they differ: the numbers that begin there decide, then their lengths. */
function compareRuns(first: ArrayLike<string>, second: ArrayLike<string>, at: number): number {
  // A zero counts when it continues a number: 10 and 1_; not when it leads one: 01 and 1.
  const counts = (first[at] === '0' || second[at] === '0') && continuesNumber(first, at);
  const runA = readRun(first, at, counts);
  const runB = readRun(second, at, counts);
  if (runA.value !== runB.value) return runA.value < runB.value ? -1 : 1;
  if (runA.end !== runB.end) return runA.end - runB.end;
  return first[at]!.codePointAt(0)! - second[at]!.codePointAt(0)!;
}

function continuesNumber(characters: ArrayLike<string>, at: number): boolean {
  for (let i = at - 1; i >= 0 && DECIMAL.test(characters[i]!); i--) if (characters[i] !== '0') return true;
  return false;
}

/** The number wraps at 64 bits. */
function readRun(characters: ArrayLike<string>, at: number, counts: boolean): { value: bigint; end: number } {
  let value = counts ? 1n : 0n;
  let end = at;
  for (; end < characters.length && DECIMAL.test(characters[end]!); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(characters[end]!.codePointAt(0)! - 0x30));
  }
  return { value, end };
}

const LETTER = /^\p{L}$/u;
const DECIMAL = /^\p{Nd}$/u;
