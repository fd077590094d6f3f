// CBOR of kinds: written as the Go libraries write it, and bodies read or refused as they do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeCbor, parseCbor, printText, sortedKeys } from '@sluice/encoding';
import { DecodeError } from '../kind.ts';
import { builtInCodec } from '../schema/built-in.ts';
import { describeDecodeError } from '../schema/decode-error.ts';
import { typeOfKind } from '../schema/scheme.ts';
import { parseGroupVersion, type TypeMeta } from '../schema/type-meta.ts';
import { respell } from '../schema/untyped.ts';
import { readCborBody } from './body.ts';
import { cborForm } from './form.ts';

test('cborForm() is all that CBOR must know of every kind, full or empty', () => {
  const kinds = lines<KindCase>('kinds');
  const expected = lines<{ name: string; cbor: string; empty: string }>('kinds-cbor');
  assert.equal(expected.length, 113);
  for (const [place, { name, cbor, empty }] of expected.entries()) {
    const texts = kinds[place]!;
    assert.equal(texts.name, name);
    const form = cborForm(kindOf(texts.json));
    assert.equal(encoded(texts.json, form), cbor, name);
    assert.equal(encoded(texts.empty, form), empty, `${name}, empty`);
  }
});

test('cborForm() is there for 13 kinds of 113, and for no custom one', () => {
  const withForm = lines<KindCase>('kinds').filter(({ json }) => cborForm(kindOf(json)) !== undefined);
  assert.equal(withForm.length, 13);
  assert.equal(cborForm({ group: 'g.io', version: 'v1', kind: 'Foo' }), undefined);
});

test('every kind: readCborBody() and the codec make of CBOR what they make of JSON', () => {
  const kinds = lines<KindCase>('kinds');
  for (const [place, { cbor }] of lines<{ cbor: string }>('kinds-cbor').entries()) {
    const { name, json } = kinds[place]!;
    const kind = kindOf(json);
    const codec = builtInCodec(typeOfKind(kind)!, kind);
    const fromCbor = codec.decodeValue(readCborBody(Buffer.from(cbor, 'base64'), kind));
    assert.deepEqual(fromCbor.strictErrors, [], name);
    assert.deepEqual(
      codec.encode(fromCbor.object),
      codec.encode(codec.decode(Buffer.from(json)).object),
      name,
    );
  }
});

test('readCborBody() reads and refuses bodies of custom kinds as the reference does', () => {
  const expected = { group: 'g.io', version: 'v1', kind: 'Foo' };
  for (const { body, out, error } of lines<{ body: string; out?: string; error?: string }>('cbor-bodies')) {
    const bytes = Buffer.from(body, 'base64');
    if (error !== undefined) {
      assert.throws(() => readCborBody(bytes, expected), { name: 'DecodeError', message: error }, body);
      continue;
    }
    const value = respell(readCborBody(bytes, expected), assert.fail);
    // Go escapes what stands for a byte that is no UTF-8; here it is a character like others.
    assert.equal(printText(value, sortedKeys), out!.replaceAll('\\ufffd', '\ufffd'), body);
  }
});

test('readCborBody() says of what kind a body was, once that is known', () => {
  const expected = { group: '', version: 'v1', kind: 'ConfigMap' };
  for (const [hex, message] of [
    ['', `${UNRECOGNIZED}EOF (<empty>)`],
    ['d9d9f7820102', `${UNRECOGNIZED}${ARRAY} (d9d9f7820102)`],
    ['a1446b696e6401', `${UNRECOGNIZED}${NUMBER} (a1446b696e6401)`],
    ['a14464617461a14161f7', `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${UNDEFINED}`],
  ] as const) {
    const body = Buffer.from(hex, 'hex');
    assert.throws(
      () => readCborBody(body, expected),
      (error) => error instanceof DecodeError && describeDecodeError(error, 'ConfigMap', body) === message,
      message,
    );
  }
});

test('readCborBody() leaves a kind that is not known to the codec, whatever is in the body', () => {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const body = encodeCbor(Buffer.from('{"kind":"Nothing","apiVersion":"v1","data":{}}'));
  const value = readCborBody(body.with(body.length - 1, 0xf7), kind);
  const codec = builtInCodec('core/v1.ConfigMap', kind);
  assert.throws(() => codec.decodeValue(value), /^DecodeError: no kind "Nothing" is registered/);
});

test('bytes of a Secret are bytes, however they come', () => {
  const json = '{"kind":"Secret","apiVersion":"v1","data":{"k":"AAH/"}}';
  const cbor = encodeCbor(Buffer.from(json), cborForm({ group: '', version: 'v1', kind: 'Secret' }));
  assert.ok(Buffer.from(cbor).includes(Buffer.from('416bd6430001ff', 'hex')));
  const read = parseCbor(cbor, cborForm({ group: '', version: 'v1', kind: 'Secret' }));
  assert.equal(printText(read), '{"apiVersion":"v1","data":{"k":"AAH/"},"kind":"Secret"}');
});

type KindCase = { name: string; json: string; empty: string };

const UNRECOGNIZED =
  'the object provided is unrecognized (must be of type ConfigMap): unable to determine group/version/kind: ';
const ARRAY =
  'cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)';
const NUMBER = 'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string';
const UNDEFINED =
  'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized';

function encoded(json: string, form: ReturnType<typeof cborForm>): string {
  return Buffer.from(encodeCbor(Buffer.from(json.trim()), form)).toString('base64');
}

function kindOf(json: string): TypeMeta {
  const { kind, apiVersion } = JSON.parse(json) as { kind: string; apiVersion: string };
  return { ...parseGroupVersion(apiVersion), kind };
}

function lines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
