// JSONPath: every path against what the reference made of it in columns of five types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { customKind } from './custom-kind.fixture.ts';
import { JsonPathError, parseJsonPath } from './json-path.ts';
import { tableOf } from './table.ts';

type Recorded = { path: string; columns: number; rows: Record<string, { now: number; row: string }> };

const TYPES = ['string', 'integer', 'number', 'boolean', 'date'];
const [head = '', ...lines] = readFileSync(
  new URL('../../testdata/json-paths.ndjson', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n');
const { items }: { items: Record<string, string> } = JSON.parse(head);

test('tableOf() shows what the reference shows for a path', () => {
  for (const { path, columns, rows } of lines.map((line): Recorded => JSON.parse(line))) {
    const kind = customKind(
      'jp.test',
      'ps',
      'P',
      TYPES.map((type) => ({ name: type, type, jsonPath: path })),
    );
    const table = tableOf(kind);
    assert.equal(JSON.parse(Buffer.from(table.columns).toString()).length, columns + 1, path);
    for (const [name, { now, row }] of Object.entries(rows)) {
      const made = table.row(Buffer.from(items[name]!), new Date(now), 'None', 'v1');
      assert.equal(made.toString(), row, `${path} of ${name}`);
    }
  }
});

test('tableOf() takes the members of a map in order where the reference takes any', () => {
  const shown = (jsonPath: string): string => {
    const kind = customKind('jp.test', 'ps', 'P', [{ name: 'c', type: 'string', jsonPath }]);
    const item = Buffer.from('{"metadata":{"name":"x"},"spec":{"b":{"n":1},"a":[{"n":"y"}]}}');
    return tableOf(kind).row(item, new Date(0), 'None', 'v1').toString();
  };
  assert.equal(shown('.spec.*'), '{"cells":["x","[{\\"n\\":\\"y\\"}]"],"object":null}');
  assert.equal(shown('.spec..n'), '{"cells":["x","y"],"object":null}');
});

test('tableOf() shows the columns before one whose path is none', () => {
  const kind = customKind('jp.test', 'ps', 'P', [
    { name: 'a', type: 'string', jsonPath: '.a' },
    { name: 'b', type: 'string', jsonPath: '.b[' },
    { name: 'c', type: 'string', jsonPath: '.c' },
  ]);
  const row = tableOf(kind).row(Buffer.from('{"a":"1","c":"3"}'), new Date(0), 'None', 'v1');
  assert.equal(row.toString(), '{"cells":["","1"],"object":null}');
});

test('parseJsonPath() says what is wrong with a path', () => {
  const cases: [string, string][] = [
    ['.a[', 'unterminated array'],
    ['.a[x]', 'invalid array index x'],
    ['.a[-]', 'array index - is not a number'],
    ['.a....b', 'invalid multiple recursive descent'],
    ['.a "b', 'unterminated quoted string'],
    ['.a "\\q"', 'invalid escape \\q'],
    ['.a "\\U00110000"', 'invalid escape \\U00110000'],
    ['.a[?(@.b==1)', 'unclosed array expect ]'],
    ['.a[?(@.b==1', 'unterminated filter'],
    ['.a ^', 'unrecognized character in action: ^'],
    ['.a +', 'cannot parse number +'],
  ];
  for (const [path, message] of cases) {
    assert.throws(() => parseJsonPath(path), new JsonPathError(message), path);
  }
});

test('parseJsonPath() reads a deep path without recursion into the stack', () => {
  assert.equal(parseJsonPath('.a'.repeat(100_000)).length, 100_000);
});
