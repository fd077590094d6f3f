// A list longer than any string can be. It takes little room to store: indentation makes thirty bytes of each of its bytes.
import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { test } from 'node:test';
import { WIDGET_DEFINITION } from './list-model.fixture.ts';
import { connect, startRunning } from './running.fixture.ts';

const WIDGETS = '/apis/example.test/v1/namespaces/default/widgets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const COUNT = 76;
const NESTING = 30;
const NUMBERS = 110_000;
/** Of this process, which is the reader, too. */
const GROWTH_MAX_BYTES = 300 * 1024 * 1024;

test('a list longer than any string comes whole, in bounded memory', { timeout: 300_000 }, async (t) => {
  const running = await startRunning({ encodedCacheBytes: 0 });
  const client = connect('HTTP/1.1', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  const write = (path: string, body: string) =>
    client.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await write(DEFINITIONS, JSON.stringify(WIDGET_DEFINITION));
  while ((await client.ask(WIDGETS)).status === 404);
  const deep = '['.repeat(NESTING) + Array(NUMBERS).fill('7').join(',') + ']'.repeat(NESTING);
  for (let n = 0; n < COUNT; n++) {
    const head = `{"apiVersion":"example.test/v1","kind":"Widget","metadata":{"name":"w${n}"}`;
    assert.equal((await write(WIDGETS, `${head},"deep":${deep}}`)).status, 201);
  }
  const before = process.memoryUsage().rss;
  let [bytes, numbers, most] = [0, 0, 0];
  let end: Buffer = Buffer.alloc(0);
  const { status, body } = await client.open(`${WIDGETS}?pretty=true`);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(SEVEN); at >= 0; at = chunk.indexOf(SEVEN, at + 1)) numbers++;
    end = chunk.subarray(-20);
    most = Math.max(most, process.memoryUsage.rss());
  }
  assert.equal(status, 200);
  assert.ok(bytes > constants.MAX_STRING_LENGTH, `${bytes} bytes`);
  assert.ok(numbers >= COUNT * NUMBERS && numbers < COUNT * NUMBERS + 4_000, `${numbers} numbers`);
  assert.match(end.toString(), /\n}$/);
  assert.ok(most - before < GROWTH_MAX_BYTES, `${most - before} bytes more`);
});

/** Besides those that are counted, a few stand in uids, times and names. */
const SEVEN = 0x37;
