// Bodies as a server gets them: what kube-apiserver answered to each, and bodies made to hurt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { JsonNumber, parseJson } from '@sluice/encoding';
import fc from 'fast-check';
import { type ApiObject, type Codec, DecodeError } from '../kind.ts';
import { builtInCodec } from './built-in.ts';
import { customCodec } from './custom.ts';
import { describeDecodeError, strictDecodeError } from './decode-error.ts';
import { canonicalQuantity } from './quantity.ts';
import { NO_SHAPE, type Shape } from './shape.ts';
import type { TypeMeta } from './type-meta.ts';

const CONFIG_MAP: TypeMeta = { group: '', version: 'v1', kind: 'ConfigMap' };
const POD: TypeMeta = { group: '', version: 'v1', kind: 'Pod' };
const PROBE: TypeMeta = { group: 'probe.io', version: 'v1', kind: 'P' };
const DEFINITION: TypeMeta = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
};

test('built-in decode() warns and refuses as kube-apiserver did', () => {
  for (const { type, kind, body, strict, warn } of lines<BuiltInBody>('built-in-bodies')) {
    const codec = builtInCodec(type, kind);
    assert.deepEqual(answer(codec, kind, body, true), strict, body);
    assert.deepEqual(answer(codec, kind, body, false), warn, body);
  }
});

test('custom decode() and encode() warn, refuse, cut, fill in and print as kube-apiserver did', () => {
  const [first, ...bodies] = lines<CustomBody & { schema: Schema }>('custom-bodies');
  const codec = customCodec(PROBE, () => shapeOf(first!.schema));
  for (const { body, strict, warn, out } of bodies) {
    assert.deepEqual(answer(codec, PROBE, body, true), strict, body);
    assert.deepEqual(answer(codec, PROBE, body, false), warn, body);
    if (out === undefined) continue;
    const { object } = codec.decode(Buffer.from(body));
    // What the server sets.
    const metadata = object.get('metadata') as Map<string, string | JsonNumber>;
    const recorded = JSON.parse(out).metadata;
    for (const name of ['uid', 'namespace', 'creationTimestamp']) metadata.set(name, recorded[name]);
    metadata.set('generation', new JsonNumber('1'));
    assert.equal(stored(codec, object).replace('"resourceVersion":"",', ''), out, body);
    const item = stored(codec, object);
    assert.equal(stored(codec, codec.read(Buffer.from(item))), item);
  }
});

test('encode() puts the revision behind uid, or where sorting puts it', () => {
  const built = builtInCodec('core/v1.ConfigMap', CONFIG_MAP);
  const { object } = built.decode(
    Buffer.from('{"metadata":{"uid":"u","resourceVersion":"7","generation":2,"name":"n"}}'),
  );
  const { head, tail } = built.encode(object);
  assert.equal(Buffer.from(head).toString(), '{"metadata":{"name":"n","uid":"u","resourceVersion":"');
  assert.equal(Buffer.from(tail).toString(), '","generation":2}}');
  const custom = customCodec(PROBE, () => NO_SHAPE);
  const halves = custom.encode(custom.decode(Buffer.from('{"apiVersion":"probe.io/v1","kind":"P"}')).object);
  assert.equal(
    Buffer.from(halves.head).toString(),
    '{"apiVersion":"probe.io/v1","kind":"P","metadata":{"resourceVersion":"',
  );
});

test('encode() prints empty lists that were stored as Protobuf as null, and takes null for absent', () => {
  const codec = builtInCodec('core/v1.Pod', POD);
  const { object } = codec.decode(Buffer.from('{"spec":{"containers":[]},"metadata":{"name":"a"}}'));
  assert.match(stored(codec, object), /"spec":\{"containers":null\},"status":\{\}\}$/);
  object.set('spec', null);
  assert.match(stored(codec, object), /"spec":\{"containers":null\}/);
});

test('decode() reads and encode() prints what nests to the limit', () => {
  const custom = customCodec(PROBE, () => ({
    ...NO_SHAPE,
    properties: new Map([['spec', { ...NO_SHAPE, preserve: true }]]),
  }));
  const depth = 9990;
  const nested = (open: string, close: string) =>
    Buffer.from(
      `{"apiVersion":"probe.io/v1","kind":"P","metadata":{},"spec":{"n":${open.repeat(depth)}1${close.repeat(depth)}}}`,
    );
  for (const body of [nested('[', ']'), nested('{"a":', '}')]) {
    const item = stored(custom, custom.decode(body).object);
    assert.equal(item.replace('"resourceVersion":""', ''), body.toString());
    custom.read(Buffer.from(item));
  }
  const pruned = customCodec(PROBE, () => NO_SHAPE).decode(nested('[', ']'));
  assert.deepEqual(pruned.strictErrors, ['unknown field "spec"']);
  const schema = `${'{"properties":{"a":'.repeat(4000)}{}${'}}'.repeat(4000)}`;
  const definition = `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`;
  const codec = builtInCodec('apiextensions/v1.CustomResourceDefinition', DEFINITION);
  assert.throws(() => codec.decode(Buffer.from(definition)), DecodeError);
});

