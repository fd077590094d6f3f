// What stands around a list's items in each encoding, made of the frame that JSON has.
import {
  ByteWriter,
  cborListHead,
  cborListTail,
  encodeYaml,
  indentJson,
  listHead,
  listTail,
  type ProtobufType,
} from '@sluice/encoding';
import type { Frame, ListMeta } from './frame.ts';
import type { ListShape } from './shape.ts';

/** Known of all items before the first byte, as far as the encoding needs it. */
export type Totals = { count: number; bytes: number };

export type Around = {
  head(totals: Totals): Uint8Array;
  tail: Uint8Array;
  /** The whole body when there are no items. */
  empty: Uint8Array;
};

type Spelling = {
  needs: ListShape['needs'];
  around(frame: Frame, meta: ListMeta, type: ProtobufType): Around;
};

/** By the encoding's name; a format that is added gets its row here. */
export const SPELLINGS: Readonly<Record<'json' | 'pretty' | 'yaml' | 'protobuf' | 'cbor', Spelling>> = {
  json: { needs: 'nothing', around: compact },
  pretty: { needs: 'nothing', around: indented },
  yaml: { needs: 'problems', around: yaml },
  protobuf: { needs: 'bytes', around: protobuf },
  cbor: { needs: 'count', around: cbor },
};

const NEWLINE = Buffer.from('\n');

function compact(frame: Frame): Around {
  const { head } = frame;
  return { head: () => head, tail: joined(frame.tail, NEWLINE), empty: joined(emptyList(frame), NEWLINE) };
}

/** An item `0` shows where items go; the first one begins with the line break and indent that follow the head. */
function indented(frame: Frame): Around {
  const whole = indentJson(joined(frame.head, Buffer.from('0'), frame.tail));
  const start = indentJson(frame.head).length;
  const item = whole.indexOf(0x30, start);
  const head = whole.subarray(0, start);
  return { head: () => head, tail: whole.subarray(item + 1), empty: indentJson(emptyList(frame)) };
}

/** Keys are sorted anew; where the array stood, its items follow in a block. */
function yaml(frame: Frame): Around {
  const empty = yamlOf(emptyList(frame));
  const shown = yamlOf(emptyList({ ...frame, none: '[]' }));
  const member = frame.head.subarray(frame.head.lastIndexOf(0x22, frame.head.length - 4) + 1, -3);
  const marker = Buffer.concat([Buffer.from('\n'), member, Buffer.from(': []\n')]);
  const at = shown.indexOf(marker);
  const head = joined(shown.subarray(0, at + 1), member, Buffer.from(':\n'));
  return { head: () => head, tail: shown.subarray(at + marker.length), empty };
}

function protobuf(_frame: Frame, meta: ListMeta, type: ProtobufType): Around {
  const metadata = {
    resourceVersion: String(meta.resourceVersion),
    continue: meta.continueToken,
    ...(meta.remainingItemCount !== undefined && { remainingItemCount: meta.remainingItemCount }),
  };
  // The one list type whose items come first (KEP-5116's known exception).
  const isItemsFirst = type.apiVersion === 'meta.k8s.io/v1beta1';
  const layout = isItemsFirst ? 'items-first' : 'usual';
  const tail = listTail(metadata, layout);
  const head = ({ bytes }: Totals): Uint8Array => listHead(type, metadata, bytes, layout);
  return { head, tail, empty: joined(head({ count: 0, bytes: 0 }), tail) };
}

function cbor(frame: Frame): Around {
  const envelope = withoutItems(frame);
  const tail = cborListTail(envelope);
  const none = frame.none === 'null' ? null : 0;
  return {
    head: ({ count }) => cborListHead(envelope, count),
    tail,
    empty: joined(cborListHead(envelope, none), tail),
  };
}

/** All members but the items. */
function withoutItems({ head, tail }: Frame): Uint8Array {
  const before = head.subarray(0, head.lastIndexOf(0x2c, head.length - 1));
  return joined(before, tail.subarray(1));
}

function emptyList({ head, tail, none }: Frame): Uint8Array {
  return joined(head.subarray(0, -1), Buffer.from(none), tail.subarray(1));
}

function yamlOf(json: Uint8Array): Buffer {
  const out = new ByteWriter();
  encodeYaml(json, out);
  return Buffer.from(out.take());
}

function joined(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}
