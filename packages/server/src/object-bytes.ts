// A single object's bytes, made of its item bytes: what stands in front, and how a resourceVersion is replaced.
import { eachElement, findPath } from '@sluice/encoding';
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
  const held = findPath(item, ['metadata', 'resourceVersion']);
  if (!held) return item;
  return Buffer.concat([item.subarray(0, held.start), Buffer.from(`"${revision}"`), item.subarray(held.end)]);
}

/** The scalar at a path of members, as its JSON is; '' when there is none. */
export function scalarIn(item: Uint8Array, ...path: readonly string[]): string {
  const found = findPath(item, path);
  if (!found || item[found.start] === OPEN_BRACE || item[found.start] === OPEN_BRACKET) return '';
  return Buffer.from(item.buffer, item.byteOffset + found.start, found.end - found.start).toString();
}

/** Whether the list at a path of members holds the text. For texts that hold no escapes. */
export function hasText(item: Uint8Array, path: readonly string[], text: string): boolean {
  const list = findPath(item, path);
  let isFound = false;
  if (list) {
    eachElement(item, list.start, (start, end) => {
      isFound ||= end - start === text.length + 2 && latin1(item.subarray(start + 1, end - 1)) === text;
    });
  }
  return isFound;
}

/** The text at a path of members; '' when there is none. For texts that hold no escapes. */
export function textIn(item: Uint8Array, ...path: readonly string[]): string {
  const scalar = scalarIn(item, ...path);
  return scalar.startsWith('"') ? scalar.slice(1, -1) : '';
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
