// Protobuf bodies as kube-apiserver took or refused them, and bodies meant to harm.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { enclose, MESSAGE_DEPTH_LIMIT, openEnvelope } from '@sluice/encoding';
import fc from 'fast-check';
import { DecodeError } from '../kind.ts';
import { describeDecodeError } from '../schema/decode-error.ts';
import { structPrinter } from '../schema/printer.ts';
import { decodeDeleteOptions, encodeStatusProtobuf, type ProtobufCodec, protobufCodec } from './codec.ts';

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' };
const POD = { group: '', version: 'v1', kind: 'Pod' };
const V1_CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };

test('decode() takes and refuses bodies as kube-apiserver does, in its words', () => {
  const bodies = lines<Recorded>('protobuf-bodies');
  for (const { group, version, kind, why, body, message, accepted } of bodies) {
    const bytes = Buffer.from(body, 'base64');
    let told: string | undefined;
    try {
      const { object } = protobufCodec({ group, version, kind })!.decode(bytes);
      if (accepted !== undefined && accepted !== '' && kind === 'ConfigMap') {
        const { immutable, data, binaryData } = JSON.parse(structPrinter('core/v1.ConfigMap')(object));
        assert.equal(JSON.stringify({ immutable, data, binaryData }), accepted, why);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      told = describeDecodeError(error, kind, bytes);
    }
    assert.equal(told === undefined ? undefined : asShown(told), message, why);
  }
  assert.ok(bodies.length > 400);
});

test('decodeDeleteOptions() takes and refuses bodies as kube-apiserver does', () => {
  for (const { body, message } of lines<{ body: string; message?: string }>('protobuf-delete-options')) {
    let told: string | undefined;
    try {
      const options = decodeDeleteOptions(Buffer.from(body, 'base64'));
      if (options.has('propagationPolicy')) assert.equal(options.get('propagationPolicy'), 'Orphan');
    } catch (error) {
      told = asShown((error as DecodeError).message);
    }
    assert.equal(told, message, body);
  }
});

test('decode() reads or refuses whatever it is given, and nothing else happens', () => {
  const codecs = [CONFIG_MAP, POD, CRD].map((kind) => ({ kind, codec: protobufCodec(kind)! }));
  const bytes = fc.uint8Array({ maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(fc.constantFrom(...codecs), bytes, fc.boolean(), ({ kind, codec }, raw, wrapped) => {
      const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
      read(codec, wrapped ? enclose({ apiVersion, kind: kind.kind }, raw) : raw);
    }),
    { numRuns: 3000 },
  );
});

test('decode() stops at messages nested too deep', () => {
  // CustomResourceDefinition.spec.versions[0].schema.openAPIV3Schema.not.not.not…
  const definition = (depth: number): Uint8Array => {
    let schema: Uint8Array = new Uint8Array();
    for (let level = 0; level < depth; level++) schema = part(NOT_FIELD, schema);
    const inner = part(2, part(7, part(4, part(1, schema))));
    return enclose({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, inner);
  };
  assert.equal(read(protobufCodec(CRD)!, definition(MESSAGE_DEPTH_LIMIT - 10)), undefined);
  assert.match(read(protobufCodec(CRD)!, definition(MESSAGE_DEPTH_LIMIT))!.message, /nest too deep/);
  assert.match(read(protobufCodec(CRD)!, definition(100_000))!.message, /nest too deep/);
});

test('decode() keeps the bytes of text that is not UTF-8, and JSON shows them as it does', () => {
  const name = part(1, part(1, Buffer.from('g')));
  const data = part(2, Buffer.concat([part(1, Buffer.from('k')), part(2, Buffer.from([0x61, 0xff, 0x62]))]));
  const body = enclose(V1_CONFIG_MAP, Buffer.concat([name, data]));
  const { object } = protobufCodec(CONFIG_MAP)!.decode(body);
  const printed = structPrinter('core/v1.ConfigMap')(object);
  assert.match(printed, /"data":\{"k":"a\\ufffdb"\}\}$/);
});

test('decode() reads raw JSON, and refuses what is none', () => {
  const revision = { group: 'apps', version: 'v1', kind: 'ControllerRevision' };
  const bodyOf = (raw: string): Uint8Array =>
    enclose({ apiVersion: 'apps/v1', kind: 'ControllerRevision' }, part(2, part(1, Buffer.from(raw))));
  const { object } = protobufCodec(revision)!.decode(bodyOf('{"b": [1.0, "<"], "a": 1}'));
  const printed = structPrinter('apps/v1.ControllerRevision')(object);
  assert.match(printed, /"data":\{"b":\[1\.0,"\\u003c"\],"a":1\}/);
  assert.match(read(protobufCodec(revision)!, bodyOf('{"b"'))!.message, /unexpected end of JSON input/);
});

test('protobufCodec() knows kinds with a Protobuf form only', () => {
  assert.equal(protobufCodec({ group: 'g.io', version: 'v1', kind: 'Widget', custom: true }), undefined);
  assert.equal(protobufCodec({ group: 'g.io', version: 'v1', kind: 'Widget' }), undefined);
  assert.equal(protobufCodec({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' }), undefined);
  for (const version of ['v1', 'v1beta1']) {
    assert.ok(protobufCodec({ group: 'meta.k8s.io', version, kind: 'PartialObjectMetadata' }));
  }
  assert.ok(protobufCodec({ group: 'autoscaling', version: 'v1', kind: 'Scale' }));
});

test('encodeStatusProtobuf() gives a Status that reads back', () => {
  const body = encodeStatusProtobuf({
    status: 'Failure',
    message: 'pods "x" not found',
    reason: 'NotFound',
    details: { name: 'x', kind: 'pods' },
    code: 404,
  });
  assert.equal(openEnvelope(body).kind, 'Status');
  const { object } = protobufCodec({ group: '', version: 'v1', kind: 'Status' })!.decode(body);
  const expected =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \\"x\\" not found","reason":"NotFound","details":{"name":"x","kind":"pods"},"code":404}';
  assert.equal(structPrinter('meta/v1.Status')(object), expected);
});

type Recorded = {
  group: string;
  version: string;
  kind: string;
  why: string;
  body: string;
  message?: string;
  accepted?: string;
};

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
const NOT_FIELD = 28;

/** The error, if it is refused. Anything but a DecodeError is thrown on. */
function read(codec: ProtobufCodec, body: Uint8Array): DecodeError | undefined {
  try {
    codec.decode(body);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** Bytes that aren't UTF-8 as a client sees them. */
function asShown(text: string): string {
  return text.replace(/[\udc80-\udcff]/g, '\ufffd');
}

function part(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function lines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
