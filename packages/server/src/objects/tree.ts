// What is asked of JSON trees besides reading and printing them: copies, comparisons, sizes, members by path.
import {
  JsonNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
  printJson,
  printText,
  sortedKeys,
} from '@sluice/encoding';

/** Through bytes: a tree may be nested deeper than the stack. */
export function clone(value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null ? parseJson(printJson(value)) : value;
}

/** Objects are equal whatever their members' order; numbers are compared by their spelling. */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (a instanceof JsonNumber) return b instanceof JsonNumber && a.text === b.text;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  for (const [name, member] of a) if (!b.has(name) || !equal(member, b.get(name))) return false;
  return true;
}

/** A text that equal values share, and no others: what is looked for in long lists is looked up. */
export function identity(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? `"${value}` : printText(value, sortedKeys);
}

/** About the length of the value's JSON; counting stops when it is over `limit`. */
export function roughSize(value: JsonValue, limit: number): number {
  let size = 0;
  const waiting: JsonValue[] = [value];
  while (waiting.length > 0 && size <= limit) {
    const next = waiting.pop();
    if (typeof next === 'string') size += next.length;
    else if (next instanceof JsonNumber) size += next.text.length;
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (next instanceof Map) {
      for (const [name, member] of next) {
        size += name.length + 3;
        waiting.push(member);
      }
    }
    size += 2;
  }
  return size;
}

/** The object at the member, put there if it isn't one. */
export function objectAt(parent: JsonObject, name: string): JsonObject {
  const found = parent.get(name);
  if (found instanceof Map) return found;
  const made: JsonObject = new Map();
  parent.set(name, made);
  return made;
}

/** What lies at a path of member names; undefined when something on the way is missing. */
export function valueAt(root: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return value;
}

/** The text at a path; '' when there is none. */
export function textAt(root: JsonValue | undefined, ...path: readonly string[]): string {
  const value = valueAt(root, ...path);
  return typeof value === 'string' ? value : '';
}

/** The whole number at a path, if there is one. */
export function integerAt(root: JsonValue | undefined, ...path: readonly string[]): bigint | undefined {
  const value = valueAt(root, ...path);
  return value instanceof JsonNumber && /^-?[0-9]+$/.test(value.text) ? BigInt(value.text) : undefined;
}

/** The texts of the list at a path. */
export function textsAt(root: JsonValue | undefined, ...path: readonly string[]): string[] {
  const value = valueAt(root, ...path);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The objects of the list at a path. */
export function objectsAt(root: JsonValue | undefined, ...path: readonly string[]): JsonObject[] {
  const value = valueAt(root, ...path);
  return Array.isArray(value) ? value.filter((item) => item instanceof Map) : [];
}

export function integer(value: number | bigint): JsonNumber {
  return new JsonNumber(String(value));
}

/** Sets the member, or takes it away when there is nothing to set. */
export function put(object: JsonObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined) object.delete(name);
  else object.set(name, value);
}
