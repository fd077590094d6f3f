// Strategic merge patch: a merge patch that knows the types.
// Lists are merged item by item where the type names a merge key, and a patch can say more than values:
//
//   $patch: replace | delete               this object, or this list's rest, instead of what was there
//   $retainKeys: [a, b]                    all other members go
//   $setElementOrder/list: [...]           the order of the merged list
//   $deleteFromPrimitiveList/list: [...]   values to take out
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { goValueText } from './go-value-text.ts';
import { inPatchOrder } from './list-order.ts';
import { type PatchSchema, typeOfItem, typeOfMember } from './patch-schema.ts';
import { equal } from './tree.ts';

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
  for (const name of target.keys()) if (!names.includes(name)) target.delete(name);
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
    const all = [...current, ...patch];
    const once = all.filter((item, index) => all.findIndex((other) => equal(other, item)) === index);
    return inPatchOrder(once, patch, current, '');
  }
  const { kept, changes, replaces } = sortOut(current, patch, type.mergeKey);
  if (replaces) return changes;
  const items = [...kept];
  for (const change of changes) {
    const key = change.get(type.mergeKey);
    if (key === undefined) throw noMergeKey(change, type.mergeKey);
    const index = items.findIndex((item) => item instanceof Map && equal(item.get(type.mergeKey), key));
    const found = items[index];
    if (found instanceof Map) items[index] = applyStrategicMerge(found, change, typeOfItem(type));
    else items.push(plain(change));
  }
  return inPatchOrder(items, changes, kept, type.mergeKey);
}

type Sorted = { kept: JsonValue[]; changes: JsonObject[]; replaces: boolean };

/** Items that are directives: delete takes one out, replace puts the patch's others in the place of all. */
function sortOut(current: readonly JsonValue[], patch: readonly JsonValue[], mergeKey: string): Sorted {
  let kept = [...current];
  const changes: JsonObject[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!(item instanceof Map)) continue;
    const directive = item.get(PATCH);
    if (directive === undefined) changes.push(item);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') {
      const key = item.get(mergeKey);
      if (key === undefined) throw noMergeKey(item, mergeKey);
      kept = kept.filter((other) => !(other instanceof Map && equal(other.get(mergeKey), key)));
    } else throw unknownDirective(directive, item);
  }
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
  target.set(
    name,
    current.filter((item) => !values.some((value) => equal(value, item))),
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
