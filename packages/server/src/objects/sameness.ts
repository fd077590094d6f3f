// Whether objects say the same, once they are stored: a field that is absent is a field that is zero.
import type { JsonObject } from '@sluice/encoding';
import type { ApiObject, Kind } from '@sluice/resources';
import { equal, put } from './tree.ts';

/** Looks at these members only, or at what lies at these paths of members. */
export function isSame(
  kind: Kind,
  object: ApiObject,
  old: ApiObject,
  paths: readonly (readonly string[])[],
): boolean {
  const [one, other] = [partOf(object, paths), partOf(old, paths)];
  return equal(one, other) || (!kind.custom && text(kind, one) === text(kind, other));
}

function partOf(object: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const part: JsonObject = new Map();
  for (const [first = '', ...rest] of paths) {
    const value = object.get(first);
    put(part, first, value instanceof Map && rest.length > 0 ? partOf(value, [rest]) : value);
  }
  return part;
}

function text({ codec }: Kind, object: JsonObject): string {
  const { head, tail } = codec.encode(object);
  return Buffer.concat([head, tail]).toString('latin1');
}
