// The operations of a JSON patch: RFC 6902's own cases, and what the reference makes of the odd ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonValue, parseJson, printJson } from '@sluice/encoding';
import { applyJsonPatch, PatchError } from './json-patch.ts';

/** What a patch makes of a document; null: it can't be applied. */
const CASES: [name: string, document: string, patch: string, result: string | null][] = [
  [
    'adds a member',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux"}]',
    '{"foo":"bar","baz":"qux"}',
  ],
  [
    'adds an element',
    '{"foo":["bar","baz"]}',
    '[{"op":"add","path":"/foo/1","value":"qux"}]',
    '{"foo":["bar","qux","baz"]}',
  ],
  ['removes a member', '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
  [
    'removes an element',
    '{"foo":["bar","qux","baz"]}',
    '[{"op":"remove","path":"/foo/1"}]',
    '{"foo":["bar","baz"]}',
  ],
  ['replaces', '{"baz":"qux"}', '[{"op":"replace","path":"/baz","value":"boo"}]', '{"baz":"boo"}'],
  [
    'moves a member',
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  ],
  [
    'moves an element',
    '{"foo":["all","grass","cows","eat"]}',
    '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    '{"foo":["all","cows","eat","grass"]}',
  ],
  [
    'tests',
    '{"baz":"qux","foo":["a",2,"c"]}',
    '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    '{"baz":"qux","foo":["a",2,"c"]}',
  ],
  ['tests in vain', '{"baz":"qux"}', '[{"op":"test","path":"/baz","value":"bar"}]', null],
  [
    'adds an object',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    '{"foo":"bar","child":{"grandchild":{}}}',
  ],
  [
    'ignores members it does not know',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
    '{"foo":"bar","baz":"qux"}',
  ],
  ['adds to nothing', '{"foo":"bar"}', '[{"op":"add","path":"/baz/bat","value":"qux"}]', null],
  [
    'unescapes',
    '{"/":9,"~1":10}',
    '[{"op":"test","path":"/~01","value":10},{"op":"test","path":"/~1","value":9}]',
    '{"/":9,"~1":10}',
  ],
  ['tells texts from numbers', '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":"10"}]', null],
  [
    'adds an array',
    '{"foo":["bar"]}',
    '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
    '{"foo":["bar",["abc","def"]]}',
  ],
  [
    'tests objects in any order',
    '{"a":{"x":1,"y":2}}',
    '[{"op":"test","path":"/a","value":{"y":2,"x":1}}]',
    '{"a":{"x":1,"y":2}}',
  ],
  [
    'takes absence for null',
    '{}',
    '[{"op":"test","path":"/a","value":null},{"op":"test","path":"/a"}]',
    '{}',
  ],
  ['replaces what is not there', '{}', '[{"op":"replace","path":"/a","value":1}]', '{"a":1}'],
  ['replaces the whole', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
  ['can not add the whole', '{"a":1}', '[{"op":"add","path":"","value":{}}]', null],
  [
    'counts from the end',
    '{"a":[1,2,3]}',
    '[{"op":"remove","path":"/a/-1"},{"op":"replace","path":"/a/-2","value":9}]',
    '{"a":[9,2]}',
  ],
  ['reads leading zeros', '{"a":[1,2]}', '[{"op":"add","path":"/a/01","value":9}]', '{"a":[1,9,2]}'],
  ['knows the end of a list', '{"a":[1]}', '[{"op":"add","path":"/a/2","value":9}]', null],
  ['replaces only what a list has', '{"a":[1]}', '[{"op":"replace","path":"/a/1","value":9}]', null],
  [
    'does not look at what precedes the first slash',
    '{"k":1}',
    '[{"op":"add","path":"data/k","value":2}]',
    '{"k":2}',
  ],
  ['removes only what is there', '{}', '[{"op":"remove","path":"/a"}]', null],
  [
    'copies',
    '{"a":{"b":[1]}}',
    '[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/b/-","value":2}]',
    '{"a":{"b":[1]},"c":{"b":[1,2]}}',
  ],
  ['copies absence as null', '{}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"b":null}'],
  ['can not move what is not there', '{}', '[{"op":"move","from":"/a","path":"/b"}]', null],
  ['can not move into what it moves', '{"a":{}}', '[{"op":"move","from":"/a","path":"/a/b"}]', null],
  [
    'keeps numbers as they are spelled',
    '{"a":9007199254740993}',
    '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/c","value":1.0}]',
    '{"a":9007199254740993,"b":9007199254740993,"c":1.0}',
  ],
  [
    'adds a member of any name',
    '{}',
    '[{"op":"add","path":"/__proto__","value":{"x":1}}]',
    '{"__proto__":{"x":1}}',
  ],
  ['refuses operations nobody knows', '{}', '[{"op":"frob","path":"/a"}]', null],
  ['refuses operations that are none', '{}', '[null]', null],
  ['refuses an operation without a path', '{}', '[{"op":"add","value":1}]', null],
  ['refuses a path through a text', '{"a":"text"}', '[{"op":"add","path":"/a/b","value":1}]', null],
];

for (const [name, document, patch, result] of CASES) {
  test(`applyJsonPatch() ${name}`, () => {
    const operations = parse(patch) as JsonValue[];
    if (result === null) assert.throws(() => applyJsonPatch(parse(document), operations), PatchError);
    else assert.equal(print(applyJsonPatch(parse(document), operations)), result);
  });
}

test('applyJsonPatch() leaves the patch as it was, so that it can be applied again', () => {
  const operations = parse(
    '[{"op":"add","path":"/a","value":{"l":[]}},{"op":"add","path":"/a/l/-","value":1}]',
  ) as JsonValue[];
  assert.equal(print(applyJsonPatch(parse('{}'), operations)), '{"a":{"l":[1]}}');
  assert.equal(print(applyJsonPatch(parse('{}'), operations)), '{"a":{"l":[1]}}');
});

test('applyJsonPatch() gives up before copies fill the memory', () => {
  const doubling = '{"op":"copy","from":"/a","path":"/a/-"}';
  const operations = parse(`[${Array(60).fill(doubling).join(',')}]`) as JsonValue[];
  assert.throws(() => applyJsonPatch(parse('{"a":["0123456789"]}'), operations), /too large/);
});

function parse(text: string): JsonValue {
  return parseJson(Buffer.from(text));
}

function print(value: JsonValue): string {
  return Buffer.from(printJson(value)).toString();
}
