// Random objects in every representation, read by decoders that know nothing of us: all of them say the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { decode, Tagged } from 'cborg';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { parse } from 'yaml';
import { DEFAULT_GATES } from './gates.ts';
import { WIDGET_DEFINITION } from './list-model.fixture.ts';
import { type Client, connect, PROTOCOLS, startRunning } from './running.fixture.ts';

const SEED = 20_260_115;
/** Together they are large enough to be compressed, and more than one leaf. */
const OBJECTS = 160;
const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.test/v1/namespaces/default/widgets';

/** YAML can't show control characters. */
const text = fc
  .string({ unit: 'binary', maxLength: 400 })
  .filter((some) => !/[^\t\n\r -~\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}]/u.test(some));
const word = fc.constantFrom(
  '',
  'yes',
  'null',
  '~',
  '1e3',
  '0x1f',
  '- a',
  'a: b',
  ' #c',
  '"',
  "'",
  '\u2028',
  'é\n\n',
);
const value = fc.oneof(
  text,
  word,
  word.map((some) => some.repeat(300)),
);
const data = fc.dictionary(fc.stringMatching(/^[a-z][-._a-z0-9]{0,30}$/), value, { minKeys: 1, maxKeys: 9 });
const spec = fc.letrec((tie) => ({
  object: fc.dictionary(fc.oneof(text, word), tie('any'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
  any: fc.oneof(
    { maxDepth: 4 },
    value,
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.constantFrom(0.5, -1.25e-7, 1e21, 123456.789),
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
  ),
})).object as fc.Arbitrary<Record<string, unknown>>;

const maps = corpus('m', data);
const widgets = corpus('w', spec);

type Read = (body: Buffer) => unknown;

const LISTS: [path: string, accept: string, read: Read, expected: ReadonlyMap<string, unknown>][] = [];
for (const [path, member, objects] of [
  [MAPS, 'data', maps],
  [WIDGETS, 'spec', widgets],
] as const) {
  const names = new Map([...objects.keys()].map((name) => [name, undefined]));
  const add = (
    accept: string,
    read: Read,
    expected: ReadonlyMap<string, unknown> = objects,
    query = '',
  ): void => {
    LISTS.push([path + query, accept, (body) => byName(read(body), member), expected]);
  };
  add('application/json', json);
  add('application/json', json, objects, '?pretty=1');
  add('application/yaml', (body) => parse(body.toString()));
  add('application/cbor', cbor);
  add('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', json, names);
  add('application/json;as=Table;g=meta.k8s.io;v=v1', rows, names);
  add('application/yaml;as=Table;g=meta.k8s.io;v=v1', (body) => rowsOf(parse(body.toString())), names);
}
LISTS.push([MAPS, 'application/vnd.kubernetes.protobuf', (body) => byName(message(body), 'data'), maps]);

for (const isStreaming of [true, false]) {
  test(`every representation says the same of random objects, streaming ${isStreaming ? 'on' : 'off'}`, async (t) => {
    const running = await startRunning({
      gates: {
        ...DEFAULT_GATES,
        CBORServingAndStorage: true,
        StreamingCollectionEncodingToJSON: isStreaming,
        StreamingCollectionEncodingToProtobuf: isStreaming,
      },
    });
    t.after(() => running.close());
    await fill(connect('HTTP/2', running.server.port));
    let compressed = 0;
    for (const protocol of PROTOCOLS) {
      const client = connect(protocol, running.server.port);
      for (const coding of ['identity', 'gzip']) {
        for (const [path, accept, read, expected] of LISTS) {
          const asked = `${path} as ${accept}, ${coding}, ${protocol}`;
          const { status, headers, body } = await client.ask(path, {
            headers: { accept, 'accept-encoding': coding },
          });
          assert.equal(status, 200, asked);
          const isGzip = headers['content-encoding'] === 'gzip';
          const plain = isGzip ? gunzipSync(body) : body;
          assert.equal(isGzip, coding === 'gzip' && plain.length > 128 * 1024, asked);
          if (isGzip) compressed++;
          assert.deepEqual(read(plain), expected, asked);
        }
      }
      client.close();
    }
    assert.ok(compressed >= PROTOCOLS.length * 8, `${compressed} lists were compressed`);
  });
}

/** By name; as JSON would give them back. */
function corpus<Value>(prefix: string, values: fc.Arbitrary<Value>): ReadonlyMap<string, Value> {
  const samples = fc.sample(values, { seed: SEED, numRuns: OBJECTS });
  return new Map(samples.map((one, i) => [`${prefix}${i}`, JSON.parse(JSON.stringify(one)) as Value]));
}

async function fill(client: Client): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const post = (path: string, body: unknown) => client.ask(path, { method: 'POST', ...asJson(body) });
  assert.equal((await post(definitions, WIDGET_DEFINITION)).status, 201);
  while ((await client.ask(WIDGETS)).status === 404);
  for (const [name, data] of maps) assert.equal((await post(MAPS, { metadata: { name }, data })).status, 201);
  for (const [name, spec] of widgets) {
    const body = { apiVersion: 'example.test/v1', kind: 'Widget', metadata: { name }, spec };
    assert.equal((await post(WIDGETS, body)).status, 201);
  }
  client.close();
}

function asJson(body: unknown): { headers: Record<string, string>; body: string } {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

type Listed = { items: { metadata: { name: string } }[] };

function byName(list: unknown, member: string): Map<string, unknown> {
  const { items } = list as Listed;
  return new Map(items.map((item) => [item.metadata.name, (item as Record<string, unknown>)[member]]));
}

function json(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

function rows(body: Buffer): unknown {
  return rowsOf(json(body));
}

/** A row holds its object's metadata; its first cell is the name. */
function rowsOf(table: unknown): Listed {
  const { rows } = table as { rows: { cells: string[]; object: { metadata: { name: string } } }[] };
  for (const { cells, object } of rows) assert.equal(cells[0], object.metadata.name);
  return { items: rows.map(({ object }) => ({ metadata: object.metadata })) };
}

/** Texts are byte strings in what the reference writes. */
function cbor(body: Buffer): unknown {
  return texts((decode(body, { useMaps: true, tags: Tagged.preserve(55799) }) as Tagged).value);
}

function texts(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(texts);
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([key, member]) => [texts(key), texts(member)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const subset = readFileSync(new URL('../../resources/testdata/subset.proto', import.meta.url), 'utf8');
const { root } = protobuf.parse(
  `${subset}
  message ConfigMapList { optional bytes metadata = 1; repeated ConfigMap items = 2; }
  message Unknown { optional bytes typeMeta = 1; optional bytes raw = 2; }`,
  { keepCase: true },
);

function message(body: Buffer): unknown {
  assert.equal(body.toString('latin1', 0, 4), 'k8s\0');
  const { raw } = root.lookupType('Unknown').decode(body.subarray(4)) as unknown as { raw: Uint8Array };
  const type = root.lookupType('ConfigMapList');
  return type.toObject(type.decode(raw), { arrays: true, objects: true });
}
