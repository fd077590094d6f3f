// YAML against what the reference's libraries print for the same JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eachMember, findMember, skipValue } from '../json/member.ts';
import { quote } from '../json/quote.ts';
import { ByteWriter } from '../json/writer.ts';
import { YamlError } from './errors.ts';
import { encodeYamlItem, yamlItemProblem, yamlListFrame } from './list.ts';
import { yamlProblem } from './problem.ts';
import { encodeYaml } from './value.ts';

type ScalarCase = { in: string; errors?: Record<string, string> } & Record<string, string>;
type MapCase = { in: string; out?: string; differentOutputsSeen?: number };
type ValueCase = { in: string; out?: string; error?: string };
type ListCase = { id: string; json: string; yaml?: string; error?: string };

test('encodeYaml() prints every string as the reference does, wherever it stands', () => {
  for (const scalar of vectors<ScalarCase>('yaml-scalars')) {
    const text = quote(scalar.in);
    const places: Record<string, string> = {
      value: `{"k":${text}}`,
      key: `{${text}:"v"}`,
      nested: `{"metadata":{"annotations":{"some.example/key":${text}}}}`,
      item: `{"items":[{"args":[${text},"z"]}]}`,
    };
    for (const [place, json] of Object.entries(places)) {
      assert.equal(print(json), scalar.errors?.[place] ?? scalar[place], `${text} as ${place}`);
    }
  }
});

test('encodeYaml() sorts and indents as the reference does', () => {
  for (const { in: json, out, differentOutputsSeen } of vectors<MapCase>('yaml-maps')) {
    const printed = print(json);
    if (differentOutputsSeen === undefined) {
      assert.equal(printed, out, json);
    } else {
      const lines = Object.entries(JSON.parse(json)).map(([key, value]) => `${key}: ${value}`);
      assert.deepEqual(printed.trimEnd().split('\n').sort(), lines.sort(), json);
    }
  }
});

test('encodeYaml() prints random values as the reference does, and yamlProblem() knows which fail', () => {
  for (const { in: json, out, error } of vectors<ValueCase>('yaml-values')) {
    assert.equal(print(json), error ?? out, json);
    assert.equal(yamlProblem(Buffer.from(json)), error, json);
  }
});

test('encodeYaml() prints an object of every kind, full and empty', () => {
  for (const { name, json, yaml } of vectors<{ name: string; json: string; yaml: string }>('yaml-kinds')) {
    assert.equal(print(json), yaml, name);
    assert.equal(yamlProblem(Buffer.from(json)), undefined, name);
  }
});

test('encodeYaml() prints whole lists', () => {
  for (const { id, json, yaml, error } of vectors<ListCase>('yaml-lists'))
    assert.equal(print(json), error ?? yaml, id);
});

test('encodeYamlItem() between head and tail gives the bytes of the whole list', () => {
  let stitched = 0;
  for (const { id, json, yaml, error } of vectors<ListCase>('yaml-lists')) {
    const bytes = Buffer.from(json);
    const span = findMember(bytes, 0, 'items');
    if (!span || bytes[span.start] !== OPEN_BRACKET || !hasOneItemsKey(bytes)) continue;
    const items = elements(bytes, span.start);
    const problems = items.map(yamlItemProblem).filter((problem) => problem !== undefined);
    assert.equal(problems[0], error, id);
    if (error !== undefined) continue;
    const around = Buffer.concat([
      bytes.subarray(0, span.start),
      Buffer.from('[]'),
      bytes.subarray(span.end),
    ]);
    const { head, tail, empty } = yamlListFrame(around);
    const out = new ByteWriter();
    for (const item of items) encodeYamlItem(item, out);
    const body = items.length === 0 ? empty : Buffer.concat([head, out.take(), tail]);
    assert.equal(body.toString(), yaml, id);
    stitched++;
  }
  assert.ok(stitched > 250, `${stitched} lists`);
});

const OPEN_BRACKET = 0x5b;

/** What is printed, or the error's message. */
function print(json: string): string {
  const out = new ByteWriter();
  try {
    encodeYaml(Buffer.from(json), out);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    assert.equal(out.length, 0);
    return error.message;
  }
  return Buffer.from(out.take()).toString();
}

function vectors<T>(name: string): T[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function elements(bytes: Buffer, array: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = array + 1; bytes[at] !== OPEN_BRACKET + 2; ) {
    const end = skipValue(bytes, at);
    found.push(bytes.subarray(at, end));
    at = bytes[end] === OPEN_BRACKET + 2 ? end : end + 1;
  }
  return found;
}

function hasOneItemsKey(bytes: Buffer): boolean {
  let count = 0;
  eachMember(bytes, 0, (start, end) => {
    if (bytes.toString('utf8', start, end) === 'items') count++;
    return true;
  });
  return count === 1;
}
