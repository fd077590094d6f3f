// A list as Protobuf: everything is measured by its length, so sizes are known first and the items follow at any pace.
//
//   k8s\0 │ 0a TypeMeta │ 12 length of the list │ 0a ListMeta │ 12 item │ 12 item │ … │ 1a 00 22 00
//   └────────────────────── head ──────────────────────────────┘ └─ one by one ─┘    └── tail ──┘
import { ByteWriter } from '../json/writer.ts';
import { delimited, ENVELOPE_TAIL, envelopeHead, header, type ProtobufType } from './envelope.ts';
import { ProtobufError, VARINT_BYTES, varintLength, WireWriter } from './wire.ts';

export type ListMeta = {
  selfLink?: string;
  resourceVersion: string;
  continue: string;
  /** An explicit zero is written. */
  remainingItemCount?: number | bigint | undefined;
  shardSelector?: string | undefined;
};

/** Where metadata and items stand in a list. All lists are `usual` but meta.k8s.io/v1beta1's PartialObjectMetadataList. */
export type ListLayout = 'usual' | 'items-first';

export type ProtobufList<Item extends { readonly length: number } = Uint8Array> = {
  type: ProtobufType;
  metadata: ListMeta;
  /** Messages without tag and length. */
  items: readonly Item[];
  layout?: ListLayout;
};

export type ListSizes = {
  /** The whole body's bytes. */
  total: number;
  /** Each item's message. */
  items: readonly number[];
};

/** How much an item of `size` bytes takes in a list: tag, length, message. */
export function framedSize(size: number): number {
  return 1 + varintLength(size) + size;
}

/** All before the first item. @param itemsSize the sum of the items' framed sizes. */
export function listHead(
  type: ProtobufType,
  metadata: ListMeta,
  itemsSize: number,
  layout: ListLayout = 'usual',
): Uint8Array {
  const meta = listMeta(metadata);
  const head = envelopeHead(type, framedSize(meta.length) + itemsSize);
  if (layout === 'items-first') return head;
  return delimited(new ByteWriter().bytes(head), FIELD_1, meta).take();
}

/** All behind the last item. */
export function listTail(metadata: ListMeta, layout: ListLayout = 'usual'): Uint8Array {
  if (layout === 'usual') return ENVELOPE_TAIL;
  return delimited(new ByteWriter(), FIELD_2, listMeta(metadata)).bytes(ENVELOPE_TAIL).take();
}

/** What stands before an item's message. */
export function itemHead(size: number, layout: ListLayout = 'usual'): Uint8Array {
  return header(layout === 'usual' ? FIELD_2 : FIELD_1, size);
}

/** The sizes of a list, before anything of it is written. */
export function streamSize(list: ProtobufList<{ readonly length: number }>): ListSizes {
  const items = list.items.map((item) => item.length);
  const itemsSize = items.reduce((sum, size) => sum + framedSize(size), 0);
  const head = listHead(list.type, list.metadata, itemsSize, list.layout);
  return { total: head.length + itemsSize + listTail(list.metadata, list.layout).length, items };
}

/**
 * Writes a list piece by piece. Items may have been read again since `sizes` was made: one that has changed its size
 * would break what was announced.
 * @throws ProtobufError
 */
export function streamMarshal(
  list: ProtobufList,
  sizes: ListSizes,
  write: (bytes: Uint8Array) => void,
): void {
  const itemsSize = sizes.items.reduce((sum, size) => sum + framedSize(size), 0);
  let written = 0;
  const put = (bytes: Uint8Array): void => {
    written += bytes.length;
    write(bytes);
  };
  put(listHead(list.type, list.metadata, itemsSize, list.layout));
  for (const item of list.items) {
    put(itemHead(item.length, list.layout));
    put(item);
  }
  put(listTail(list.metadata, list.layout));
  if (written !== sizes.total) {
    throw new ProtobufError(`the size value was ${sizes.total}, but doEncode wrote ${written} bytes to data`);
  }
}

const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;
const SELF_LINK = 0x0a;
const RESOURCE_VERSION = 0x12;
const CONTINUE = 0x1a;
const REMAINING_ITEM_COUNT = 0x20;
const SHARD_INFO = 0x2a;
const SELECTOR = 0x0a;

function listMeta(metadata: ListMeta): Uint8Array {
  const writer = new ByteWriter();
  delimited(writer, SELF_LINK, Buffer.from(metadata.selfLink ?? ''));
  delimited(writer, RESOURCE_VERSION, Buffer.from(metadata.resourceVersion));
  delimited(writer, CONTINUE, Buffer.from(metadata.continue));
  if (metadata.remainingItemCount !== undefined) {
    const bits = BigInt.asUintN(64, BigInt(metadata.remainingItemCount));
    const field = new WireWriter(1 + VARINT_BYTES);
    field.varint(REMAINING_ITEM_COUNT);
    field.varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
    writer.bytes(field.buffer.subarray(0, field.length));
  }
  if (metadata.shardSelector !== undefined) {
    const selector = delimited(new ByteWriter(), SELECTOR, Buffer.from(metadata.shardSelector)).take();
    delimited(writer, SHARD_INFO, selector);
  }
  return writer.take();
}
