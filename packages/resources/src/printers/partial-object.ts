// An object's metadata alone, as PartialObjectMetadata.
import { JsonReader, readTree } from '@sluice/encoding';
import { structPrinter } from '../schema/printer.ts';
import { memberText } from './pick.ts';

/** Versions of meta.k8s.io that a Table or PartialObjectMetadata can be asked for in. */
export type MetaVersion = 'v1' | 'v1beta1';

/** `custom`: the item is of a custom kind, whose metadata lies with sorted keys and is shown in ObjectMeta's order. */
export function partialObject(item: Uint8Array, metaVersion: MetaVersion, custom: boolean): Uint8Array {
  return Buffer.from(partialObjectText(textOf(item), metaVersion, custom));
}

export function partialObjectText(item: string, metaVersion: MetaVersion, custom: boolean): string {
  const metadata = memberText(item, 'metadata') ?? '{}';
  const shown = custom ? printMetadata(readTree(new JsonReader(metadata))) : metadata;
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${shown}}`;
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

const printMetadata = structPrinter('meta/v1.ObjectMeta');
