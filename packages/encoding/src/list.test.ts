// Lists are streamed exactly when the reference streams them, and the bytes never depend on it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type List, splitList, streamList } from './list.ts';

type Row = { id: string; kind: string; json: string; writes: number; why?: string };

/** Go streams these by their type: what is null has no items to cut, and text isn't an object to anybody else. */
const NOT_TOLD = /"items":(null|\["text)/;

const rows = readFileSync(new URL('../testdata/json-lists.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

test('streamList() cuts what the reference cuts, writes the rest whole, and changes no byte', async () => {
  assert.equal(rows.length, 354);
  for (const { id, json, writes, why } of rows) {
    const body = Buffer.from(json, 'base64');
    const written = await writesOf(body.subarray(0, -1));
    assert.deepEqual(Buffer.concat(written), body, id);
    if (why === undefined && !NOT_TOLD.test(String(body)))
      assert.equal(written.length > 1, writes > 1, `${id}: ${written.length} writes`);
  }
});

test('streamList() writes head, items, commas and tail', async () => {
  const list = Buffer.from('{"kind":"L","apiVersion":"v1","metadata":{},"items":[{"a":1},{"b":[{}]}]}');
  assert.deepEqual((await writesOf(list)).map(String), [
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":[',
    '{"a":1}',
    ',',
    '{"b":[{}]}',
    ']}\n',
  ]);
});

test('streamList() makes of a list in parts the bytes the reference makes of the whole', async () => {
  let compared = 0;
  for (const { id, kind, json, writes } of rows) {
    if (!kind.startsWith('typed') || writes === 1) continue;
    const body = Buffer.from(json, 'base64');
    if (body.includes('"items":["text"')) continue;
    const value = JSON.parse(body.toString()) as Record<string, unknown>;
    const items = value.items === null ? null : [...splitList(body.subarray(0, -1))!.items];
    const from = body.indexOf('"metadata":') + '"metadata":'.length;
    const metadata = body.subarray(from, body.indexOf(',"items":', from));
    const { kind: name, apiVersion } = value as { kind?: string; apiVersion?: string };
    const parts: List = { ...(name && { kind: name }), ...(apiVersion && { apiVersion }), metadata, items };
    assert.deepEqual(Buffer.concat(await writesOf(parts)), body, id);
    if (items !== null) {
      const later: List = { ...parts, items: eventually(items) };
      assert.deepEqual(Buffer.concat(await writesOf(later)), body, id);
    }
    compared++;
  }
  assert.ok(compared > 100, `${compared} lists`);
});

test('splitList() gives nothing for what is nearly a list', () => {
  const list = '{"kind":"L","apiVersion":"v1","metadata":{},"items":[{}]}';
  assert.ok(splitList(Buffer.from(list)));
  for (const nearly of [
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":[{}],"extra":1}',
    '{"apiVersion":"v1","kind":"L","metadata":{},"items":[{}]}',
    '{"kind":"L","apiVersion":"v1","items":[{}],"metadata":{}}',
    '{"kind":"L","apiVersion":"v1","metadata":{},"elements":[{}]}',
    '{"kind":"L","apiVersion":"v1","metadata":null,"items":[{}]}',
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":{}}',
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":null}',
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":["text"]}',
    '{"kind":"L","apiVersion":"v1","metadata":{},"items":[{},1]}',
    '{"kind":"L","kind":"L","apiVersion":"v1","metadata":{},"items":[]}',
    '{"metadata":{},"metadata":{},"items":[]}',
    '{"metadata":{},"items":[{}]',
    '{"metadata":{},"items":[{}',
    '{ "metadata":{},"items":[{}]}',
    '{"metadata":{}, "items":[{}]}',
    '{"metadata":{},"items":[{}]}\n',
    '[{"metadata":{},"items":[]}]',
    '{}',
    'null',
    '',
  ]) {
    assert.equal(splitList(Buffer.from(nearly)), undefined, nearly);
  }
});

test('streamList() writes any bytes as they are, list or not', async () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"items"', '"metadata"', '"kind"', 'null', '{}', '"\\"', ' '];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), async (parts) => {
      const bytes = Buffer.from(parts.join(''));
      assert.equal(Buffer.concat(await writesOf(bytes)).toString(), `${bytes}\n`);
    }),
  );
});

test('streamList() asks for no item while there is no room', async () => {
  let given = 0;
  let inHand = 0;
  function* items(): Generator<Uint8Array> {
    for (; given < 100; given++) {
      assert.equal(inHand, 0);
      yield Buffer.from('{}');
    }
  }
  await streamList({ metadata: Buffer.from('{}'), items: items() }, async () => {
    inHand++;
    await new Promise(setImmediate);
    inHand--;
  });
  assert.equal(given, 100);
});

test('streamList() rejects with what an item or a write throws', async () => {
  const items = (function* (): Generator<Uint8Array> {
    yield Buffer.from('{}');
    throw new Error('no more');
  })();
  const written: Uint8Array[] = [];
  const put = (bytes: Uint8Array): undefined => void written.push(bytes);
  await assert.rejects(streamList({ metadata: Buffer.from('{}'), items }, put), { message: 'no more' });
  assert.equal(Buffer.concat(written).toString(), '{"metadata":{},"items":[{}');
  await assert.rejects(
    streamList(Buffer.from('{}'), () => Promise.reject(new Error('gone'))),
    { message: 'gone' },
  );
});

async function writesOf(list: List | Uint8Array): Promise<Buffer[]> {
  const written: Buffer[] = [];
  await streamList(list, (bytes) => void written.push(Buffer.from(bytes)));
  return written;
}

async function* eventually(items: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}
