// Writes a document in any representation, lists item by item.
import {
  ByteWriter,
  cborListHead,
  cborListTail,
  ENVELOPE_TAIL,
  eachMember,
  encodeCbor,
  encodeCborItem,
  encodeYaml,
  encodeYamlItem,
  envelopeHead,
  framedSize,
  Indenter,
  indentJson,
  itemHead,
  openEnvelope,
  type SplitList,
  splitList,
  yamlListFrame,
} from '@sluice/encoding';
import { cborForm, type ProtobufCodec, protobufCodec, type TypeMeta } from '@sluice/resources';
import {
  apiVersionOf,
  type Document,
  type Format,
  itemKindOf,
  type ListDocument,
  type Warn,
} from './document.ts';

/** Each piece is good until the next is asked for. @throws Error that says why the format can't show it. */
export async function* piecesOf(
  document: Document,
  format: Format,
  warn: Warn,
): AsyncGenerator<Uint8Array, void> {
  if ('object' in document) yield objectBody(document.kind, document.object, format);
  else yield* LISTS[format](document, warn);
}

function objectBody(kind: TypeMeta, json: Uint8Array, format: Format): Uint8Array {
  switch (format) {
    case 'json':
      return Buffer.concat([json, NEWLINE]);
    case 'pretty':
      return indentJson(json);
    case 'yaml': {
      const out = new ByteWriter();
      encodeYaml(json, out);
      return out.take();
    }
    case 'protobuf':
      return codecOf(kind).encode(json);
    case 'cbor':
      return encodeCbor(json, cborForm(kind));
  }
}

type Pieces = AsyncGenerator<Uint8Array, void>;

const LISTS: Readonly<Record<Format, (list: ListDocument, warn: Warn) => Pieces>> = {
  json: jsonList,
  pretty: (list, warn) => indented(jsonParts(list, warn)),
  yaml: yamlList,
  protobuf: protobufList,
  cbor: cborList,
};

const NEWLINE = Buffer.from('\n');
const COMMA = Buffer.from(',');

async function* jsonList(list: ListDocument, warn: Warn): Pieces {
  yield* jsonParts(list, warn);
  yield NEWLINE;
}

async function* jsonParts({ frame, items }: ListDocument, warn: Warn): Pieces {
  const { head, tail } = cut(frame);
  yield head;
  let isFirst = true;
  for await (const item of items(warn)) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield item;
  }
  yield tail;
}

async function* indented(parts: AsyncIterable<Uint8Array>): Pieces {
  const indenter = new Indenter();
  // Its pieces lie in one buffer, which whoever gathers them may still hold.
  for await (const part of parts) for (const piece of indenter.indent(part)) yield Buffer.from(piece);
}

/** A list cut short looks whole in YAML, so all items are tried before the first byte. */
async function* yamlList({ frame, items, count }: ListDocument, warn: Warn): Pieces {
  const around = yamlListFrame(frame);
  if (count === 0) {
    yield around.empty;
    return;
  }
  const out = new ByteWriter();
  const spelled = async function* (told: Warn): Pieces {
    for await (const item of items(told)) {
      encodeYamlItem(item, out);
      yield out.take();
    }
  };
  for await (const _ of spelled(warn));
  yield around.head;
  yield* spelled(TOLD_ALREADY);
  yield around.tail;
}

/** Of a second walk's items. */
const TOLD_ALREADY: Warn = () => {};

async function* cborList({ kind, frame, items, count }: ListDocument, warn: Warn): Pieces {
  const envelope = withoutItems(frame);
  const itemKind = itemKindOf(kind);
  const form = itemKind && cborForm(itemKind);
  const out = new ByteWriter();
  yield cborListHead(envelope, count);
  for await (const item of items(warn)) {
    encodeCborItem(item, out, form);
    yield out.take();
  }
  yield cborListTail(envelope);
}

/** The list's length stands before its items, so all of them are measured before the first byte. */
async function* protobufList(list: ListDocument, warn: Warn): Pieces {
  const { kind, frame, items } = list;
  const itemKind = itemKindOf(kind);
  if (itemKind === undefined) {
    const parts: Uint8Array[] = [];
    for await (const part of jsonParts(list, warn)) parts.push(part);
    yield codecOf(kind).encode(Buffer.concat(parts));
    return;
  }
  const { message, ...type } = openEnvelope(codecOf(kind).encode(frame));
  const codec = codecOf(itemKind);
  let size = message.length;
  for await (const item of items(warn)) size += framedSize(codec.message(item).length);
  yield envelopeHead(type, size);
  yield message;
  for await (const item of items(TOLD_ALREADY)) {
    const encoded = codec.message(item);
    yield itemHead(encoded.length);
    yield encoded;
  }
  yield ENVELOPE_TAIL;
}

function codecOf(kind: TypeMeta): ProtobufCodec {
  const codec = protobufCodec(kind);
  if (codec === undefined) throw new Error(`${apiVersionOf(kind)} ${kind.kind} has no Protobuf form`);
  return codec;
}

function cut(frame: Uint8Array): SplitList {
  const split = splitList(frame);
  if (split === undefined) throw new TypeError('a frame that is no list');
  return split;
}

function withoutItems(frame: Uint8Array): Uint8Array {
  const members: Uint8Array[] = [];
  eachMember(frame, 0, (keyStart, _keyEnd, valueStart, valueEnd) => {
    const isItems = Buffer.from(frame.subarray(keyStart - 1, valueStart)).equals(ITEMS);
    if (!isItems) members.push(members.length > 0 ? COMMA : OPEN, frame.subarray(keyStart - 1, valueEnd));
    return true;
  });
  return Buffer.concat([...(members.length > 0 ? members : [OPEN]), CLOSE]);
}

const ITEMS = Buffer.from('"items":');
const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');
