// An object's metadata alone, as PartialObjectMetadata.
import { type ByteWriter, decodeText, findMember, JsonReader, readTree, type Span } from '@sluice/encoding';
import { structPrinter } from '../schema/printer.ts';

/** Versions of meta.k8s.io that a Table or PartialObjectMetadata can be asked for in. */
export type MetaVersion = 'v1' | 'v1beta1';

/** `custom`: the item is of a custom kind, whose metadata lies with sorted keys and is shown in ObjectMeta's order. */
export function partialObject(item: Uint8Array, metaVersion: MetaVersion, custom: boolean): Uint8Array {
  const metadata = shownMetadata(item, findMember(item, 0, 'metadata'), custom);
  return Buffer.concat([HEADS[metaVersion], metadata, TAIL]);
}

/** Appends it. `metadata`: where that stands, if it is known. */
export function writePartialObject(
  out: ByteWriter,
  item: Uint8Array,
  metaVersion: MetaVersion,
  custom: boolean,
  metadata: Span | undefined = findMember(item, 0, 'metadata'),
): void {
  out
    .bytes(HEADS[metaVersion])
    .bytes(shownMetadata(item, metadata, custom))
    .bytes(TAIL);
}

function shownMetadata(item: Uint8Array, metadata: Span | undefined, custom: boolean): Uint8Array {
  const bytes = metadata === undefined ? NO_METADATA : item.subarray(metadata.start, metadata.end);
  return custom ? inStructOrder(bytes) : bytes;
}

const HEADS: Readonly<Record<MetaVersion, Uint8Array>> = { v1: headOf('v1'), v1beta1: headOf('v1beta1') };
const TAIL = Buffer.from('}');
const NO_METADATA = Buffer.from('{}');
const printMetadata = structPrinter('meta/v1.ObjectMeta');

function headOf(metaVersion: MetaVersion): Uint8Array {
  return Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":`);
}

function inStructOrder(metadata: Uint8Array): Uint8Array {
  return Buffer.from(printMetadata(readTree(new JsonReader(decodeText(metadata)))));
}
