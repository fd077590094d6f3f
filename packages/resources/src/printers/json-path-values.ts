// Follows a JSONPath through an object's tree, as kubectl's dialect does where keys may be missing.
import { JsonNumber, type JsonValue, sortedKeys } from '@sluice/encoding';
import type { Float, Step, Whole } from './json-path.ts';

/** A value found: of the tree, or a literal of the path. */
export type Found = JsonValue | Whole | Float;

/** The values a path leads to; undefined: it can't be followed (an index out of bounds, a filter on what is no list). */
export function findValues(steps: readonly Step[], root: JsonValue): readonly Found[] | undefined {
  try {
    return follow(steps, [root]);
  } catch (error) {
    if (error instanceof Unfollowable) return undefined;
    throw error;
  }
}

/** A number as Go has it: an int64 where the text is one, else a double. */
export function numberOf(number: JsonNumber): Whole | Float {
  if (/^-?\d+$/.test(number.text)) {
    const whole = BigInt(number.text);
    if (BigInt.asIntN(64, whole) === whole) return { whole };
  }
  return { float: Number(number.text) };
}

class Unfollowable extends Error {}

function follow(steps: readonly Step[], from: readonly Found[]): readonly Found[] {
  let values = from;
  for (const step of steps) values = walk(step, values);
  return values;
}

function walk(step: Step, values: readonly Found[]): readonly Found[] {
  switch (step.type) {
    case 'field':
      return values.flatMap((value) => fieldOf(value, step.name));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(descendantsOf);
    case 'slice':
      return values.flatMap((value) => sliceOf(value, step));
    case 'union':
      return step.paths.flatMap((path) => follow(path, values));
    case 'filter':
      return values.flatMap((value) => filtered(value, step));
    case 'literal':
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value as Found);
    default:
      throw new Unfollowable();
  }
}

function fieldOf(value: Found, name: string): Found[] {
  const found = value instanceof Map ? value.get(name) : undefined;
  return found === undefined ? [] : [found];
}

/** The reference takes members in no order; here they come sorted. */
function childrenOf(value: Found): Found[] {
  if (Array.isArray(value)) return value;
  return value instanceof Map ? sortedKeys(value).map((key) => value.get(key)!) : [];
}

/** The value and all below it that have children. */
function descendantsOf(value: Found): Found[] {
  const found: Found[] = [];
  const open: Found[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = childrenOf(next);
    if (children.length === 0) continue;
    found.push(next);
    open.push(...children.toReversed());
  }
  return found;
}

function sliceOf(value: Found, slice: Step & { type: 'slice' }): Found[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new Unfollowable();
  const { length } = value;
  const start = slice.start < 0 ? slice.start + length : slice.start;
  const end = endOf(slice, length);
  if (start === end) return [];
  if (start < 0 || start >= length || end < 0 || end > length || start > end) throw new Unfollowable();
  const step = slice.step ?? 1;
  if (step <= 0) throw new Unfollowable();
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

function endOf({ start, end, single }: Step & { type: 'slice' }, length: number): number {
  if (single) return start + 1 <= 0 ? start + 1 + length : start + 1;
  if (end === undefined) return length;
  return end < 0 ? end + length : end;
}

function filtered(value: Found, { left, operator, right }: Step & { type: 'filter' }): Found[] {
  if (!Array.isArray(value)) throw new Unfollowable();
  return value.filter((element) => {
    const lefts = follow(left, [element]);
    if (operator === 'exists') return lefts.length > 0;
    if (lefts.length > 1) throw new Unfollowable();
    if (lefts.length === 0) return false;
    const rights = follow(right, [element]);
    if (rights.length > 1) throw new Unfollowable();
    return rights.length === 1 && compares(lefts[0]!, operator, rights[0]!);
  });
}

function compares(left: Found, operator: string, right: Found): boolean {
  const a = comparable(left);
  const b = comparable(right);
  if (typeof a !== typeof b) throw new Unfollowable();
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (typeof a === 'boolean') throw new Unfollowable();
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new Unfollowable();
  }
}

/** int64 as bigint, double as number: what isn't of one type doesn't compare. */
function comparable(found: Found): string | boolean | bigint | number {
  const value = found instanceof JsonNumber ? numberOf(found) : found;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value !== null && 'whole' in value) return value.whole;
  if (value !== null && 'float' in value) return value.float;
  throw new Unfollowable();
}