test('decode() takes linear time on hostile bodies', () => {
  const size = 3 << 20;
  const pod = builtInCodec('core/v1.Pod', POD);
  const custom = customCodec(PROBE, () => ({ ...NO_SHAPE, properties: new Map([['spec', NO_SHAPE]]) }));
  const definitions = builtInCodec('apiextensions/v1.CustomResourceDefinition', DEFINITION);
  const many = (text: string) => text.repeat(Math.floor(size / text.length));
  const distinct = Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join();
  const strings = distinct.replaceAll(':1', ':"1"');
  const head = '"apiVersion":"probe.io/v1","kind":"P"';
  const quantities = ['0', '1', '9', '0.0', '1.'].map(
    (unit) => `{"spec":{"overhead":{"cpu":"${many(unit)}"}}}`,
  );
  const bodies: [string, Codec, string][] = [
    ['unknown fields', pod, `{${distinct}}`],
    ['one unknown field', pod, `{${many('"u":1,')}"u":1}`],
    ['one duplicate', pod, `{"metadata":{"labels":{${many('"u":"1",')}"u":"1"}}}`],
    ['labels twice', pod, `{"metadata":{${many('"labels":{"a":"b"},')}"labels":{}}}`],
    [
      'a large map, and many small ones',
      pod,
      `{"metadata":{"labels":{${strings}},${many('"labels":{"a":"b"},')}"labels":{}}}`,
    ],
    [
      'oddities below a long key',
      definitions,
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"${'x'.repeat(1 << 20)}":{${many('"type":5,')}${distinct}}}}}]}}`,
    ],
    ['base64', pod, `{"metadata":{"name":"${many('AA\\n')}"}}`],
    ['containers twice', pod, `{"spec":{${many('"containers":[{}],')}"containers":[]}}`],
    ['unknown fields of a custom resource', custom, `{${head},${distinct}}`],
    [
      'unknown fields at a long path',
      custom,
      `{${head},"spec":${'['.repeat(5000)}{${distinct}}${']'.repeat(5000)}}`,
    ],
    ['raw JSON', pod, `{"metadata":{"managedFields":[{"fieldsV1":{"a":"${many('\\/')}"}}]}}`],
    ...quantities.map((body): [string, Codec, string] => ['a quantity', pod, body]),
  ];
  for (const [name, codec, body] of bodies) {
    const started = performance.now();
    try {
      codec.decode(Buffer.from(body));
    } catch (error) {
      assert.ok(error instanceof DecodeError, name);
    }
    assert.ok(performance.now() - started < 3000, `${name}: ${performance.now() - started} ms`);
  }
});

test('decode() takes any JSON or refuses it with a DecodeError; what it takes, encode() and read() keep', () => {
  const pod = builtInCodec('core/v1.Pod', POD);
  const custom = customCodec(PROBE, () => ({ ...NO_SHAPE, preserve: true }));
  const names = [
    'metadata',
    'spec',
    'containers',
    'name',
    'labels',
    'ports',
    'volumes',
    'resources',
    'limits',
    'kind',
    '__proto__',
  ];
  const key = fc.oneof(fc.constantFrom(...names), fc.string());
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('null', 'true', '1', '-0', '1.50', '1e400', '"a"', '"\\u00e9<"', '"1Gi"', '[]', '{}'),
      fc.array(tie('tree'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc
        .array(fc.tuple(key, tie('tree')), { maxLength: 5 })
        .map((pairs) => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.boolean(), (value, isCustom) => {
      const codec = isCustom ? custom : pod;
      const head = isCustom ? '"apiVersion":"probe.io/v1","kind":"P",' : '';
      const body = Buffer.from(
        `{${head}"metadata":{},"spec":${value as string},"status":${value as string}}`,
      );
      let item: string;
      try {
        item = stored(codec, codec.decode(body).object);
      } catch (error) {
        assert.ok(error instanceof DecodeError, String(error));
        return;
      }
      parseJson(Buffer.from(item));
      assert.equal(stored(codec, codec.read(Buffer.from(item))), item);
    }),
    { numRuns: 1000 },
  );
});

test('canonicalQuantity() is a fixpoint', () => {
  const digits = fc.stringMatching(/^[+-]?\d{0,22}(\.\d{0,22})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const once = canonicalQuantity(text);
      if ('text' in once) assert.deepEqual(canonicalQuantity(once.text), once, text);
    }),
    { numRuns: 2000 },
  );
});

type Answer = { warnings: string[] } | { message: string };
type BuiltInBody = { type: string; kind: TypeMeta; body: string; strict: Answer; warn: Answer };
type CustomBody = { body: string; strict: Answer; warn: Answer; out?: string };
type Schema = {
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  nullable?: boolean;
  default?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | true;
  items?: Schema;
};

function lines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** What a handler makes of a body: the message of a 400, or warnings. */
function answer(codec: Codec, kind: TypeMeta, text: string, strict: boolean): Answer {
  const body = Buffer.from(text);
  try {
    const { strictErrors } = codec.decode(body);
    if (strict && strictErrors.length > 0) throw strictDecodeError(strictErrors, kind.kind, kind.version);
    return { warnings: [...strictErrors] };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { message: describeDecodeError(error, kind.kind, body) };
  }
}

function stored(codec: Codec, object: ApiObject): string {
  const { head, tail } = codec.encode(object);
  return Buffer.concat([head, tail]).toString();
}

function shapeOf(schema: Schema): Shape {
  const { properties, additionalProperties: additional, items } = schema;
  const fallback = schema.default;
  return {
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    nullable: schema.nullable === true,
    default: fallback === undefined ? undefined : parseJson(Buffer.from(JSON.stringify(fallback))),
    properties:
      properties === undefined
        ? null
        : new Map(Object.entries(properties).map(([key, value]) => [key, shapeOf(value)])),
    additional: additional === true ? NO_SHAPE : additional === undefined ? null : shapeOf(additional),
    items: items === undefined ? null : shapeOf(items),
  };
}
