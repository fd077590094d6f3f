// Reads a body of any representation into a document. Lists in JSON and Protobuf are only cut: each item is read in its turn.
import {
  checkSyntax,
  decodeText,
  enclose,
  itemHead,
  type JsonObject,
  JsonReader,
  openEnvelope,
  ProtobufError,
  parseCbor,
  readCborMembers,
  readTree,
  splitProtobufList,
} from '@sluice/encoding';
import { cborBodyForm, protobufCodec, structPrinter, type TypeMeta, typeOfKind } from '@sluice/resources';
import {
  type Document,
  documentOf,
  type Format,
  isListKind,
  itemKindOf,
  kindOf,
  listOf,
  mapped,
  parseApiVersion,
  type Warn,
} from './document.ts';

/** @throws Error that says what is wrong with the body. */
export async function readDocument(body: Uint8Array, format: Format, warn: Warn): Promise<Document> {
  switch (format) {
    case 'json':
    case 'pretty':
      return readJson(body, warn);
    case 'yaml':
      return readYaml(body, warn);
    case 'protobuf':
      return readProtobuf(body);
    case 'cbor':
      return readCbor(body, warn);
  }
}

function readJson(body: Uint8Array, warn: Warn): Document {
  checkSyntax(body);
  const text = decodeText(body);
  const reader = new JsonReader(text);
  if (reader.peek() !== OPEN_BRACE) return documentOf(readTree(reader), warn);
  const frame: JsonObject = new Map();
  let items: string[] | undefined;
  for (let more = reader.enter(); more; more = reader.more()) {
    const key = reader.key();
    if (key === 'items' && reader.peek() === OPEN_BRACKET) {
      items = elementsOf(reader.skip());
      frame.set(key, []);
    } else {
      frame.set(key, readTree(reader));
      if (key === 'items') items = undefined;
    }
  }
  const kind = kindOf(frame);
  if (items !== undefined && isListKind(kind)) return listOf(kind, frame, items, treeOfText, warn);
  if (items !== undefined) frame.set('items', items.map(treeOfText));
  return documentOf(frame, warn);
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function treeOfText(text: string): ReturnType<typeof readTree> {
  return readTree(new JsonReader(text));
}

function elementsOf(array: string): string[] {
  const reader = new JsonReader(array);
  const elements: string[] = [];
  for (let more = reader.enter(); more; more = reader.more()) elements.push(reader.skip());
  return elements;
}

async function readYaml(body: Uint8Array, warn: Warn): Promise<Document> {
  const { readYaml: read } = await import('@sluice/server');
  const { value, duplicates } = await read(decodeText(body));
  if (duplicates !== '') warn(duplicates);
  return documentOf(value, warn);
}

function readCbor(body: Uint8Array, warn: Warn): Document {
  const members = readCborMembers(body, ['kind', 'apiVersion'], 'v1.TypeMeta');
  const kind = { ...parseApiVersion(members.get('apiVersion') ?? ''), kind: members.get('kind') ?? '' };
  return documentOf(parseCbor(body, cborBodyForm(kind)), warn);
}

function readProtobuf(body: Uint8Array): Document {
  const { message, ...type } = openEnvelope(body);
  const kind = { ...parseApiVersion(type.apiVersion), kind: type.kind };
  const codec = protobufCodec(kind);
  if (codec === undefined) throw new ProtobufError(`${type.apiVersion} ${type.kind} has no Protobuf form`);
  const typeName = typeOfKind(kind)!;
  const itemKind = isListKind(kind) ? itemKindOf(kind) : undefined;
  if (itemKind === undefined) return wholeProtobuf(kind, codec.decode(body).object);
  const print = structPrinter(typeOfKind(itemKind)!);
  const { rest, items } = splitProtobufList(kind.kind, message);
  const frame = codec.decode(enclose(type, rest)).object.set('items', []);
  return {
    kind,
    frame: Buffer.from(structPrinter(typeName)(frame)),
    items: mapped(items, (item) => {
      const list = codec.decode(enclose(type, Buffer.concat([itemHead(item.length), item]))).object;
      return Buffer.from(print((list.get('items') as JsonObject[])[0]));
    }),
    count: items.length,
  };
}

/** v1's `List`, whose items are of any kind, isn't cut. */
function wholeProtobuf(kind: TypeMeta, object: JsonObject): Document {
  return { kind, object: Buffer.from(structPrinter(typeOfKind(kind)!)(object)) };
}
