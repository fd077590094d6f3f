// What stands around a list's items: its head up to `"items":[`, its tail from `]` on.
import type { Kind } from '@sluice/resources';

export type ListMeta = {
  resourceVersion: bigint;
  continueToken: string;
  remainingItemCount: number | undefined;
};

/**
 * Built-in lists have kind, apiVersion, metadata, items, empty fields left out; custom ones have their keys sorted and
 * always a `continue` (list-behaviour of unstructured lists).
 */
export function frame(kind: Kind, meta: ListMeta): { head: Uint8Array; tail: Uint8Array } {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const remaining =
    meta.remainingItemCount === undefined ? '' : `"remainingItemCount":${meta.remainingItemCount}`;
  if (kind.custom) {
    const metadata = [
      `"continue":"${meta.continueToken}"`,
      remaining,
      `"resourceVersion":"${meta.resourceVersion}"`,
    ];
    return {
      head: Buffer.from(`{"apiVersion":"${apiVersion}","items":[`),
      tail: Buffer.from(`],"kind":"${kind.listKind}","metadata":{${members(metadata)}}}\n`),
    };
  }
  const metadata = [
    `"resourceVersion":"${meta.resourceVersion}"`,
    meta.continueToken === '' ? '' : `"continue":"${meta.continueToken}"`,
    remaining,
  ];
  return {
    head: Buffer.from(
      `{"kind":"${kind.listKind}","apiVersion":"${apiVersion}","metadata":{${members(metadata)}},"items":[`,
    ),
    tail: Buffer.from(']}\n'),
  };
}

function members(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(',');
}
