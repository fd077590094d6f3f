// The scan for what YAML can't show against the encoder, which finds the same on its way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../json/writer.ts';
import { yamlProblem } from './problem.ts';
import { encodeYaml } from './value.ts';

const CONTROL = 'yaml: control characters are not allowed';
const KEY = "yaml: did not find expected ',' or '}'";

test('yamlProblem() finds the characters YAML refuses, raw but not escaped', () => {
  for (const code of [0x7f, 0x80, 0x84, 0x86, 0x9f, 0xfffe, 0xffff]) {
    const character = String.fromCharCode(code);
    assert.equal(yamlProblem(Buffer.from(`{"a":"b${character}"}`)), CONTROL, `${code}`);
    assert.equal(yamlProblem(Buffer.from(`{"a${character}":1}`)), CONTROL, `${code}`);
    const escaped = `\\u${code.toString(16).padStart(4, '0')}`;
    assert.equal(yamlProblem(Buffer.from(`{"a":"b${escaped}"}`)), undefined, escaped);
  }
  for (const fine of ['\u0085', '\u00a0', '\u2028', '\ufeff', '\ufffd', '\u{1fffe}', 'é']) {
    assert.equal(yamlProblem(Buffer.from(`{"a":"b${fine}"}`)), undefined, fine);
  }
});

test('yamlProblem() finds escapes only JSON has', () => {
  assert.equal(yamlProblem(Buffer.from('{"a":"\\/"}')), 'yaml: found unknown escape character');
  for (const surrogate of ['\\ud83d', '\\uD83D\\uDE00']) {
    assert.equal(
      yamlProblem(Buffer.from(`{"a":"${surrogate}"}`)),
      'yaml: found invalid Unicode character escape code',
    );
  }
  assert.equal(yamlProblem(Buffer.from('{"a":"\\\\ud83d\\\\/"}')), undefined);
});

test('yamlProblem() finds a key of more than 1024 characters with its quotes, wherever it stands', () => {
  const fillers = [
    '',
    '"a":1,',
    `"a":"${'v'.repeat(3000)}",`,
    `"a":[${'1,'.repeat(700)}1],`,
    '"b\\\\":"\\\\\\"",',
  ];
  for (const unit of ['k', 'é', '\\"', '\\\\', '\\n', ':']) {
    const characters = unit.length;
    for (const length of [1000, 1020, 1021, 1022, 1023, 1024, 1100]) {
      const key = unit.repeat(Math.floor(length / characters)) + 'x'.repeat(length % characters);
      for (const before of fillers) {
        for (const after of ['', ',"c":"d"', `,"c":"${'w'.repeat(3000)}"`]) {
          const json = Buffer.from(`{${before}"${key}":1${after}}`);
          assert.equal(
            yamlProblem(json),
            length > 1022 ? KEY : undefined,
            `${unit} ${length} ${before.length}`,
          );
          assert.equal(yamlProblem(Buffer.from(`{${before}"k":"${key}"${after}}`)), undefined);
        }
      }
    }
  }
});

test('yamlProblem() finds a key that is broken by U+0085, and counts lines', () => {
  assert.equal(yamlProblem(Buffer.from('{"a\u0085":1}')), "yaml: line 1: did not find expected ',' or '}'");
  assert.equal(
    yamlProblem(Buffer.from('{"a":"\u0085\u0085","b\u0085":1}')),
    "yaml: line 3: did not find expected ',' or '}'",
  );
  assert.equal(
    yamlProblem(Buffer.from('{"a":"x\u0085--- y"}')),
    'yaml: line 2: found unexpected document indicator',
  );
});

test('yamlProblem() counts the brackets around a value', () => {
  const deep = Buffer.from('['.repeat(9_999) + ']'.repeat(9_999));
  assert.equal(yamlProblem(deep), undefined);
  assert.equal(yamlProblem(deep, 1), undefined);
  assert.equal(yamlProblem(deep, 2), 'yaml: exceeded max depth of 10000');
});

test('yamlProblem() says what encodeYaml() throws', () => {
  const parts = [
    '"k":1',
    '"k":"\u007f"',
    '"\u0085":1',
    '"a":"\u0085\\/"',
    `"${'k'.repeat(1023)}":{}`,
    '"a":"\\ud800"',
  ];
  for (const first of parts) {
    for (const second of parts) {
      const json = Buffer.from(`{${first},${second}}`);
      let message: string | undefined;
      try {
        encodeYaml(json, new ByteWriter());
      } catch (error) {
        message = (error as Error).message;
      }
      assert.equal(yamlProblem(json), message, json.toString());
    }
  }
});
