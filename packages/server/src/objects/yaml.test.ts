// YAML as the Go library reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printJson } from '@sluice/encoding';
import { plainValue, readYaml, YamlError } from './yaml.ts';

const PLAIN: [text: string, json: string][] = [
  ['yes', 'true'],
  ['y', 'true'],
  ['Off', 'false'],
  ['nO', '"nO"'],
  ['tRue', '"tRue"'],
  ['~', 'null'],
  ['Null', 'null'],
  ['nUll', '"nUll"'],
  ['0x10', '16'],
  ['0o17', '15'],
  ['017', '15'],
  ['0b11', '3'],
  ['1_000', '1000'],
  ['+5', '5'],
  ['-0', '0'],
  ['08', '8'],
  ['1e3', '1000'],
  ['.5', '0.5'],
  ['1.', '1'],
  ['-.5e-7', '-5e-8'],
  ['18446744073709551615', '18446744073709551615'],
  ['18446744073709551616', '18446744073709552000'],
  ['1:20', '"1:20"'],
  ['2020-01-01', '"2020-01-01"'],
  ['1e1000', '"1e1000"'],
  ['-', '"-"'],
  ['0b2', '"0b2"'],
];

for (const [text, json] of PLAIN) {
  test(`plainValue() reads ${text} as ${json}`, () => {
    assert.equal(Buffer.from(printJson(plainValue(text))).toString(), json);
  });
}

const DOCUMENTS: [name: string, yaml: string, json: string][] = [
  ['reads the first document only', '---\na: 1\n---\n\tbroken: [', '{"a":1}'],
  ['reads JSON', '{"a":["b",1,true,null]}', '{"a":["b",1,true,null]}'],
  ['takes quotes and tags for text', 'a: "1"\nb: \'yes\'\nc: !!str 1\n', '{"a":"1","b":"yes","c":"1"}'],
  ['folds and keeps blocks', 'a: |\n  x\n  y\nb: >-\n  x\n  y\n', '{"a":"x\\ny\\n","b":"x y"}'],
  ['repeats anchors', 'a: &x {k: v}\nb: *x\n', '{"a":{"k":"v"},"b":{"k":"v"}}'],
  ['merges maps', 'a: &x {k: 1, l: 2}\nb:\n  k: 3\n  <<: *x\n', '{"a":{"k":1,"l":2},"b":{"k":3,"l":2}}'],
  ['makes texts of keys', '1: a\ntrue: b\n', '{"1":"a","true":"b"}'],
  ['reads nothing as null', '', 'null'],
];

for (const [name, yaml, json] of DOCUMENTS) {
  test(`readYaml() ${name}`, async () => {
    const { value } = await readYaml(yaml);
    assert.equal(Buffer.from(printJson(value)).toString(), json);
  });
}

test('readYaml() tells of keys that come twice', async () => {
  const { value, duplicates } = await readYaml('data:\n  a: x\n  a: z\n');
  assert.equal(Buffer.from(printJson(value)).toString(), '{"data":{"a":"z"}}');
  assert.equal(duplicates, 'yaml: unmarshal errors:\n  line 3: key "a" already set in map');
});

test('readYaml() refuses tabs as indentation, with the line', async () => {
  await assert.rejects(
    readYaml('a: b\nc: d\n\te: {}\n'),
    new YamlError('yaml: line 3: found a tab character that violates indentation'),
  );
});

test('readYaml() refuses anchors that would grow without end', async () => {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
  for (let level = 1; level < 9; level++) {
    const before = String.fromCharCode(96 + level);
    const alias = `*${before}`;
    lines.push(
      `${String.fromCharCode(97 + level)}: &${String.fromCharCode(97 + level)} [${Array(10).fill(alias).join(',')}]`,
    );
  }
  await assert.rejects(readYaml(lines.join('\n')), /excessive aliasing/);
  await assert.rejects(readYaml('a: &a [*a]'), /contains itself/);
});

test('readYaml() reads a document that takes more than one slice', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `k${index}: "value ${index}"`);
  const { value } = await readYaml(lines.join('\n'));
  assert.equal(value instanceof Map && value.size, 5000);
  assert.equal(value instanceof Map && value.get('k4999'), 'value 4999');
});

test('readYaml() reads a long document the same, wherever its slices end', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `  l${i}:\n  - name: z\n    value: the same\n`);
  const text = `a:\n${lines.join('')}`;
  const { value } = await readYaml(text);
  const expected = printJson(value);
  assert.equal(expected.length, 20_397);
  for (let shift = 1; shift < 50; shift++) {
    const shifted = await readYaml(`#${'-'.repeat(shift)}\n${text}`);
    assert.deepEqual(printJson(shifted.value), expected, `${shift}`);
  }
});

test('readYaml() gives up where nesting would exhaust the stack, however it is written', async () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  await readYaml(`a: ${nested(240)}`);
  const aliases = Array.from(
    { length: 20 },
    (_, i) => `a${i}: &a${i} ${'['.repeat(90)}*a${i - 1}${']'.repeat(90)}`,
  );
  for (const text of [
    `a: ${nested(260)}`,
    `a: ${'['.repeat(100_000)}`,
    '{a: '.repeat(100_000),
    '- '.repeat(100_000),
    '? '.repeat(100_000),
    ['a0: &a0 x', ...aliases.slice(1)].join('\n'),
  ]) {
    await assert.rejects(readYaml(text), /^YamlError: yaml: exceeded max depth of 250$/, text.slice(0, 20));
  }
});
