// Reading and changing trees that may hold anything: what isn't of the asked type is as if it weren't there.
import type { JsonObject, JsonValue } from '@sluice/encoding';

export function members(value: JsonValue | undefined): JsonObject {
  return value instanceof Map ? value : new Map();
}

export function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function texts(value: JsonValue | undefined): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** A copy; undefined takes a member away. */
export function changed(object: JsonObject, changes: Record<string, JsonValue | undefined>): JsonObject {
  const copy = new Map(object);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) copy.delete(name);
    else copy.set(name, value);
  }
  return copy;
}
