// Merge patches: RFC 7386's table as far as it patches objects, and where the reference goes its own way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseJson, printJson } from '@sluice/encoding';
import { applyMergePatch } from './merge-patch.ts';

const CASES: [name: string, document: string, patch: string, result: string][] = [
  ['replaces a member', '{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['adds a member', '{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['removes a member', '{"a":"b"}', '{"a":null}', '{}'],
  ['removes one of two', '{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['replaces a list by a text', '{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['replaces a text by a list', '{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['merges objects', '{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['replaces lists as a whole', '{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['keeps nulls that were there', '{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
  ['adds objects without their nulls', '{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['takes nulls out of the objects of lists', '{}', '{"a":[{"b":null,"c":1},null]}', '{"a":[{"c":1},null]}'],
  ['leaves a list alone that replaces an object', '{"a":{}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
  [
    'sorts what it touches',
    '{"b":{"z":1,"a":2},"a":{"z":1,"a":2}}',
    '{"a":{"m":3}}',
    '{"a":{"a":2,"m":3,"z":1},"b":{"z":1,"a":2}}',
  ],
  ['takes any name', '{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  [
    'keeps numbers as they are spelled',
    '{"n":1.0}',
    '{"m":9007199254740993}',
    '{"m":9007199254740993,"n":1.0}',
  ],
];

for (const [name, document, patch, result] of CASES) {
  test(`applyMergePatch() ${name}`, () => {
    const target = parse(document);
    applyMergePatch(target, parse(patch));
    assert.equal(Buffer.from(printJson(target)).toString(), result);
  });
}

function parse(text: string): JsonObject {
  return parseJson(Buffer.from(text)) as JsonObject;
}
