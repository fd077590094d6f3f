// CBOR in: bodies cut short, changed and made to hurt. What they say when they are whole is tested where they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printText } from '../json/printer.ts';
import { checkCbor } from './check.ts';
import { CborError } from './error.ts';
import { readCborMembers } from './members.ts';
import { parseCbor } from './tree.ts';
import { encodeCbor } from './value.ts';

test('parseCbor() reads all of these', () => {
  for (const [hex, json] of READABLE) assert.equal(printText(parseCbor(Buffer.from(hex, 'hex'))), json, hex);
});

const READABLE: readonly [hex: string, json: string][] = [
  ['d9d9f7d9d9f7a0', '{}'],
  ['a16161bf416201ff', '{"a":{"b":1}}'],
  ['9f0102ff', '[1,2]'],
  ['5f4161426263ff', '"abc"'],
  ['7f6161626263ff', '"abc"'],
  ['43ff6180', '"\ufffda\ufffd"'],
  ['1b7fffffffffffffff', '9223372036854775807'],
  ['3b7fffffffffffffff', '-9223372036854775808'],
  ['f94000', '2.0'],
  ['f90001', '5.960464477539063e-8'],
  ['f9fbff', '-65504.0'],
  ['fa7f7fffff', '3.4028234663852886e+38'],
  ['fb3ff199999999999a', '1.1'],
  ['83d543fbff00d643fbff00d743fbff00', '["-_8A","+/8A","fbff00"]'],
  ['d682a1416141ffd541ff', '[{"YQ==":"/w=="},"_w"]'],
  ['c074323031342d30352d30365430373a30383a30395a', '"2014-05-06T07:08:09Z"'],
  ['c11a536889a9', '"2014-05-06T07:05:13Z"'],
  ['c1fb41d452d9e07ae148', '"2013-03-21T20:03:13.920000076Z"'],
];

test('parseCbor() makes base64 of what is tagged where bytes are expected', () => {
  const body = Buffer.from('a34161d543fbff004162d743fbff0041634441414541', 'hex');
  assert.equal(printText(parseCbor(body, { each: 'bytes' })), '{"a":"+/8A","b":"+/8A","c":"AAEA"}');
});

test('parseCbor() tells the first error, but a repeated key before all else in its map', () => {
  for (const [hex, message] of [
    [
      '82f7c001',
      'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized',
    ],
    ['a34161f74161014161a0', 'cbor: found duplicate map key "a" at map element index 2'],
    [
      '82f7a2416101416102',
      'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized',
    ],
    ['bf416101416102416203ff', 'cbor: found duplicate map key "a" at map element index 1'],
  ] as const) {
    assert.throws(() => parseCbor(Buffer.from(hex, 'hex')), { name: 'CborError', message });
  }
});

test('a body cut at any byte ends too early, and one byte more is too many', () => {
  const json = `{"kind":"X","n":[1,-300,1.5,1e300,70000,5000000000],"m":{"long":"${'x'.repeat(300)}"},"t":null}`;
  const body = encodeCbor(Buffer.from(json));
  checkCbor(body);
  for (let length = 0; length < body.length; length++) {
    const message = length === 0 ? 'EOF' : 'unexpected EOF';
    assert.throws(() => checkCbor(body.subarray(0, length)), { name: 'CborError', message });
  }
  const longer = Buffer.concat([body, Buffer.of(0)]);
  const message = `cbor: 1 bytes of extraneous data starting at index ${body.length}`;
  assert.throws(() => checkCbor(longer), { name: 'CborError', message });
});

test('parseCbor() and readCborMembers() read any bytes or throw a CborError', () => {
  const readAll = (bytes: Uint8Array): void => {
    orCborError(() => parseCbor(bytes, { each: 'bytes' }));
    orCborError(() => readCborMembers(bytes, ['kind'], 'v1.TypeMeta'));
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), readAll), { numRuns: 5000 });
  const body = encodeCbor(
    Buffer.from('{"kind":"X","a":[1,-3e9,1.5,true],"b":{"c":"text","d":[{},[],null]}}'),
  );
  for (let at = 0; at < body.length; at++) {
    for (let byte = 0; byte < 256; byte++) readAll(body.map((old, place) => (place === at ? byte : old)));
  }
});

test('lengths that promise more than there is cost nothing', () => {
  for (const [hex, message] of [
    ['9a7fffffff', 'unexpected EOF'],
    ['9a80000000', 'cbor: exceeded max number of elements 2147483647 for CBOR array'],
    ['9b7fffffffffffffff', 'cbor: exceeded max number of elements 2147483647 for CBOR array'],
    ['ba00200000', 'unexpected EOF'],
    ['ba00200001', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
    ['5b7fffffffffffffff', 'unexpected EOF'],
    [
      '5b8000000000000000',
      'cbor: byte string length 9223372036854775808 is too large, causing integer overflow',
    ],
    [
      '9bffffffffffffffff',
      'cbor: array length 18446744073709551615 is too large, it would cause integer overflow',
    ],
    [
      '5f5bffffffffffffffffff',
      'cbor: byte string length 18446744073709551615 is too large, causing integer overflow',
    ],
  ] as const) {
    assert.throws(() => checkCbor(Buffer.from(hex, 'hex')), { name: 'CborError', message }, hex);
  }
});

test('nesting is read to its limit and refused beyond, without recursion', () => {
  const nested = (depth: number, open: string, end: string): Buffer =>
    Buffer.from(open.repeat(depth) + end, 'hex');
  const tooDeep = { name: 'CborError', message: 'cbor: exceeded max nested level 10000' };
  for (const open of ['81', 'a14161']) {
    parseCbor(nested(10_000, open, '00'));
    assert.throws(() => parseCbor(nested(10_001, open, '00')), tooDeep);
    assert.throws(() => parseCbor(nested(1_000_000, open, '00')), tooDeep);
  }
  parseCbor(nested(10_001, 'd864', '00'));
  assert.throws(() => parseCbor(nested(10_002, 'd864', '00')), tooDeep);
  parseCbor(Buffer.concat([Buffer.alloc(10_000, 0x9f), Buffer.alloc(10_000, 0xff)]));
  // As a key that is no text, it is walked over.
  assert.throws(() => parseCbor(nested(9_999, '81', '00').fill(0xa1, 0, 1)), { name: 'CborError' });
});

test('three megabytes of small items, of chunks and of wrong keys are read in a moment', () => {
  const size = 3_000_000;
  const started = performance.now();
  parseCbor(filled(size, '80'));
  parseCbor(Buffer.concat([Buffer.of(0x5f), Buffer.alloc(size, 0x40), Buffer.of(0xff)]));
  orCborError(() => parseCbor(Buffer.concat([Buffer.of(0xbf), Buffer.alloc(size, 0x01), Buffer.of(0xff)])));
  orCborError(() => parseCbor(Buffer.concat([Buffer.of(0xbf), Buffer.alloc(size, 0x80), Buffer.of(0xff)])));
  orCborError(() => parseCbor(filled(size, 'f7')));
  assert.ok(performance.now() - started < 20_000);
});

function filled(count: number, hex: string): Buffer {
  const head = Buffer.alloc(5, 0x9a);
  head.writeUInt32BE(count, 1);
  return Buffer.concat([head, Buffer.alloc(count, hex, 'hex')]);
}

function orCborError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof CborError, String(error));
  }
}
