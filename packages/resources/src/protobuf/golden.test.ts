// Protobuf against what the Go libraries wrote: every kind both ways, and every list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ByteWriter,
  enclose,
  itemHead,
  type ListLayout,
  type ListMeta,
  type ProtobufList,
  streamMarshal,
  streamSize,
} from '@sluice/encoding';
import { builtInCodec } from '../schema/built-in.ts';
import { structPrinter } from '../schema/printer.ts';
import { typeOfKind } from '../schema/scheme.ts';
import { readTypeMeta } from '../schema/type-meta.ts';
import { protobufCodec } from './codec.ts';

test('encode() gives the bytes of every kind, decode() reads them back to the same JSON', () => {
  const kinds = lines<{ name: string; json: string; empty: string }>('kinds');
  const messages = lines<{ name: string; protobuf: string; empty: string }>('protobuf-kinds');
  assert.equal(messages.length, 113);
  for (const [place, { name, json, empty }] of kinds.entries()) {
    const expected = messages[place]!;
    assert.equal(expected.name, name);
    checkKind(name, json.trim(), expected.protobuf);
    checkKind(name, empty.trim(), expected.empty);
  }
});

test('encodeItem() and streamMarshal() give the bytes of every list, and so does the list as one value', () => {
  const lists = lines<ListCase>('protobuf-lists').filter(({ kind }) => KIND_LIST.test(kind));
  assert.equal(lists.length, 125);
  for (const list of lists) if (!LOST_IN_TEXT.test(list.id)) checkList(list);
});

test('streamMarshal() gives the bytes of lists whose items are of any kind', () => {
  const lists = lines<ListCase>('protobuf-lists').filter(({ kind }) => kind === 'typed List');
  assert.equal(lists.length, 10);
  for (const { id, input, itemsProtobuf = [], protobuf } of lists) {
    const { kind = '', apiVersion = '', metadata } = JSON.parse(input!);
    // Within a stream each RawExtension has an envelope of its own; a list with a null is not streamed.
    const isWhole = itemsProtobuf.includes('');
    const raw = itemsProtobuf.map((item) => Buffer.from(item, 'base64'));
    const items = raw.map((item) =>
      isWhole ? item : enclose(NO_TYPE, item.subarray(2)).subarray(PREFIX_BYTES),
    );
    const list = { type: { kind, apiVersion }, metadata: listMetaOf(input!, metadata), items };
    assert.equal(base64(marshalled(list)), protobuf, id);
  }
});

test('enclose() gives the bytes of Go types that are messages by what they embed', () => {
  const cases = lines<ListCase>('protobuf-lists').filter(({ id }) => id.startsWith('odd-type/'));
  assert.equal(cases.length, 12);
  for (const { id, input, protobuf } of cases) {
    const { kind = '', apiVersion = '', metadata } = JSON.parse(input!);
    const isListMeta = id.startsWith('odd-type/NotEmbeddedList/');
    const type = isListMeta ? NO_TYPE : { kind, apiVersion };
    const message = isListMeta ? texts(['', metadata?.resourceVersion ?? '', '']) : texts([kind, apiVersion]);
    assert.equal(base64(enclose(type, message)), protobuf, id);
  }
});

test('encode() gives the bytes of what is no list', () => {
  const cases = lines<ListCase>('protobuf-lists').filter(({ id }) => id.startsWith('single/'));
  assert.equal(cases.length, 3);
  for (const { id, input, protobuf } of cases) {
    const body = Buffer.from(input!);
    assert.equal(base64(protobufCodec(readTypeMeta(body).meta)!.encode(body)), protobuf, id);
  }
});

type ListCase = {
  id: string;
  kind: string;
  input?: string;
  inputBase64?: string;
  items: string[] | null;
  itemsProtobuf?: string[];
  protobuf: string;
  size: number | null;
};

const NO_TYPE = { kind: '', apiVersion: '' };
const PREFIX_BYTES = 4;

/** Lists of built-in kinds, each of its kind: not v1's `List`, and not what is called one and isn't. */
const KIND_LIST = /^typed (?!APIResourceList).+List$/;
/** JSON has lost what these items hold: bytes that aren't UTF-8, and the spelling of raw JSON. */
const LOST_IN_JSON = /bad-utf8|\/raw$|CustomResourceDefinitionList/;
/** Of the list itself, which is text here: a byte that isn't UTF-8. */
const LOST_IN_TEXT = /^list-meta-string/;

/** The vectors' own apiVersion is often made up. */
const GROUP_VERSIONS: Readonly<Record<string, [string, string]>> = {
  DeploymentList: ['apps', 'v1'],
  ControllerRevisionList: ['apps', 'v1'],
  LeaseList: ['coordination.k8s.io', 'v1'],
  JobList: ['batch', 'v1'],
  PartialObjectMetadataList: ['meta.k8s.io', 'v1'],
  'v1beta1.PartialObjectMetadataList': ['meta.k8s.io', 'v1beta1'],
};

