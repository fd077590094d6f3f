// CBOR out: the form of every part, against a decoder that isn't ours, and against text made to hurt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, Tagged } from 'cborg';
import fc from 'fast-check';
import { printJson } from '../json/printer.ts';
import { JsonNumber, type JsonValue } from '../json/value.ts';
import { ByteWriter } from '../json/writer.ts';
import { parseCbor } from './tree.ts';
import { encodeCbor, encodeCborItem } from './value.ts';

test('encodeCborItem() writes each value in its shortest form', () => {
  for (const [json, hex] of FORMS) assert.equal(itemHex(json), hex, json);
});

const FORMS: readonly [json: string, hex: string][] = [
  ['null', 'f6'],
  ['true', 'f5'],
  ['false', 'f4'],
  ['0', '00'],
  ['-0', '00'],
  ['23', '17'],
  ['24', '1818'],
  ['255', '18ff'],
  ['256', '190100'],
  ['65536', '1a00010000'],
  ['4294967295', '1affffffff'],
  ['4294967296', '1b0000000100000000'],
  ['9007199254740993', '1b0020000000000001'],
  ['9223372036854775807', '1b7fffffffffffffff'],
  ['9223372036854775808', 'fa5f000000'],
  ['-1', '20'],
  ['-24', '37'],
  ['-25', '3818'],
  ['-4294967297', '3b0000000100000000'],
  ['-9223372036854775808', '3b7fffffffffffffff'],
  ['-9223372036854775809', 'fadf000000'],
  ['0.0', 'f90000'],
  ['-0.0', 'f98000'],
  ['1.0', 'f93c00'],
  ['1.5', 'f93e00'],
  ['1e3', 'f963d0'],
  ['65504.0', 'f97bff'],
  ['65520.0', 'fa477ff000'],
  ['0.00006103515625', 'f90400'],
  ['5.960464477539063e-8', 'f90001'],
  ['0.000060975551605224609375', 'f903ff'],
  ['2.9802322387695312e-8', 'fa33000000'],
  ['3.4028234663852886e+38', 'fa7f7fffff'],
  ['1.1', 'fb3ff199999999999a'],
  ['1e+300', 'fb7e37e43c8800759c'],
  ['5e-324', 'fb0000000000000001'],
  ['""', '40'],
  ['"a"', '4161'],
  ['"é😀"', '46c3a9f09f9880'],
  ['"\\u00e9\\ud83d\\ude00"', '46c3a9f09f9880'],
  ['"\\ud83d"', '43efbfbd'],
  ['"\\ude00\\ud83d!"', '47efbfbdefbfbd21'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u003c"', '49225c2f080c0a0d093c'],
  ['[]', '80'],
  ['[1,[2,"x"],{}]', '830182024178a0'],
  ['{}', 'a0'],
  ['{"b":1,"a":2,"":3,"aa":4,"B":5}', 'a5400341420541610241620142616104'],
  ['{"a":1,"a":2}', 'a1416102'],
  ['{"\\u0062":1,"a":2}', 'a2416102416201'],
];

test('encodeCbor() puts the tag in front', () => {
  assert.equal(Buffer.from(encodeCbor(Buffer.from('{"a":1}'))).toString('hex'), 'd9d9f7a1416101');
});

test('encodeCborItem() writes bytes and doubles where the form says so', () => {
  const form = {
    members: new Map([
      ['data', { each: 'bytes' as const }],
      ['list', { each: { members: new Map([['max', 'double' as const]]) } }],
    ]),
  };
  const json =
    '{"list":[{"max":1,"min":1},{"max":null}],"data":{"b":"","a":"AAH/","c":null,"d":"AA=="},"max":1}';
  const expected =
    'a3436d6178014464617461a44161d6430001ff4162d6404163f64164d64100' +
    '446c69737482a2436d6178f93c00436d696e01a1436d6178f6';
  assert.equal(itemHex(json, form), expected);
  assert.equal(itemHex('{"data":"AAH/"}', { each: 'bytes' }), 'a14464617461d6430001ff');
});

test('an outside decoder, told to be strict, reads every value back', () => {
  fc.assert(
    fc.property(VALUES, (value) => {
      const json = printJson(value);
      const options = { strict: true, useMaps: true, rejectDuplicateMapKeys: true } as const;
      const seen = decode(encodeCbor(json), { ...options, tags: Tagged.preserve(SELF_DESCRIBED) }) as Tagged;
      assert.equal(seen.tag, SELF_DESCRIBED);
      assert.deepEqual(outside(seen.value), ours(value));
    }),
    { numRuns: 500 },
  );
});

test('parseCbor() reads every value back', () => {
  fc.assert(
    fc.property(VALUES, (value) => {
      assert.deepEqual(ours(parseCbor(encodeCbor(printJson(value)))), ours(value));
    }),
    { numRuns: 500 },
  );
});

test('encodeCborItem() sorts many keys, and of those that come twice keeps the last', () => {
  const keys = Array.from({ length: 500 }, (_, i) => `${'k'.repeat(i % 7)}${(i * 7919) % 250}`);
  const json = `{${keys.map((key, i) => `"${key}":${i}`).join(',')}}`;
  const seen = decode(encodeCbor(Buffer.from(json)).subarray(3), { strict: true, useMaps: true });
  const expected = new Map(keys.map((key, i) => [key, i]));
  const sorted = [...expected].sort(
    ([a], [b]) => a.length - b.length || Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  assert.deepEqual([...(outside(seen) as Map<string, number>)], sorted);
});

test('encodeCborItem() writes what nests 10,000 deep, and large texts after small ones', () => {
  const deep = `${'{"a":['.repeat(5000)}${']}'.repeat(5000)}`;
  assert.equal(itemHex(deep), `${'a1416181'.repeat(4999)}a1416180`);
  const large = 'x\\n'.repeat(300_000);
  for (let i = 0; i < 3; i++) {
    assert.equal(itemHex(`["${large}"]`).length, 2 * (600_000 + 6));
    assert.equal(itemHex('{"b":"x","a":[1]}'), 'a24161810141624178');
  }
});

const SELF_DESCRIBED = 55799;

function itemHex(json: string, form?: Parameters<typeof encodeCborItem>[2]): string {
  const writer = new ByteWriter();
  encodeCborItem(Buffer.from(json), writer, form);
  return Buffer.from(writer.take()).toString('hex');
}

const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ maxLength: 400 }),
);

const VALUES: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    TEXT,
    fc.maxSafeInteger().map((value) => new JsonNumber(String(value))),
    fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map((value) => new JsonNumber(String(value))),
    fc.float({ noNaN: true, noDefaultInfinity: true }).map(floatNumber),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(floatNumber),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(TEXT, tie('value')), { maxLength: 40 }).map((pairs) => new Map(pairs)),
  ),
})).value;

/** As it is spelled when it comes back: never an integer. */
function floatNumber(value: number): JsonNumber {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return new JsonNumber(/[.e]/.test(text) ? text : `${text}.0`);
}

/** Numbers by value, text without the halves of surrogate pairs. */
function ours(value: JsonValue): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (value instanceof JsonNumber) {
    if (/[.e]/.test(value.text)) return Number(value.text);
    return small(BigInt(value.text));
  }
  if (Array.isArray(value)) return value.map(ours);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [wellFormed(key), ours(item)]));
  return value;
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function outside(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'bigint') return small(value);
  if (Array.isArray(value)) return value.map(outside);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [outside(key), outside(item)]));
  return value;
}

function small(value: bigint): bigint | number {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
