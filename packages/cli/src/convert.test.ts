// Every kind, full and empty, and lists of all sorts: from every representation into every other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { indentJson } from '@sluice/encoding';
import { typeOfKind } from '@sluice/resources';
import { FORMATS, type Format, kindOf } from './convert/document.ts';
import { readDocument } from './convert/read.ts';
import { memorySource } from './convert/source.ts';
import { piecesOf } from './convert/write.ts';

type Bodies = Partial<Record<Format, Buffer>>;

/** Within another object a Protobuf message has no kind and apiVersion: theirs are lost. */
const INNER_KINDS = /ConversionReview|StatefulSet|Eviction|^items-two\/|^partial-0\//;
/** Protobuf doesn't tell an empty list from none. */
const NO_ITEMS = /^items-(nil|absent)\//;
/**
 * What can't be had twice: bytes that aren't UTF-8, numbers and items whose spelling was of a Go type that their JSON
 * doesn't show, line breaks of YAML 1.1, and kinds of a made-up version.
 */
const ONE_WAY =
  /bad-utf8|number\/|kind-number|line-separators|type-meta-3|raw-extension|\/List$|v1beta1\.|^single\/Table/;

test('convert makes of every kind in every representation every other, as the Go libraries print it', async () => {
  const kinds = goldenKinds();
  assert.equal(kinds.length, 226);
  let compared = 0;
  for (const { id, bodies } of kinds) compared += await compareAll(id, bodies);
  assert.equal(compared, 226 * 25 - 3 * 4);
});

test('convert makes of lists in every representation every other, as the Go libraries print it', async () => {
  let compared = 0;
  for (const { id, bodies } of goldenLists()) compared += await compareAll(id, bodies);
  assert.ok(compared > 1500, `${compared} conversions`);
});

test('convert reads JSON however it is laid out, and gives built-in kinds the order of their fields', async () => {
  const json =
    '{ "items": [\n{"data": {"b":"1","a":"2"}, "metadata":{"name":"x"}}], "apiVersion":"v1",\t"kind":"ConfigMapList"}';
  const expected =
    '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"x"},"data":{"a":"2","b":"1"}}]}\n';
  assert.equal((await convert(Buffer.from(json), 'json', 'json')).toString(), expected);
});

test("convert reads each item of v1's List as what it says it is", async () => {
  const json = `{"apiVersion":"v1","items":[{"data":{"k":"v"},"kind":"ConfigMap","apiVersion":"v1"},{"spec":1,"kind":"Foo","apiVersion":"g.io/v1"}],"kind":"List"}`;
  const expected =
    '{"kind":"List","apiVersion":"v1","metadata":{},"items":[{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"k":"v"}},{"apiVersion":"g.io/v1","kind":"Foo","spec":1}]}\n';
  assert.equal((await convert(Buffer.from(json), 'json', 'json')).toString(), expected);
});

test('convert warns of what a built-in kind does not have, and in which item', async () => {
  const warnings: string[] = [];
  const list =
    '{"kind":"PodList","apiVersion":"v1","items":[{},{"spec":{"containers":null,"oops":1}}],"more":true}';
  await convert(Buffer.from(list), 'json', 'yaml', warnings);
  assert.deepEqual(warnings, ['unknown field "more"', 'unknown field "items[1].spec.oops"']);
});

