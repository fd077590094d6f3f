// Protobuf against what the Go libraries wrote: every kind both ways, and every list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ByteWriter,
  itemHead,
  type ListLayout,
  type ListMeta,
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
  const lists = lines<ListCase>('protobuf-lists').filter(({ kind }) => !NO_LIST.includes(kind));
  for (const list of lists) {
    // JSON has lost what these hold: bytes that aren't UTF-8, and the spelling of raw JSON.
    if (/bad-utf8|^list-meta-string|\/raw$|CustomResourceDefinitionList/.test(list.id)) continue;
    checkList(list);
  }
  assert.equal(lists.length, 125);
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
  items: string[] | null;
  itemsProtobuf?: string[];
  protobuf: string;
  size: number | null;
};

/** `List` holds raw extensions and is no kind that is served; the others are no lists. */
const NO_LIST = ['typed List', 'typed ConfigMap', 'typed Status', 'typed APIResourceList'];

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

function checkList({ id, kind, input = '', items, itemsProtobuf, protobuf, size }: ListCase): void {
  const name = kind.replace('typed ', '');
  const [group, version] = GROUP_VERSIONS[name] ?? ['', 'v1'];
  const itemKind = name.replace(/^v1beta1\.|List$/g, '');
  const codec = protobufCodec({ group, version, kind: itemKind })!;
  const layout: ListLayout = version === 'v1beta1' ? 'items-first' : 'usual';
  const messages = (items ?? []).map((item) => {
    const out = new ByteWriter();
    const itemSize = codec.encodeItem(Buffer.from(item, 'base64'), out);
    return out.take().subarray(itemHead(itemSize).length);
  });
  assert.deepEqual(messages.map(base64), itemsProtobuf ?? [], id);
  const { kind: listKind = '', apiVersion = '', metadata } = JSON.parse(input);
  const remaining = /"remainingItemCount":(-?\d+)/.exec(input)?.[1];
  const list = {
    type: { apiVersion, kind: listKind },
    metadata: {
      selfLink: metadata?.selfLink ?? '',
      resourceVersion: metadata?.resourceVersion ?? '',
      continue: metadata?.continue ?? '',
      remainingItemCount: remaining === undefined ? undefined : BigInt(remaining),
      shardSelector: metadata?.shardInfo == null ? undefined : (metadata.shardInfo.selector ?? ''),
    },
    items: messages,
    layout,
  };
  const sizes = streamSize(list);
  const pieces: Uint8Array[] = [];
  streamMarshal(list, sizes, (piece) => pieces.push(piece));
  assert.equal(base64(Buffer.concat(pieces)), protobuf, id);
  if (size !== null) assert.equal(sizes.total, size, id);
  if (layout === 'items-first') return;
  const parts = (items ?? []).map((item) => Buffer.from(item, 'base64').toString());
  const whole = protobufCodec({ group, version, kind: `${itemKind}List` })!.message(
    Buffer.from(`{"metadata":${metadataJson(list.metadata)},"items":[${parts}]}`),
  );
  assert.ok(Buffer.from(protobuf, 'base64').includes(Buffer.from(whole)), id);
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
