// Bodies that were once read or shown in another way than the Go libraries do; reference/differential finds more.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Answer, differences } from './differential.fixture.ts';

const answers = readFileSync(new URL('../testdata/differential.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);

test('bodies that differed once are read and shown as the Go libraries do', () => {
  const compared = new Map<string, number>();
  for (const answer of answers) {
    const found = differences(answer, (what) => compared.set(what, (compared.get(what) ?? 0) + 1));
    assert.deepEqual(found, [], `body ${answer.n}: ${answer.kind} from ${answer.from}`);
  }
  for (const what of ['JSON', 'indented JSON', 'YAML', 'CBOR', 'Protobuf', 'metadata', 'stored', 'error']) {
    assert.ok(
      [...compared.keys()].some((name) => name.endsWith(what)),
      `${what} was compared`,
    );
  }
});

test('differences() sees a byte that differs, and an error that was not expected', () => {
  const answer = answers.find(({ json, protobuf }) => json !== undefined && protobuf !== undefined)!;
  const changed = (text: string): string => {
    const bytes = Buffer.from(text, 'base64');
    bytes[bytes.length - 4]! ^= 1;
    return bytes.toString('base64');
  };
  const whats = (other: Answer): string[] => differences(other, () => {}).map(({ what }) => what);
  assert.deepEqual(whats({ ...answer, protobuf: changed(answer.protobuf!) }), ['Protobuf']);
  assert.deepEqual(whats({ ...answer, error: 'unexpected EOF' }), [`${answer.from}: error`]);
  assert.ok(whats({ ...answer, body: '' }).includes(`${answer.from}: error`));
});
