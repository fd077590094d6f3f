// Strategic merge patch: a merge patch that knows the types.
// Lists are merged item by item where the type names a merge key, and a patch can say more than values:
//
//   $patch: replace | delete               this object, or this list's rest, instead of what was there
//   $retainKeys: [a, b]                    all other members go
//   $setElementOrder/list: [...]           the order of the merged list
//   $deleteFromPrimitiveList/list: [...]   values to take out
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { goValueText } from './go-value-text.ts';
import { inPatchOrder, itemIdentity } from './list-order.ts';
import { type PatchSchema, typeOfItem, typeOfMember } from './patch-schema.ts';
import { identity } from './tree.ts';

const PATCH = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE = '$deleteFromPrimitiveList/';

/** A patch that can't be applied, in the reference's words. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
}

/**
 * Changes `target`, and takes `patch` apart: neither can be used for anything else afterwards.
 * @throws StrategicPatchError
 */
export function applyStrategicMerge(target: JsonObject, patch: JsonObject, type: PatchSchema): JsonObject {
  const directive = patch.get(PATCH);
  if (directive !== undefined) {
    if (directive === 'delete') return new Map();
    if (directive !== 'replace') throw unknownDirective(directive, patch);
    patch.delete(PATCH);
    return patch;
  }
  retainKeys(target, patch);
  mergeOrderedLists(target, patch, type);
  for (const [name, value] of patch) {
    if (name.startsWith(DELETE)) deleteValues(target, name.slice(DELETE.length), value);
    else if (value === null) target.delete(name);
    else target.set(name, merged(target.get(name), value, typeOfMember(type, name)));
  }
  return target;
}

function retainKeys(target: JsonObject, patch: JsonObject): void {
  const names = patch.get(RETAIN);
  patch.delete(RETAIN);
  if (!Array.isArray(names)) return;
  const retained = new Set(names);
  for (const name of target.keys()) if (!retained.has(name)) target.delete(name);
}

/** What is there and what comes make one; where they are of different types, the patch's takes the place. */
function merged(current: JsonValue | undefined, value: JsonValue, type: PatchSchema): JsonValue {
  if (current instanceof Map && value instanceof Map) {
    return type.replaces ? value : applyStrategicMerge(current, value, type);
  }
  if (Array.isArray(current) && Array.isArray(value)) {
    return type.merges ? mergeList(current, value, type) : value;
  }
  return plain(value);
}

function mergeList(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  type: PatchSchema,
): JsonValue[] {
  if (![...current, ...patch].some((item) => item instanceof Map)) {
    return inPatchOrder(each([...current, ...patch]), patch, current, '');
  }
  const { kept, changes, replaces } = sortOut(current, patch, type.mergeKey);
  if (replaces) return changes;
  const items = [...kept];
  const places = placesOf(items, type.mergeKey);
  for (const change of changes) {
    const key = change.get(type.mergeKey);
    if (key === undefined) throw noMergeKey(change, type.mergeKey);
    const [index = items.length] = places.get(identity(key)) ?? [];
    const found = items[index];
    if (found instanceof Map) {
      items[index] = applyStrategicMerge(found, change, typeOfItem(type));
      // It may have lost its key on the way: then it isn't found again.
      if (!found.has(type.mergeKey)) places.get(identity(key))?.shift();
      continue;
    }
    const added = plain(change);
    items.push(added);
    if (added instanceof Map) notePlace(places, identity(added.get(type.mergeKey)), index);
  }
  return inPatchOrder(items, changes, kept, type.mergeKey);
}

/** The first of equal values each. */
function each(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size < seen.add(identity(value)).size);
}

/** Where the objects with each merge key stand, the first one first. */
function placesOf(items: readonly JsonValue[], mergeKey: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (item instanceof Map) notePlace(places, identity(item.get(mergeKey)), index);
  }
  return places;
}

function notePlace(places: Map<string, number[]>, key: string, index: number): void {
  const known = places.get(key);
  if (known) known.push(index);
  else places.set(key, [index]);
}

type Sorted = { kept: JsonValue[]; changes: JsonObject[]; replaces: boolean };

/** Items that are directives: delete takes one out, replace puts the patch's others in the place of all. */
function sortOut(current: readonly JsonValue[], patch: readonly JsonValue[], mergeKey: string): Sorted {
  const deleted = new Set<string>();
  const changes: JsonObject[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!(item instanceof Map)) continue;
    const directive = item.get(PATCH);
    if (directive === undefined) changes.push(item);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') {
      if (!item.has(mergeKey)) throw noMergeKey(item, mergeKey);
      deleted.add(itemIdentity(item, mergeKey));
    } else throw unknownDirective(directive, item);
  }
  const kept = current.filter((item) => !(item instanceof Map && deleted.has(itemIdentity(item, mergeKey))));
  return { kept, changes, replaces };
}

/** Lists whose order the patch tells: they are merged here, and taken out of the patch. */
function mergeOrderedLists(target: JsonObject, patch: JsonObject, type: PatchSchema): void {
  for (const [directive, order] of patch) {
    if (!directive.startsWith(ORDER)) continue;
    patch.delete(directive);
    const name = directive.slice(ORDER.length);
    const current = target.get(name) ?? [];
    const value = patch.get(name) ?? [];
    if (!Array.isArray(order) || !Array.isArray(current) || !Array.isArray(value)) continue;
    patch.delete(name);
    if (current.length === 0 && value.length === 0) continue;
    const member = typeOfMember(type, name);
    const items = member.merges ? mergeList(current, value, member) : (plain(value) as JsonValue[]);
    target.set(name, inPatchOrder(items, order, current, member.mergeKey));
  }
}

function deleteValues(target: JsonObject, name: string, values: JsonValue): void {
  const current = target.get(name);
  if (!Array.isArray(current) || !Array.isArray(values)) return;
  const deleted = new Set(values.map(identity));
  target.set(
    name,
    current.filter((item) => !deleted.has(identity(item))),
  );
}

/** A value that meets nothing: without nulls, and without what the patch says besides values. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((item) => !(item instanceof Map && item.has(PATCH))).map(plain);
  }
  if (!(value instanceof Map)) return value;
  const kept: JsonObject = new Map();
  for (const [name, member] of value) {
    const isDirective =
      name === PATCH || name === RETAIN || name.startsWith(ORDER) || name.startsWith(DELETE);
    if (member !== null && !isDirective) kept.set(name, plain(member));
  }
  return kept;
}

function unknownDirective(directive: JsonValue, patch: JsonObject): StrategicPatchError {
  return new StrategicPatchError(
    `unknown patch type: ${goValueText(directive)} in map: ${goValueText(patch)}`,
  );
}

function noMergeKey(item: JsonObject, mergeKey: string): StrategicPatchError {
  return new StrategicPatchError(
    `map: ${goValueText(item)} does not contain declared merge key: ${mergeKey}`,
  );
}
