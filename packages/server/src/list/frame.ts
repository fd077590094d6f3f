// What stands around a list's items as JSON: its head up to the bracket that opens them, its tail from the one that closes them on.
import { type Kind, type MetaVersion, TABLE_TAIL, type TablePrinter, tableHead } from '@sluice/resources';
import { apiVersionOf } from '../object-bytes.ts';

export type ListMeta = {
  resourceVersion: bigint;
  continueToken: string;
  remainingItemCount: number | undefined;
};

/** Compact, without a newline at the end. `none` is what stands for no items at all. */
export type Frame = { head: Uint8Array; tail: Uint8Array; none: '[]' | 'null' };

/** Built-in lists have kind, apiVersion, metadata, items; custom ones have their keys sorted and always a `continue`. */
export function objectFrame(kind: Kind, meta: ListMeta): Frame {
  if (!kind.custom) return typedFrame(kind.listKind, apiVersionOf(kind), meta, '[]');
  const metadata = [
    `"continue":"${meta.continueToken}"`,
    remaining(meta),
    `"resourceVersion":"${meta.resourceVersion}"`,
  ];
  return {
    head: Buffer.from(`{"apiVersion":"${apiVersionOf(kind)}","items":[`),
    tail: Buffer.from(`],"kind":"${kind.listKind}","metadata":{${members(metadata)}}}`),
    none: '[]',
  };
}

/** The reference makes these lists anew, and of nothing it makes null. */
export function metadataFrame(version: MetaVersion, meta: ListMeta): Frame {
  return typedFrame('PartialObjectMetadataList', `meta.k8s.io/${version}`, meta, 'null');
}

export function tableFrame(table: TablePrinter, version: MetaVersion, meta: ListMeta): Frame {
  const { continueToken, remainingItemCount } = meta;
  const metadata = {
    resourceVersion: String(meta.resourceVersion),
    ...(continueToken !== '' && { continueToken }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
  return { head: tableHead(table, version, metadata), tail: TABLE_TAIL, none: table.emptyRows };
}

function typedFrame(listKind: string, apiVersion: string, meta: ListMeta, none: Frame['none']): Frame {
  const metadata = [
    `"resourceVersion":"${meta.resourceVersion}"`,
    meta.continueToken === '' ? '' : `"continue":"${meta.continueToken}"`,
    remaining(meta),
  ];
  const start = `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":{${members(metadata)}},"items":[`;
  return { head: Buffer.from(start), tail: Buffer.from(']}'), none };
}

function remaining({ remainingItemCount }: ListMeta): string {
  return remainingItemCount === undefined ? '' : `"remainingItemCount":${remainingItemCount}`;
}

function members(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(',');
}
