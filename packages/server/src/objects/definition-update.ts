// Writes what the server says of a CustomResourceDefinition: its status and its finalizers.
import type { ApiObject, Kind } from '@sluice/resources';
import type { ObjectParts } from '../parts.ts';
import { commit, findItem, readItem, storedHalves } from './stored.ts';
import { put, textAt, textsAt } from './tree.ts';

export type DefinitionUpdate = {
  key: string;
  /** Nothing is written when the definition isn't at this revision any more. */
  expect: bigint;
  /** Item bytes whose metadata and status are written; the rest stays. */
  outline: Uint8Array;
};

/** A definition that is deleted goes with its last finalizer. */
export async function updateDefinition(
  parts: ObjectParts,
  kind: Kind,
  { key, expect, outline }: DefinitionUpdate,
): Promise<void> {
  const item = findItem(parts, kind, key);
  if (item?.modRevision !== expect) return;
  const from = readItem(parts, kind, outline);
  const next: ApiObject = readItem(parts, kind, item.bytes);
  for (const name of ['metadata', 'status']) put(next, name, from.get(name));
  const isReleased = isDeleted(next) && textsAt(next, 'metadata', 'finalizers').length === 0;
  await commit(parts, kind, { key, expect, halves: isReleased ? null : storedHalves(parts, kind, next) });
}

export function isDeleted(definition: ApiObject): boolean {
  return textAt(definition, 'metadata', 'deletionTimestamp') !== '';
}
