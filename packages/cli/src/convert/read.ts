// Reads a body of any representation into a document. Lists are only cut: each item is read in its turn.
import {
  checkSyntax,
  decodeText,
  enclose,
  itemHead,
  type JsonObject,
  JsonReader,
  type JsonValue,
  openEnvelope,
  ProtobufError,
  parseCbor,
  readCborMembers,
  readTree,
} from '@sluice/encoding';
import { cborBodyForm, protobufCodec, structPrinter, type TypeMeta, typeOfKind } from '@sluice/resources';
import { cutCbor } from './cut/cbor.ts';
import type { Cut } from './cut/cut.ts';
import { cutJson } from './cut/json.ts';
import { cutProtobuf } from './cut/protobuf.ts';
import { cutYaml } from './cut/yaml.ts';
import {
  type Document,
  type Format,
  isListKind,
  itemKindOf,
  kindOf,
  listOf,
  objectOf,
  parseApiVersion,
  type Warn,
} from './document.ts';
import { readWhole, type Source } from './source.ts';

/** @throws Error that says what is wrong with the body. */
export async function readDocument(source: Source, format: Format, warn: Warn): Promise<Document> {
  switch (format) {
    case 'json':
    case 'pretty':
      return readTrees(source, cutJson(source), treeOfJson, warn);
    case 'yaml':
      return readYaml(source, warn);
    case 'cbor':
      return readCbor(source, warn);
    case 'protobuf':
      return readProtobuf(source);
  }
}

/** Of the formats that tell a tree by itself. */
async function readTrees(
  source: Source,
  cut: Cut | undefined,
  treeOf: (bytes: Uint8Array) => JsonValue | Promise<JsonValue>,
  warn: Warn,
  itemTreeOf: typeof treeOf = treeOf,
): Promise<Document> {
  const frame = cut && (await treeOf(cut.frame));
  if (!cut || !isFrame(frame)) return objectOf(await treeOf(readWhole(source)), warn);
  const trees = async function* (): AsyncGenerator<JsonValue, void> {
    for (const item of cut.items()) yield await itemTreeOf(item);
  };
  return listOf(frame, cut.count, trees, warn);
}

function isFrame(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map && isListKind(kindOf(value)) && Array.isArray(value.get('items'));
}

function treeOfJson(bytes: Uint8Array): JsonValue {
  checkSyntax(bytes);
  return readTree(new JsonReader(decodeText(bytes)));
}

async function readYaml(source: Source, warn: Warn): Promise<Document> {
  const { readYaml: read } = await import('@sluice/server');
  const treeOf = async (bytes: Uint8Array): Promise<JsonValue> => {
    const { value, duplicates } = await read(decodeText(bytes));
    if (duplicates !== '') warn(duplicates);
    return value;
  };
  const ofItem = async (bytes: Uint8Array): Promise<JsonValue> => {
    const sequence = await treeOf(bytes);
    return Array.isArray(sequence) ? (sequence[0] ?? null) : null;
  };
  return readTrees(source, cutYaml(source), treeOf, warn, ofItem);
}

function readCbor(source: Source, warn: Warn): Promise<Document> {
  const cut = cutCbor(source);
  const kind = cborKind(cut?.frame ?? readWhole(source));
  const itemKind = itemKindOf(kind);
  return readTrees(
    source,
    isListKind(kind) ? cut : undefined,
    (bytes) => parseCbor(bytes, cborBodyForm(kind)),
    warn,
    (bytes) => parseCbor(bytes, itemKind && cborBodyForm(itemKind)),
  );
}

function cborKind(body: Uint8Array): TypeMeta {
  const members = readCborMembers(body, ['kind', 'apiVersion'], 'v1.TypeMeta');
  return { ...parseApiVersion(members.get('apiVersion') ?? ''), kind: members.get('kind') ?? '' };
}

function readProtobuf(source: Source): Document {
  const cut = cutProtobuf(source);
  const body = cut?.frame ?? readWhole(source);
  const { message: _, ...type } = openEnvelope(body);
  const kind = { ...parseApiVersion(type.apiVersion), kind: type.kind };
  const codec = protobufCodec(kind);
  if (codec === undefined) throw new ProtobufError(`${type.apiVersion} ${type.kind} has no Protobuf form`);
  const print = structPrinter(typeOfKind(kind)!);
  const itemKind = itemKindOf(kind);
  if (cut === undefined || itemKind === undefined) {
    // v1's `List`, whose items are of any kind, isn't cut.
    return { kind, object: Buffer.from(print(codec.decode(readWhole(source)).object)) };
  }
  const printItem = structPrinter(typeOfKind(itemKind)!);
  return {
    kind,
    frame: Buffer.from(print(codec.decode(body).object.set('items', []))),
    count: cut.count,
    async *items() {
      for (const item of cut.items()) {
        const list = codec.decode(enclose(type, Buffer.concat([itemHead(item.length), item]))).object;
        yield Buffer.from(printItem((list.get('items') as JsonObject[])[0]));
      }
    },
  };
}
