// YAML read back by an outside library, and JSON made to hurt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ByteWriter, TooLongError } from '../json/writer.ts';
import { YamlError } from './errors.ts';
import { encodeYamlItem, yamlListFrame } from './list.ts';
import { encodeYaml, type YamlOptions } from './value.ts';

const WORDS =
  'y No on TRUE ~ null .inf 0x1f 1e3 1_0 2020-01-01 12:30:45 a:b - -- : # {} [] & * ! | > % @ `'.split(' ');
/** Word after word, so that lines are folded. */
const prose = fc.array(fc.constantFrom('a', 'word', 'longer-word', 'é', '😀', '', '#', 'b:'), {
  maxLength: 60,
});
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(' ', '\n', '\t', 'a', '-', ':', '#', '"', "'", '\\', '\r', '\u0000', '\u00a0'),
  }),
  fc.constantFrom(...WORDS),
  prose.map((words) => words.join(' ')),
);
/**
 * What the library understands otherwise is left out: merge keys, floats too large for a double, and line breaks that
 * YAML 1.2 took out (the library reads all versions by 1.2's lines).
 */
const readable = text.filter((value) => !/^<<$|e[+]?\d{3}|[\u0085\u2028\u2029]/i.test(value));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    readable,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(readable, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

test('encodeYaml() is read back to the same value by another library', () => {
  fc.assert(
    fc.property(json, (value) => {
      const yaml = print(JSON.stringify(value));
      assert.deepEqual(
        parse(yaml, { version: '1.1', uniqueKeys: false }),
        JSON.parse(JSON.stringify(value)),
        yaml,
      );
    }),
    { numRuns: 500 },
  );
});

test('encodeYaml() at an indent gives the lines of the value as a member', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), (items) => {
      const text = JSON.stringify(items);
      const member = print(`{"k":${text}}`);
      assert.equal(member, `k:\n${print(text)}`);
      assert.equal(
        member,
        `k:\n${items.map((item) => print(JSON.stringify(item), { asSequenceItem: true })).join('')}`,
      );
      assert.equal(print(`{"k":{"a":${text}}}`), `k:\n${print(`{"a":${text}}`, { indent: 2 })}`);
    }),
  );
});

test('encodeYamlItem() gives the same as the whole list, for any items', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), fc.dictionary(readable, json), (items, rest) => {
      delete rest.items;
      const { head, tail, empty } = yamlListFrame(Buffer.from(JSON.stringify({ ...rest, items: [] })));
      const out = new ByteWriter();
      for (const item of items) encodeYamlItem(Buffer.from(JSON.stringify(item)), out);
      const streamed = Buffer.concat([head, out.take(), tail]).toString();
      assert.equal(streamed, print(JSON.stringify({ ...rest, items })));
      assert.equal(Buffer.from(empty).toString(), print(JSON.stringify({ ...rest, items: [] })));
    }),
  );
});

test('yamlListFrame() wants a list', () => {
  assert.throws(() => yamlListFrame(Buffer.from('{"kind":"PodList"}')), RangeError);
  assert.throws(() => yamlListFrame(Buffer.from('{"kind":"\ufffe","items":[]}')), YamlError);
});

test('encodeYaml() prints the last of equal keys', () => {
  assert.equal(print('{"a":1,"b":2,"a":3}'), 'a: 3\nb: 2\n');
  const many = Array.from({ length: 100 }, (_, i) => `"k${i % 50}":${i}`);
  const lines = Array.from({ length: 50 }, (_, i) => `k${i}: ${i + 50}\n`);
  assert.equal(print(`{${many.join(',')}}`), lines.join(''));
});

test('encodeYaml() tolerates a newline behind an object, and refuses half of one', () => {
  assert.equal(print('{"a":[]}\n'), 'a: []\n');
  for (const half of ['', '{', '{"a":', '[1,2', '{"a":"b', '{"a":"b\\', '{"a":"\\u00', '"\\n'])
    assert.throws(() => print(half), RangeError, half);
});

test('encodeYaml() walks as deep as the reference, and no deeper', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(print(deep(10_000)), `${'- '.repeat(9_999)}[]\n`);
  assert.throws(() => print(deep(10_001)), new YamlError('yaml: exceeded max depth of 10000'));
  assert.equal(print(deep(9_998), { asSequenceItem: true, enclosing: 2 }), `${'- '.repeat(9_998)}[]\n`);
  assert.throws(() => print(deep(9_999), { enclosing: 2 }), YamlError);
  assert.throws(() => encodeYaml(Buffer.from('['.repeat(1_000_000)), new ByteWriter()), YamlError);
});

test('encodeYaml() stops when a limited writer has enough', () => {
  // 60 KB of JSON whose indentation alone is 100 MB.
  const json = Buffer.from(`${'{"a":'.repeat(10_000 - 1)}{}${'}'.repeat(10_000 - 1)}`);
  const out = new ByteWriter(1024, 1024 * 1024);
  assert.throws(() => encodeYaml(json, out), TooLongError);
  assert.ok(out.length < 2 * 1024 * 1024);
  assert.equal(print('{"a":1}'), 'a: 1\n');
});

test('encodeYaml() takes time in proportion to large values', () => {
  const size = 3 * 1024 * 1024;
  const units = [
    'x',
    ' x',
    'word ',
    ': ',
    ' #',
    '\\n',
    '\\n ',
    '\\u0000',
    '\\"',
    '\\\\',
    '1',
    '1:',
    '0x',
    '1_',
    '-',
    '.',
    '\u0085',
    ' \u0085',
    '\u2028',
    '😀',
    "'",
    '\t'.replace('\t', '\\t'),
  ];
  for (const unit of units) {
    const value = unit.repeat(size / unit.length);
    const began = performance.now();
    print(`{"k":"${value}","l":"a${value}"}`);
    assert.ok(performance.now() - began < 5_000, `${unit}: ${performance.now() - began} ms`);
  }
  const keys = Array.from({ length: 100_000 }, (_, i) => `"prefix-of-a-key-${(i * 7919) % 100_000}":{}`);
  assert.equal(print(`{${keys.join(',')}}`).split('\n')[99_999], 'prefix-of-a-key-99999: {}');
  // Brackets that never lead deep: what is open is looked up, not searched for.
  const wide = `${'['.repeat(5000)}${'{"a":{}},'.repeat(1000)}{}${']'.repeat(5000)}`;
  assert.equal(print(wide).split('\n').length, 1002);
});

function print(json: string, options?: YamlOptions): string {
  const out = new ByteWriter();
  encodeYaml(Buffer.from(json), out, options);
  return Buffer.from(out.take()).toString();
}
