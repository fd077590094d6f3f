// A single object's bytes, made of its item bytes: what stands in front, and how a resourceVersion is replaced.
import { findMember } from '@sluice/encoding';
import type { Kind } from '@sluice/resources';

/** `v1`, `apps/v1`. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** Items of built-in kinds lack kind and apiVersion; a single object has them, first. */
export function objectPieces(kind: Kind, item: Uint8Array): readonly Uint8Array[] {
  if (kind.custom) return [item];
  return [Buffer.from(`{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}",`), item.subarray(1)];
}

/** The item with another resourceVersion in its metadata. */
export function withResourceVersion(item: Uint8Array, revision: bigint): Uint8Array {
  const metadata = findMember(item, 0, 'metadata');
  const held = metadata && findMember(item, metadata.start, 'resourceVersion');
  if (!held) return item;
  return Buffer.concat([item.subarray(0, held.start), Buffer.from(`"${revision}"`), item.subarray(held.end)]);
}