function checkKind(name: string, json: string, protobuf: string): void {
  const body = Buffer.from(json);
  const { meta } = readTypeMeta(body);
  const codec = protobufCodec(meta)!;
  assert.equal(base64(codec.encode(body)), protobuf, name);
  const type = typeOfKind(meta)!;
  const { object, strictErrors } = codec.decode(Buffer.from(protobuf, 'base64'));
  assert.deepEqual(strictErrors, []);
  const expected = structPrinter(type)(builtInCodec(type, meta).decode(body).object);
  assert.equal(structPrinter(type)(object), withoutInnerTypes(name, expected), name);
}

/** A Protobuf message has no kind and apiVersion: of what stands within another object they are lost. */
function withoutInnerTypes(name: string, json: string): string {
  if (!/ConversionReview|StatefulSet|Eviction/.test(name)) return json;
  return json.replace(/("volumeClaimTemplates":\[|"result":|"deleteOptions":)(.*)/, (_, before, after) => {
    return before + after.replace(/\{"kind":"[^"]*","apiVersion":"[^"]*",/g, '{');
  });
}

function checkList({
  id,
  kind,
  input,
  inputBase64 = '',
  items,
  itemsProtobuf,
  protobuf,
  size,
}: ListCase): void {
  const name = kind.replace('typed ', '');
  const [group, version] = GROUP_VERSIONS[name] ?? ['', 'v1'];
  const itemKind = name.replace(/^v1beta1\.|List$/g, '');
  const codec = protobufCodec({ group, version, kind: itemKind })!;
  const layout: ListLayout = version === 'v1beta1' ? 'items-first' : 'usual';
  const isLost = LOST_IN_JSON.test(id);
  const messages = (isLost ? (itemsProtobuf ?? []) : (items ?? [])).map((text) => {
    const item = Buffer.from(text, 'base64');
    if (isLost) return item;
    const out = new ByteWriter();
    const itemSize = codec.encodeItem(item, out);
    return out.take().subarray(itemHead(itemSize).length);
  });
  assert.deepEqual(messages.map(base64), itemsProtobuf ?? [], id);
  const text = input ?? Buffer.from(inputBase64, 'base64').toString();
  const { kind: listKind = '', apiVersion = '', metadata } = JSON.parse(text);
  const type = { apiVersion, kind: listKind };
  const list = { type, metadata: listMetaOf(text, metadata), items: messages, layout };
  assert.equal(base64(marshalled(list)), protobuf, id);
  if (size !== null) assert.equal(streamSize(list).total, size, id);
  if (layout === 'items-first' || isLost) return;
  const parts = (items ?? []).map((item) => Buffer.from(item, 'base64').toString());
  const whole = protobufCodec({ group, version, kind: `${itemKind}List` })!.message(
    Buffer.from(`{"metadata":${metadataJson(list.metadata)},"items":[${parts}]}`),
  );
  assert.ok(Buffer.from(protobuf, 'base64').includes(Buffer.from(whole)), id);
}

function marshalled(list: ProtobufList): Uint8Array {
  const pieces: Uint8Array[] = [];
  streamMarshal(list, streamSize(list), (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

type Metadata = Record<'selfLink' | 'resourceVersion' | 'continue', string> & {
  shardInfo?: { selector?: string };
};

/** @param input the list's text: numbers are read to their last digit. */
function listMetaOf(input: string, metadata?: Partial<Metadata>): ListMeta {
  const remaining = /"remainingItemCount":(-?\d+)/.exec(input)?.[1];
  return {
    selfLink: metadata?.selfLink ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    continue: metadata?.continue ?? '',
    remainingItemCount: remaining === undefined ? undefined : BigInt(remaining),
    shardSelector: metadata?.shardInfo == null ? undefined : (metadata.shardInfo.selector ?? ''),
  };
}

/** A message of strings: its fields 1, 2, … */
function texts(values: readonly string[]): Uint8Array {
  const writer = new ByteWriter();
  for (const [place, value] of values.entries()) {
    writer.bytes(Uint8Array.of((place + 1) * 8 + 2, Buffer.byteLength(value))).bytes(Buffer.from(value));
  }
  return writer.take();
}

/** ListMeta as a member of the list as one value. */
function metadataJson(metadata: ListMeta): string {
  const { remainingItemCount, shardSelector } = metadata;
  const members = (['selfLink', 'resourceVersion', 'continue'] as const).map(
    (name) => `"${name}":${JSON.stringify(metadata[name])}`,
  );
  if (remainingItemCount !== undefined) members.push(`"remainingItemCount":${remainingItemCount}`);
  if (shardSelector !== undefined) members.push(`"shardInfo":{"selector":${JSON.stringify(shardSelector)}}`);
  return `{${members}}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function lines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
