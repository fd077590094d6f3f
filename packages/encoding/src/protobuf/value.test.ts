// Messages from JSON bytes, against an encoder so simple that it can be seen to be right.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { quote } from '../json/quote.ts';
import type { OwnTexts } from './own-values.ts';
import type { Form, Message, MessageField } from './schema.ts';
import { readMessage } from './tree.ts';
import { leadingMessageEncoder, messageEncoder } from './value.ts';
import { ProtobufError } from './wire.ts';

const TEXT: Form = { kind: 'string' };

/** Contains itself, and has its fields in another order than their numbers. */
const NODE: Message = {
  name: 'Node',
  get fields() {
    return [
      field(9, 'text', TEXT),
      field(2, 'children', { kind: 'list', element: { kind: 'message', message: NODE } }),
      field(20, 'count', { kind: 'int64' }, true),
      field(1, 'labels', { kind: 'map', value: TEXT }),
    ];
  },
};

const PART: Message = { name: 'Part', fields: [field(1, 'a', TEXT), field(2, 'b', { kind: 'bool' }, true)] };
const WHOLE: Message = {
  name: 'Whole',
  fields: [
    field(1, 'name', TEXT),
    { number: 2, json: '', go: 'Part', form: { kind: 'message', message: PART }, pointer: false },
    field(3, 'size', { kind: 'int32' }),
    field(4, 'data', { kind: 'bytes' }),
    field(5, 'share', { kind: 'double' }, true),
  ],
};

type Tree = { text: string; children: readonly Tree[]; count?: bigint; labels: Record<string, string> };

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record(
    {
      text: fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
      children: fc.oneof({ maxDepth: 5 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
      count: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 20 })),
    },
    { requiredKeys: ['text', 'children', 'labels'] },
  ),
})).tree;

test('messageEncoder() writes fields by number, measures every part, and readMessage() reads them back', () => {
  const encode = messageEncoder(NODE);
  fc.assert(
    fc.property(trees, (tree) => {
      const bytes = Buffer.from(encode(Buffer.from(treeJson(tree))));
      assert.equal(bytes.toString('hex'), treeBytes(tree).toString('hex'));
      const again = readMessage(NODE, bytes, NO_TEXTS);
      assert.equal(again.get('text') ?? '', tree.text);
      assert.equal((again.get('children') as unknown[] | undefined)?.length ?? 0, tree.children.length);
    }),
    { numRuns: 300 },
  );
});

test('messageEncoder() moves only fields that stand elsewhere in JSON', () => {
  const names = ['first', 'late', 'early', 'middle', 'last'];
  const numbers = [1, 8, 2, 5, 9];
  const message = { name: 'Mixed', fields: names.map((name, i) => field(numbers[i]!, name, TEXT, true)) };
  const encode = messageEncoder(message);
  fc.assert(
    fc.property(fc.subarray(names), fc.nat(300), (present, length) => {
      const texts = present.map((name) => name.repeat(1 + (length % 60)));
      const json = `{${present.map((name, i) => `"${name}":"${texts[i]}"`).join()}}`;
      const parts = present.map((name, i) => ({ number: numbers[names.indexOf(name)]!, text: texts[i]! }));
      parts.sort((a, b) => a.number - b.number);
      const expected = Buffer.concat(parts.map(({ number, text }) => part(number, Buffer.from(text))));
      assert.equal(Buffer.from(encode(Buffer.from(json))).toString('hex'), expected.toString('hex'));
    }),
  );
});

test('messageEncoder() unescapes text of every length', () => {
  const encode = messageEncoder({ name: 'Text', fields: [field(1, 'text', TEXT)] });
  const check = (text: string): void => {
    const bytes = encode(Buffer.from(`{"text":${quote(text)}}`));
    assert.equal(Buffer.from(bytes).toString('hex'), part(1, Buffer.from(text)).toString('hex'));
  };
  for (const length of [0, 1, 126, 127, 128, 129, 16_383, 16_384, 100_000]) {
    for (const tail of ['', '\n', '<', '\u2028', '\u{1f4ff}', '\\"', 'é']) {
      check('x'.repeat(length) + tail);
      check(`${tail}${'x'.repeat(length)}`);
    }
  }
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), check));
  const escapes = encode(Buffer.from('{"text":"\\ud83d\\udcff \\ud83d \\udcff \\u00e9\\/\\b\\f"}'));
  assert.equal(Buffer.from(escapes).subarray(2).toString(), '\u{1f4ff} \ufffd \ufffd é/\b\f');
});

test('messageEncoder() gathers members of a part, fills in zeros, and passes over what it does not know', () => {
  const encode = messageEncoder(WHOLE);
  const hex = (json: string): string => Buffer.from(encode(Buffer.from(json))).toString('hex');
  assert.equal(hex('{}'), '0a0012020a001800');
  assert.equal(hex('{"name":"n","a":"x","b":false,"size":-1}'), '0a016e12050a0178100018ffffffffffffffffff01');
  assert.equal(hex('{"kind":"K","name":"n","x":{"name":["]"]},"b":true}'), '0a016e12040a0010011800');
  assert.equal(hex('{"name":null,"size":2147483647,"data":null}'), '0a0012020a0018ffffffff07');
  assert.equal(hex('{"data":"AQID","share":-0.5}'), '0a0012020a001800220301020329000000000000e0bf');
  assert.equal(hex('{"data":""}'), '0a0012020a0018002200');
});

test('leadingMessageEncoder() does not look at what stands behind the first members', () => {
  const encode = leadingMessageEncoder(PART);
  const hex = (json: string): string => Buffer.from(encode(Buffer.from(json))).toString('hex');
  assert.equal(hex('{"a":"x","b":true,"c":{"a":1}}'), '0a01781001');
  assert.equal(hex('{"a":"x","c":['), '0a0178');
  assert.equal(hex('{"a":"x"}'), '0a0178');
  assert.equal(hex('{"c":1}'), '0a00');
  assert.equal(hex('{}'), '0a00');
  assert.throws(() => encode(Buffer.from('[]')), ProtobufError);
});

test('messageEncoder() refuses what no codec prints', () => {
  const encode = messageEncoder(WHOLE);
  for (const json of ['[]', '{"size":1,"name":"n"}', '{"name":"n', '{"name":"n"', '{"name":"\\u00']) {
    assert.throws(() => encode(Buffer.from(json)), ProtobufError, json);
  }
});

const NO_TEXTS: OwnTexts = { quantity: (text) => text, duration: String, raw: () => null };

function field(number: number, json: string, form: Form, pointer = false): MessageField {
  return { number, json, go: json, form, pointer };
}

function treeJson(tree: Tree): string {
  const keys = Object.keys(tree.labels).sort();
  const labels = keys.map((key) => `${quote(key)}:${quote(tree.labels[key]!)}`);
  return `{"text":${quote(tree.text)},"children":[${tree.children.map(treeJson)}]${
    tree.count === undefined ? '' : `,"count":${tree.count}`
  },"labels":{${labels}}}`;
}

function treeBytes(tree: Tree): Buffer {
  const labels = Object.keys(tree.labels)
    .sort()
    .map((key) =>
      part(1, Buffer.concat([part(1, Buffer.from(key)), part(2, Buffer.from(tree.labels[key]!))])),
    );
  const children = tree.children.map((child) => part(2, treeBytes(child)));
  const count = tree.count === undefined ? [] : [varint(20n << 3n), varint(BigInt.asUintN(64, tree.count))];
  return Buffer.concat([...labels, ...children, part(9, Buffer.from(tree.text)), ...count]);
}

function part(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
