// JSON merge patch (RFC 7386), with what kube-apiserver's library adds: nulls are taken out of lists' objects as well.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { clone } from './tree.ts';

/** Changes `target`. Objects on the way come out with their members sorted, the others as they were. */
export function applyMergePatch(target: JsonObject, patch: JsonObject): void {
  for (const [name, value] of patch) {
    if (value === null) {
      target.delete(name);
      continue;
    }
    const current = target.get(name);
    if (current instanceof Map && value instanceof Map) applyMergePatch(current, value);
    else if (current instanceof Map) target.set(name, clone(value));
    else target.set(name, withoutNulls(value));
  }
  sortMembers(target);
}

/** A copy without members that are null, down through lists; a list's own nulls stay. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!(value instanceof Map)) return value;
  const kept: JsonObject = new Map();
  for (const [name, member] of value) if (member !== null) kept.set(name, withoutNulls(member));
  sortMembers(kept);
  return kept;
}

/** By the bytes of their names, as Go prints maps. */
export function sortMembers(object: JsonObject): void {
  const members = [...object].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  object.clear();
  for (const [name, value] of members) object.set(name, value);
}
