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
  itemHead,
  openEnvelope,
  type SplitList,
  splitList,
  yamlListFrame,
} from '@sluice/encoding';
import { cborForm, type ProtobufCodec, protobufCodec, type TypeMeta } from '@sluice/resources';
import { apiVersionOf, type Document, type Format, itemKindOf, type ListDocument } from './document.ts';

/** Each piece is good until the next is asked for. @throws Error that says why the format can't show it. */
export function piecesOf(document: Document, format: Format): Iterable<Uint8Array> {
  return 'object' in document
    ? [objectBody(document.kind, document.object, format)]
    : LISTS[format](document);
}

function objectBody(kind: TypeMeta, json: Uint8Array, format: Format): Uint8Array {
  switch (format) {
    case 'json':
      return Buffer.concat([json, NEWLINE]);
    case 'pretty':
      return Buffer.concat([...indented([json])]);
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

const LISTS: Readonly<Record<Format, (list: ListDocument) => Iterable<Uint8Array>>> = {
  json: jsonList,
  pretty: (list) => indented(jsonParts(list)),
  yaml: yamlList,
  protobuf: protobufList,
  cbor: cborList,
};

const NEWLINE = Buffer.from('\n');
const COMMA = Buffer.from(',');

function* jsonList(list: ListDocument): Generator<Uint8Array, void> {
  yield* jsonParts(list);
  yield NEWLINE;
}

function* jsonParts({ frame, items }: ListDocument): Generator<Uint8Array, void> {
  const { head, tail } = cut(frame);
  yield head;
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield item;
  }
  yield tail;
}

function* indented(parts: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  const indenter = new Indenter();
  // Its pieces lie in one buffer, which whoever gathers them may still hold.
  for (const part of parts) for (const piece of indenter.indent(part)) yield Buffer.from(piece);
}

function* yamlList({ frame, items, count }: ListDocument): Generator<Uint8Array, void> {
  const around = yamlListFrame(frame);
  if (count === 0) {
    yield around.empty;
    return;
  }
  const out = new ByteWriter();
  yield around.head;
  for (const item of items) {
    encodeYamlItem(item, out);
    yield out.take();
  }
  yield around.tail;
}

function* cborList({ kind, frame, items, count }: ListDocument): Generator<Uint8Array, void> {
  const envelope = withoutItems(frame);
  const itemKind = itemKindOf(kind);
  const form = itemKind && cborForm(itemKind);
  const out = new ByteWriter();
  yield cborListHead(envelope, count);
  for (const item of items) {
    encodeCborItem(item, out, form);
    yield out.take();
  }
  yield cborListTail(envelope);
}

/** The list's length stands before its items, so all messages are made before the first byte. */
function* protobufList(list: ListDocument): Generator<Uint8Array, void> {
  const { kind, frame, items } = list;
  const itemKind = itemKindOf(kind);
  if (itemKind === undefined) {
    yield codecOf(kind).encode(Buffer.concat([...jsonParts(list)]));
    return;
  }
  const { message, ...type } = openEnvelope(codecOf(kind).encode(frame));
  const codec = codecOf(itemKind);
  const messages = Array.from(items, (item) => Buffer.from(codec.message(item)));
  const size = messages.reduce((sum, { length }) => sum + framedSize(length), message.length);
  yield envelopeHead(type, size);
  yield message;
  for (const item of messages) {
    yield itemHead(item.length);
    yield item;
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
