// Checks what is replaced in an answer before it is compared, form by form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from './answer.ts';
import { cborSequence, cborTree } from './cbor-tree.ts';
import { dropJsonMember, dropYamlMember } from './drop-member.ts';
import { settle } from './settle.ts';
import type { Step } from './transcript.ts';
import { protobufTree } from './wire-tree.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('settle() replaces what varies by nature', () => {
  const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":42,"start":"rabc12345/x"}').toString('base64url');
  const rows: [string, string][] = [
    ['"uid":"01234567-89ab-cdef-0123-456789abcdef"', '"uid":"<uid>"'],
    ['"t":"2026-01-02T03:04:05Z"', '"t":"<time>"'],
    ['"t":"2026-01-02T03:04:05.123456Z"', '"t":"<time>"'],
    ['"t":"1999-01-02T03:04:05Z"', '"t":"1999-01-02T03:04:05Z"'],
    ['"resourceVersion":"12"', '"resourceVersion":"<rv>"'],
    ['in rabc12345', 'in <run>'],
    ['too old resource version: 1 (99)', 'too old resource version: <rv> (<rv>)'],
    [token, '<continue {"v":"meta.k8s.io/v1","rv":"<rv>","start":"<run>/x"}>'],
  ];
  for (const [given, want] of rows) assert.equal(settled({}, given).body, want);
});

test('settle() keeps the order of resourceVersions when asked to', () => {
  const body = '"resourceVersion":"100" "resourceVersion":"99" "resourceVersion":"7"';
  const { body: got } = settle({ path: '/', rvs: 'rank' }, answerOf(body), { run: 'rabc12345', first: '7' });
  assert.equal(
    got,
    '"resourceVersion":"<rv#3>" "resourceVersion":"<rv#2>" "resourceVersion":"<rv#1 = first>"',
  );
});

test('settle() compares JSON without order, picks and masks parts, blanks ages', () => {
  const body = '{"b":{"z":1,"y":2},"a":"name-x7k2","n":null}';
  const step = { compare: 'json', pick: ['b.*', 'a', 'n', 'c.d'], mask: ['name-\\w+'] };
  assert.deepEqual(settled(step, body).json, {
    'b.*': ['y', 'z'],
    a: '<masked>',
    n: null,
    'c.d': '<absent>',
  });
  const table = '{"columnDefinitions":[{"name":"Name"},{"name":"Age"}],"rows":[{"cells":["5m","5m"]}]}';
  assert.deepEqual(settled({ compare: 'json', ignoreCells: ['Age'] }, table).json, {
    columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
    rows: [{ cells: ['5m', '<age>'] }],
  });
});

test('settle() says what it could not read', () => {
  assert.match(String(settled({ compare: 'json' }, 'no').unreadable), /: bm8=$/);
});

test('dropJsonMember() leaves every other byte as it is', () => {
  const rows: [string, string][] = [
    ['{"a":1,"m":[{"x":"]"}],"b":2}', '{"a":1,"b":2}'],
    ['{"m":[], "b":2}', '{"b":2}'],
    ['{"a":"\\"m","m":null}', '{"a":"\\"m"}'],
    ['{\n "a": 1,\n "m": [\n  1\n ]\n}', '{\n "a": 1\n}'],
  ];
  for (const [given, want] of rows) assert.equal(dropJsonMember(given, 'm'), want);
});

test('dropYamlMember() takes the lines that belong to the member', () => {
  assert.equal(dropYamlMember('a: 1\nm:\n- x: 1\n  y: 2\n- z\nb: 2\n', 'm'), 'a: 1\nb: 2\n');
});

test('protobufTree() tells text, messages and bytes apart', () => {
  const inner = Buffer.from([10, 2, 0x68, 0x69, 16, 5]);
  const bytes = Buffer.concat([
    Buffer.from('k8s\0'),
    Buffer.from([18, inner.length]),
    inner,
    Buffer.from([26, 1, 255]),
  ]);
  assert.deepEqual(protobufTree(bytes), [
    'k8s',
    [
      [
        2,
        [
          [1, 'hi'],
          [2, 5n],
        ],
      ],
      [3, 'hex:ff'],
    ],
  ]);
  assert.throws(() => protobufTree(Buffer.from([10, 9, 1])), /length/);
});

test('cborTree() keeps kinds of numbers and strings apart', () => {
  const bytes = Buffer.from('d9d9f7a241611863416282fb3ff80000000000006178', 'hex');
  assert.deepEqual(cborTree(bytes), { a: 'int 99', b: ['float 1.5', 'text:x'] });
  assert.deepEqual(cborSequence(Buffer.from('20f6f93c00', 'hex')), ['int -1', null, 'float 1']);
  assert.throws(() => cborTree(Buffer.from('0101', 'hex')), /extraneous/);
  assert.throws(() => cborTree(Buffer.from('9f01ff', 'hex')), /indefinite/);
});

function settled(step: Partial<Step>, body: string): Record<string, unknown> {
  return settle({ path: '/', ...step }, answerOf(body), { run: 'rabc12345' });
}

function answerOf(body: string): Answer {
  return { status: 200, headers: JSON_TYPE, body: Buffer.from(body), complete: true };
}