test('convert says why it can not', async () => {
  const cases: [string, Format, Format, string][] = [
    ['{"kind":"Foo","apiVersion":"g.io/v1"}', 'json', 'protobuf', 'g.io/v1 Foo has no Protobuf form'],
    [
      '{"kind":"FooList","apiVersion":"g.io/v1","items":[]}',
      'json',
      'protobuf',
      'g.io/v1 FooList has no Protobuf form',
    ],
    ['{"kind":', 'json', 'yaml', 'unexpected end of JSON input'],
    [
      '{}',
      'protobuf',
      'json',
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['', 'protobuf', 'json', 'empty data'],
    ['a: [', 'yaml', 'json', "yaml: line 1: did not find expected ',' or ']'"],
    ['', 'cbor', 'json', 'EOF'],
    [
      '{"kind":"ConfigMap","apiVersion":"v1","data":{"k":"\\u0080"}}',
      'json',
      'yaml',
      'yaml: control characters are not allowed',
    ],
    [
      '{"kind":"Pod","apiVersion":"v1","spec":7}',
      'json',
      'json',
      'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec',
    ],
  ];
  for (const [body, from, to, message] of cases) {
    await assert.rejects(convert(Buffer.from(body), from, to), { message }, `${body} ${from} → ${to}`);
  }
});

async function compareAll(id: string, bodies: Bodies): Promise<number> {
  let compared = 0;
  for (const from of FORMATS) {
    if (from === 'protobuf' && NO_ITEMS.test(id)) continue;
    for (const to of FORMATS) {
      const [body, expected] = [bodies[from], bodies[to]];
      if (body === undefined || expected === undefined) continue;
      if (from === 'protobuf' && to !== 'protobuf' && INNER_KINDS.test(id)) continue;
      const warnings: string[] = [];
      const converted = await convert(body, from, to, warnings);
      assert.deepEqual(warnings, [], `${id} ${from} → ${to}`);
      assert.ok(converted.equals(expected), `${id} ${from} → ${to}\n${converted}\n${expected}`);
      compared++;
    }
  }
  return compared;
}

async function convert(body: Uint8Array, from: Format, to: Format, warnings: string[] = []): Promise<Buffer> {
  const warn = (text: string): void => void warnings.push(text);
  const document = await readDocument(memorySource(body), from, warn);
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(document, to, warn)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

type Golden = { id: string; bodies: Bodies };

/** Empty objects say nothing that could be lost. */
function goldenKinds(): Golden[] {
  type Row<Name extends string> = Record<'name' | 'empty' | Name, string>;
  const yaml = lines<{ json: string; yaml: string }>('encoding', 'yaml-kinds');
  const yamlOf = new Map(yaml.map((row) => [row.json.trim(), row.yaml]));
  const protobuf = lines<Row<'protobuf'>>('resources', 'protobuf-kinds');
  const cbor = lines<Row<'cbor'>>('resources', 'kinds-cbor');
  return lines<Row<'json'>>('resources', 'kinds').flatMap(({ name, json, empty }, place) => [
    {
      id: name,
      bodies: bodiesOf(json, yamlOf.get(json.trim()), protobuf[place]?.protobuf, cbor[place]?.cbor),
    },
    {
      id: 'empty',
      bodies: bodiesOf(empty, yamlOf.get(empty.trim()), protobuf[place]?.empty, cbor[place]?.empty),
    },
  ]);
}

function goldenLists(): Golden[] {
  const byId = <Row extends { id: string }>(room: string, name: string): Map<string, Row> =>
    new Map(lines<Row>(room, name).map((row) => [row.id, row]));
  const yaml = byId<{ id: string; yaml?: string }>('encoding', 'yaml-lists');
  const protobuf = byId<{ id: string; protobuf: string }>('resources', 'protobuf-lists');
  const cbor = byId<{ id: string; cbor: string }>('encoding', 'cbor-lists');
  return lines<{ id: string; kind: string; json: string }>('encoding', 'json-lists')
    .map(({ id, kind, json }) => ({ id, kind, text: Buffer.from(json, 'base64').toString() }))
    .filter(({ id, kind, text }) => !ONE_WAY.test(id) && isOfItsKind(kind, text))
    .map(({ id, text }) => ({
      id,
      bodies: bodiesOf(text, yaml.get(id)?.yaml, protobuf.get(id)?.protobuf, cbor.get(id)?.cbor),
    }));
}

/** Some lists of built-in types have an apiVersion that was made up. */
function isOfItsKind(kind: string, json: string): boolean {
  if (kind === 'unstructured') return true;
  if (!kind.startsWith('typed ')) return false;
  const { kind: name = '', apiVersion = '' } = JSON.parse(json) as Record<string, string>;
  const found = kindOf(
    new Map([
      ['kind', name],
      ['apiVersion', apiVersion],
    ]),
  );
  return (typeOfKind(found) ?? '') !== '';
}

function bodiesOf(json: string, yaml?: string, protobuf?: string, cbor?: string): Bodies {
  return {
    json: Buffer.from(json),
    pretty: Buffer.from(indentJson(Buffer.from(json.trim()))),
    ...(yaml !== undefined && { yaml: Buffer.from(yaml) }),
    ...(protobuf !== undefined && { protobuf: Buffer.from(protobuf, 'base64') }),
    ...(cbor !== undefined && { cbor: Buffer.from(cbor, 'base64') }),
  };
}

function lines<Line>(room: string, name: string): Line[] {
  const file = new URL(`../../${room}/testdata/${name}.ndjson`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
