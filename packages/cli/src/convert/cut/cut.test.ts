// Lists taken apart: in every format, however they are laid out, the same items and the same rest as a parser finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENVELOPE_TAIL, enclose } from '@sluice/encoding';
import { decode, encode } from 'cborg';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { CHUNK_BYTES, memorySource, type Source } from '../source.ts';
import { cutCbor } from './cbor.ts';
import type { Cut } from './cut.ts';
import { cutJson } from './json.ts';
import { cutProtobuf } from './protobuf.ts';
import { cutYaml } from './yaml.ts';

const items = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });
const name = fc.constantFrom('kind', 'items ', 'Items', 'a"items', 'metadata', '');

test('cutJson() finds the items that JSON.parse() finds, wherever a chunk ends', () => {
  const layout = fc.constantFrom(undefined, 1, '\t\n\r ');
  const around = fc.dictionary(name, fc.jsonValue());
  fc.assert(
    fc.property(
      items,
      around,
      around,
      layout,
      fc.integer({ min: 1, max: 9 }),
      (list, before, behind, space, chunk) => {
        const text = JSON.stringify({ ...before, items: list, ...behind }, null, space);
        const cut = cutJson(shortOf(Buffer.from(text), chunk))!;
        assert.deepEqual(
          textsOf(cut).map((item) => JSON.parse(item)),
          JSON.parse(text).items,
        );
        assert.deepEqual(JSON.parse(textOf(cut.frame)), { ...JSON.parse(text), items: [] });
      },
    ),
  );
});

test('cutJson() takes the last of several arrays, knows an escaped name, and leaves the rest to who reads it', () => {
  const twice = cutJson(
    memorySource(Buffer.from('{"items":[1,2],"\\u0069tem\\u0073":[3],"kind":"\\"items"}')),
  )!;
  assert.deepEqual([textsOf(twice), twice.count], [['3'], 1]);
  assert.equal(textOf(twice.frame), '{"items":[],"\\u0069tem\\u0073":[],"kind":"\\"items"}');
  for (const text of ['', '[]', '{"items":{}}', '{"a":{"items":[1]}}', '{"a":"items"}', '{"items":1}']) {
    assert.equal(cutJson(memorySource(Buffer.from(text))), undefined, text);
  }
  for (const [text, found] of [
    ['{"items":[1,]}', ['1', '']],
    ['{"items":[,1]}', ['', '1']],
    ['{"items":[{"a":[1', ['{"a":[1']],
    ['{"items":[ \n ]}', []],
  ] as const) {
    assert.deepEqual(textsOf(cutJson(memorySource(Buffer.from(text)))!), found, text);
  }
});

test('cutCbor() finds the items that an outside decoder finds', () => {
  fc.assert(
    fc.property(
      items,
      fc.dictionary(name, fc.jsonValue()),
      fc.integer({ min: 1, max: 9 }),
      (list, before, chunk) => {
        const body = encode({ ...before, items: list, kind: 'x' });
        const cut = cutCbor(shortOf(Buffer.concat([Buffer.from('d9d9f7', 'hex'), body]), chunk))!;
        assert.deepEqual(
          Array.from(cut.items(), (item) => decode(Buffer.from(item))),
          list.map(asCborg),
        );
        const { items: none, ...rest } = decode(Buffer.from(cut.frame).subarray(3));
        const { items: all, ...expected } = decode(body);
        assert.deepEqual([none, rest, cut.count], [[], expected, all.length]);
      },
    ),
  );
});

test('cutCbor() reads arrays, maps and strings without a told length', () => {
  const cut = cutCbor(
    memorySource(Buffer.from('bf656974656d739f0102bf616101ff5f41414142ffff616bf6ff', 'hex')),
  )!;
  assert.deepEqual(textsOf(cut, 'hex'), ['01', '02', 'bf616101ff', '5f41414142ff']);
  assert.equal(textOf(cut.frame, 'hex'), 'bf656974656d7380616bf6ff');
});

test('cutYaml() finds the items that a parser finds, at any indentation', () => {
  const key = fc.constantFrom('a', 'items', '- b', 'c d', '#');
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('x\n- y\n', 'items:\n- a\n', '---\n', 'a: b\n\n\nc\n'),
    fc.nat(),
  );
  const item = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, leaf)), { minKeys: 1 });
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 30, max: 90 }),
      (list, indentSeq, chunk) => {
        const text = stringify({ kind: 'L', items: list, last: 'x\n- y\n' }, { indentSeq, lineWidth: 30 });
        const cut = cutYaml(shortOf(Buffer.from(text), chunk))!;
        assert.deepEqual(
          textsOf(cut, 'utf8').map((part) => parse(part)),
          parse(text).items.map((one: unknown) => [one]),
          text,
        );
        assert.deepEqual(parse(textOf(cut.frame, 'utf8')), { ...parse(text), items: [] });
      },
    ),
  );
});

test('cutYaml() leaves alone what it would have to understand', () => {
  for (const text of [
    '',
    'items: []\n',
    'items: [\n- 1]\n',
    'items:\n  a: 1\n',
    ' items:\n - a\n',
    'items:\n',
  ]) {
    assert.equal(cutYaml(memorySource(Buffer.from(text))), undefined, text);
  }
  const cut = cutYaml(
    memorySource(Buffer.from('# c\nitems: # x\n\n  # y\n  - a\n# z\n\n  -\n    b: 1\n...\n- c\n')),
  )!;
  assert.deepEqual(
    textsOf(cut).map((item) => parse(item)),
    [['a'], [{ b: 1 }]],
  );
  assert.equal(textOf(cut.frame), '# c\nitems: []\n...\n- c\n');
});

test('a body that is cut short is no list to take apart, in Protobuf and CBOR', () => {
  const type = { apiVersion: 'v1', kind: 'ConfigMapList' };
  const protobuf = enclose(type, Buffer.from('0a070a001201371a0012020801120100', 'hex'));
  assert.deepEqual(textsOf(cutProtobuf(memorySource(protobuf))!, 'hex'), ['0801', '00']);
  for (let length = 0; length < protobuf.length - ENVELOPE_TAIL.length; length++) {
    assert.equal(cutProtobuf(memorySource(protobuf.subarray(0, length))), undefined, `${length}`);
  }
  const cbor = encode({ kind: 'x', items: [[1, 'two', { three: [4] }]] });
  assert.ok(cutCbor(memorySource(cbor)));
  for (let length = 0; length < cbor.length; length++) {
    assert.equal(cutCbor(memorySource(cbor.subarray(0, length))), undefined, `${length}`);
  }
});

/** Chunks of a few bytes, so that they end everywhere. */
function shortOf(bytes: Uint8Array, chunk: number): Source {
  return {
    size: bytes.length,
    read: (start, end) => bytes.subarray(start, end - start === CHUNK_BYTES ? start + chunk : end),
  };
}

function textsOf(cut: Cut, encoding: BufferEncoding = 'utf8'): string[] {
  const texts = Array.from(cut.items(), (item) => Buffer.from(item).toString(encoding));
  assert.equal(texts.length, cut.count);
  return texts;
}

function textOf(bytes: Uint8Array, encoding: BufferEncoding = 'utf8'): string {
  return Buffer.from(bytes).toString(encoding);
}

function asCborg(value: unknown): unknown {
  return decode(encode(value));
}
