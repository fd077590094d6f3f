// JSON patch (RFC 6902) with the liberties of the Go library kube-apiserver uses, so that the same patches go through.
//
//   /data/k        member k of data       ~1 is /, ~0 is ~
//   /list/0, /-1   counted from the end   - is after the last: add only
//   data/k         the part before the first / is not looked at, whatever it is
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { clone, equal, roughSize } from './tree.ts';

/** All copies of one patch together: a few operations could double an object until memory is full. */
const COPY_LIMIT_BYTES = 3 * 1024 * 1024;

/** The patch can't be applied; clients are only told that it can't. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/**
 * Gives the patched value; `document` is changed on the way.
 * @throws PatchError
 */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonValue[]): JsonValue {
  const state: State = { root: document, copied: 0 };
  for (const operation of operations) applyOperation(state, operation instanceof Map ? operation : new Map());
  return state.root;
}

type State = { root: JsonValue; copied: number };

function applyOperation(state: State, operation: JsonObject): void {
  const apply = OPERATIONS.get(operation.get('op') ?? null);
  if (!apply) throw new PatchError('unexpected kind of operation');
  apply(state, operation);
}

type Operation = (state: State, operation: JsonObject) => void;

const OPERATIONS: ReadonlyMap<JsonValue, Operation> = new Map<JsonValue, Operation>([
  ['add', (state, operation) => add(locate(state, operation, 'path'), operand(operation))],
  ['remove', (state, operation) => remove(locate(state, operation, 'path'))],
  ['replace', replace],
  ['test', test],
  ['move', move],
  ['copy', copy],
]);

function move(state: State, operation: JsonObject): void {
  const from = locate(state, operation, 'from');
  const value = get(from) ?? null;
  remove(from);
  add(locate(state, operation, 'path'), value);
}

/** What isn't there copies as null. */
function copy(state: State, operation: JsonObject): void {
  const value = get(locate(state, operation, 'from')) ?? null;
  state.copied += roughSize(value, COPY_LIMIT_BYTES);
  if (state.copied > COPY_LIMIT_BYTES) throw new PatchError('copies are too large');
  add(locate(state, operation, 'path'), clone(value));
}

function operand(operation: JsonObject): JsonValue {
  return clone(operation.get('value') ?? null);
}

/** The root can be replaced, by an object or a list; it can't be added, removed or moved. */
function replace(state: State, operation: JsonObject): void {
  const value = operand(operation);
  if (pointer(operation, 'path') === '') {
    if (!(value instanceof Map) && !Array.isArray(value)) throw new PatchError('not an object or a list');
    state.root = value;
    return;
  }
  const place = locate(state, operation, 'path');
  if (Array.isArray(place.parent)) place.parent[indexIn(place.parent, place.name)] = value;
  else place.parent.set(place.name, value);
}

/** Something that isn't there passes for null. */
function test(state: State, operation: JsonObject): void {
  const actual = pointer(operation, 'path') === '' ? state.root : get(locate(state, operation, 'path'));
  if (!equal(actual ?? null, operation.get('value') ?? null)) throw new PatchError('test failed');
}

/** Where an operation works: a member or index of `parent`, which may not be there yet. */
type Place = { parent: JsonObject | JsonValue[]; name: string };

function locate(state: State, operation: JsonObject, member: 'path' | 'from'): Place {
  const [, ...parts] = pointer(operation, member).split('/');
  const name = parts.pop();
  if (name === undefined) throw new PatchError('the root is not a place');
  let parent: JsonValue | undefined = state.root;
  for (const part of parts) {
    if (!(parent instanceof Map) && !Array.isArray(parent)) break;
    parent = get({ parent, name: unescaped(part) });
  }
  if (!(parent instanceof Map) && !Array.isArray(parent)) throw new PatchError('no such place');
  return { parent, name: unescaped(name) };
}

function pointer(operation: JsonObject, member: 'path' | 'from'): string {
  const text = operation.get(member);
  if (typeof text !== 'string') throw new PatchError(`missing ${member}`);
  return text;
}

function unescaped(part: string): string {
  return part.replace(/~[01]/g, (mark) => (mark === '~1' ? '/' : '~'));
}

function get({ parent, name }: Place): JsonValue | undefined {
  return Array.isArray(parent) ? parent[indexIn(parent, name)] : parent.get(name);
}

function add({ parent, name }: Place, value: JsonValue): void {
  if (!Array.isArray(parent)) {
    parent.set(name, value);
    return;
  }
  if (name === '-') parent.push(value);
  else parent.splice(index(name, parent.length + 1), 0, value);
}

function remove({ parent, name }: Place): void {
  if (Array.isArray(parent)) parent.splice(indexIn(parent, name), 1);
  else if (!parent.delete(name)) throw new PatchError('no such member');
}

function indexIn(list: readonly JsonValue[], name: string): number {
  return index(name, list.length);
}

/** Below 0: from the end. Leading zeros and a plus sign are read as Go's Atoi reads them. */
function index(name: string, length: number): number {
  if (!/^[+-]?[0-9]+$/.test(name)) throw new PatchError('not an index');
  const number = Number(name);
  const place = number < 0 ? number + length : number;
  if (place < 0 || place >= length) throw new PatchError('no such index');
  return place;
}
