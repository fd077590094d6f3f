// Runs the README's examples, each block as the file it says it is, and holds what they answer to what they promise.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { splitList } from './list.ts';
import { checkThings, readReadme } from './readme.fixture.ts';

/** Inside the package, so that its name is found by itself. */
const folder = mkdtempSync(fileURLToPath(new URL('../dist/readme-', import.meta.url)));
after(() => rmSync(folder, { recursive: true }));

const { text: readme, blocks } = readReadme();
for (const [name, code] of blocks) writeFileSync(join(folder, name), code);

test('every block of JavaScript in README.md is a file that is run here', () => {
  assert.equal(readme.split('```js').length - 1, blocks.size);
  assert.deepEqual([...blocks.keys()], ['answer.js', 'http.js', 'fastify.js', 'formats.js', 'stitched.js']);
});

test('the example on node:http streams its list, plain and compressed', async () => {
  const { server } = await load<{ server: Server }>('http.js');
  try {
    await checkThings(`http://localhost:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
  }
});

test('the example on Fastify streams its list, plain and compressed', async () => {
  type App = { server: Server; close(): Promise<void> };
  const { app } = await load<{ app: App }>('fastify.js');
  try {
    await checkThings(`http://localhost:${(app.server.address() as AddressInfo).port}/things`);
  } finally {
    await app.close();
  }
});

test('the examples of other representations give the bytes the reference gives', async () => {
  type Write = (bytes: Uint8Array) => void;
  const { pretty, yaml, cbor, protobuf } = await load<{
    pretty(list: Uint8Array, write: Write): void;
    yaml(list: Uint8Array, write: Write): void;
    cbor(envelope: Uint8Array, items: readonly Uint8Array[], write: Write): void;
    protobuf(type: object, metadata: object, messages: readonly Uint8Array[], write: Write): void;
  }>('formats.js');
  const gathered = (run: (write: Write) => void): Buffer => {
    const written: Uint8Array[] = [];
    run((bytes) => written.push(Buffer.from(bytes)));
    return Buffer.concat(written);
  };
  const metadata = '{"resourceVersion":"7"}';
  const list = Buffer.from(
    `{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[{"data":{"k":"yes"}},{}]}`,
  );
  const items = [...splitList(list)!.items];
  const envelope = Buffer.from(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata}}`);
  assert.equal(
    gathered((write) => pretty(list, write)).toString(),
    JSON.stringify(JSON.parse(list.toString()), null, 2),
  );
  assert.equal(
    gathered((write) => yaml(list, write)).toString(),
    'apiVersion: v1\nitems:\n- data:\n    k: "yes"\n- {}\nkind: ConfigMapList\nmetadata:\n  resourceVersion: "7"\n',
  );
  const none = Buffer.from('{"metadata":{},"items":[]}');
  assert.equal(gathered((write) => yaml(none, write)).toString(), 'items: []\nmetadata: {}\n');
  assert.equal(
    gathered((write) => cbor(envelope, items, write)).toString('latin1'),
    '\xd9\xd9\xf7\xa4Dkind\x4dConfigMapListEitems\x82\xa1Ddata\xa1AkCyes\xa0Hmetadata\xa1OresourceVersionA7JapiVersionBv1',
  );
  // The vector of KEP-5116's own test of a list without items.
  assert.equal(
    gathered((write) =>
      protobuf({ apiVersion: 'v1', kind: 'List' }, { resourceVersion: '2345', continue: '' }, [], write),
    ).toString('hex'),
    '6b3873000a0a0a02763112044c697374120c0a0a0a00120432333435' + '1a00' + '1a002200',
  );
});

test('the example of stitched gzip is one gzip member', async () => {
  const { body } = await load<{ body: Uint8Array }>('stitched.js');
  assert.equal(gunzipSync(body).toString(), '{"items":[{"name":"a"},{"name":"b"}]}');
});

async function load<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(join(folder, name)).href)) as Exports;
}
