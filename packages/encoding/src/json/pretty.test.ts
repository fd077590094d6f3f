// Indented JSON against JSON.stringify's own indenting, which agrees with Go's but for empty objects and lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Indenter, indentJson } from './pretty.ts';

test('indentJson() indents any value by two spaces', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(indented(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
});

test('indentJson() keeps strings and numbers as they are spelled, and empty objects and lists inline', () => {
  assert.equal(
    indented('{"a":1.0,"b":"{\\"x\\":[1,2]}","c":{},"d":[],"e":[{}]}\n'),
    '{\n  "a": 1.0,\n  "b": "{\\"x\\":[1,2]}",\n  "c": {},\n  "d": [],\n  "e": [\n    {}\n  ]\n}',
  );
});

test('indentJson() begins at the depth it is told', () => {
  assert.equal(indented('{"a":1}', 2), '{\n      "a": 1\n    }');
});

test('indentJson() gives room to text that grows beyond twice its length', () => {
  const deep = `${'['.repeat(300)}1${']'.repeat(300)}`;
  assert.equal(indented(deep), JSON.stringify(JSON.parse(deep), null, 2));
});

test('Indenter gives pieces of bounded size, however deep its input is', () => {
  const deep = Buffer.from(`${'['.repeat(1000)}${'1,'.repeat(1000)}1${']'.repeat(1000)}`);
  let bytes = 0;
  for (const piece of new Indenter().indent(deep)) {
    assert.ok(piece.length < 200_000, `${piece.length} bytes at once`);
    bytes += piece.length;
  }
  assert.equal(bytes, JSON.stringify(JSON.parse(deep.toString()), null, 2).length);
});

function indented(json: string, depth = 0): string {
  return Buffer.from(indentJson(Buffer.from(json), depth)).toString();
}
