// How a watch's bytes arrive: headers at once, each event whole and soon, in gzip only where the state comes first, and streams that end as they should.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createGunzip, gunzipSync } from 'node:zlib';
import {
  type Client,
  CREDENTIALS,
  connect,
  PROTOCOLS,
  type Protocol,
  type Running,
  startRunning,
} from './running.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const STATE_FIRST =
  'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const GZIP = { 'accept-encoding': 'gzip' };
/** What is sent at once is here within this time. */
const SOON_MS = 1_000;

for (const protocol of PROTOCOLS) {
  test(`an empty collection's state is its end alone, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    for (const query of [
      STATE_FIRST,
      `${STATE_FIRST}&resourceVersion=0`,
      'watch=1&allowWatchBookmarks=true',
    ]) {
      const { body } = await client.open(`${MAPS}?${query}`);
      const { type, object } = JSON.parse(await nextLine(body));
      assert.deepEqual([type, object.kind, object.apiVersion], ['BOOKMARK', 'ConfigMap', 'v1']);
      assert.deepEqual(object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
      assert.match(object.metadata.resourceVersion, /^[1-9][0-9]*$/);
      body.destroy();
    }
    const { status } = await client.ask(`${MAPS}?watch=1&sendInitialEvents=true`);
    assert.equal(status, 422);
  });

  test(`an idle watch sends its headers at once, and each event when it is made, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    for (const headers of [{}, GZIP]) {
      const opened = await soon(client.open(`${MAPS}?watch=1`, { headers }), 'headers');
      assert.equal(opened.status, 200);
      assert.equal(opened.headers['content-type'], 'application/json');
      assert.equal(opened.headers['content-encoding'], undefined, 'a plain watch is never compressed');
      for (const name of ['a', 'b', 'c']) {
        await create(client, name);
        assert.equal(JSON.parse(await soon(nextLine(opened.body), name)).object.metadata.name, name);
      }
      opened.body.destroy();
      for (const name of ['a', 'b', 'c']) await client.ask(`${MAPS}/${name}`, { method: 'DELETE' });
    }
  });

  test(`a watch that begins with the state is a gzip member for each flush, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    const value = 'x'.repeat(100_000);
    for (const name of ['a', 'b', 'c']) await create(client, name, value);
    const opened = await client.open(`${MAPS}?${STATE_FIRST}`, { headers: GZIP });
    assert.equal(opened.headers['content-encoding'], 'gzip');
    assert.equal(opened.headers.vary, 'Accept-Encoding');
    const shown = opened.body.pipe(createGunzip());
    for (const name of ['a', 'b', 'c']) {
      const { type, object } = JSON.parse(await soon(nextLine(shown), name));
      assert.deepEqual([type, object.metadata.name, object.data.text], ['ADDED', name, value]);
    }
    assert.equal(JSON.parse(await soon(nextLine(shown), 'bookmark')).type, 'BOOKMARK');
    for (const name of ['d', 'e']) {
      await create(client, name);
      assert.equal(JSON.parse(await soon(nextLine(shown), name)).object.metadata.name, name);
    }
    opened.body.destroy();
  });

  test(`a gzip member has all its data before a flush, so that Go's reader tells it at once, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    await create(client, 'a');
    const { body } = await client.open(`${MAPS}?${STATE_FIRST}&timeoutSeconds=1`, { headers: GZIP });
    const bytes = Buffer.concat(await body.toArray());
    const flushAndLastBlock = '0000ffff010000ffff';
    assert.equal(bytes.subarray(-17, -8).toString('hex'), flushAndLastBlock);
    assert.match(gunzipSync(bytes).toString(), /^{"type":"ADDED",.*}\n{"type":"BOOKMARK",.*}\n$/);
  });

  test(`every line is one event, whatever its values hold, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    const headers = { 'user-agent': 'curl/8.0' };
    const { body } = await client.open(`${MAPS}?watch=1`, { headers });
    const values = ['one\ntwo\r\n', '€ 🚿 \u2028', `${'ä'.repeat(450_000)}`];
    for (const [index, value] of values.entries()) {
      await create(client, `v${index}`, value);
      const line = await nextLine(body);
      assert.ok(
        line.startsWith('{"type":"ADDED","object":{"kind":"ConfigMap"'),
        'not indented, not even for curl',
      );
      assert.equal(JSON.parse(line).object.data.text, value);
    }
    body.destroy();
  });

  test(`a Protobuf watch is frames of a length and a message, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    const headers = { accept: 'application/vnd.kubernetes.protobuf' };
    const { headers: answered, body } = await client.open(`${MAPS}?watch=1&timeoutSeconds=3`, { headers });
    assert.equal(answered['content-type'], 'application/vnd.kubernetes.protobuf;stream=watch');
    await create(client, 'a', 'x'.repeat(900_000));
    await create(client, 'b');
    const bytes = Buffer.concat(await body.toArray());
    const types: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const frame = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at));
      assert.equal(frame[0], 0x0a);
      types.push(frame.subarray(2, 2 + frame[1]!).toString());
      assert.ok(frame.subarray(0, 40).includes('k8s\0'), 'the object, not the frame, has the prefix');
      at += 4 + frame.length;
    }
    assert.deepEqual(types, ['ADDED', 'ADDED']);
  });

  test(`a watch asked for as a list ends at its first event, ${protocol}`, async (t) => {
    const { client } = await start(t, protocol);
    await create(client, 'a');
    const headers = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    const { status, body } = await client.ask(`${MAPS}?watch=1`, { headers });
    assert.deepEqual([status, body.length], [200, 0]);
  });
}

test('a method nobody knows is 405, and what is no request 400', async (t) => {
  const { running } = await start(t, 'HTTP/1.1');
  const path = '/api/v1/namespaces/default/configmaps';
  const refused = await sent(running.server.port, `FOO ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.match(refused, /^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  assert.equal(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n'))).reason, 'MethodNotAllowed');
  assert.match(
    await sent(running.server.port, '\u0001\u0002\u0003\r\n\r\n'),
    /^HTTP\/1\.1 400 Bad Request\r\n/,
  );
});

async function start(t: TestContext, protocol: Protocol): Promise<{ running: Running; client: Client }> {
  const running = await startRunning();
  const client = connect(protocol, running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  return { running, client };
}

async function create(client: Client, name: string, text = ''): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
  const { status, body } = await client.ask(MAPS, { method: 'POST', headers, body: JSON.stringify(object) });
  assert.equal(status, 201, body.toString());
}

/** Without its line break; what comes behind it is left for the next. */
async function nextLine(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk: Buffer | null = body.read();
    if (chunk === null) {
      if (body.readableEnded) throw new Error('the stream has ended');
      await new Promise((resolve) => body.once('readable', resolve));
      continue;
    }
    const end = chunk.indexOf(0x0a);
    if (end < 0) {
      chunks.push(chunk);
      continue;
    }
    if (end + 1 < chunk.length) body.unshift(chunk.subarray(end + 1));
    return Buffer.concat([...chunks, chunk.subarray(0, end)]).toString();
  }
}

async function soon<Result>(result: Promise<Result>, what: string): Promise<Result> {
  const late = pause(SOON_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${what}: not here within ${SOON_MS} ms`);
  });
  return Promise.race([result, late]);
}

/** What is answered to bytes that are sent as they are. */
async function sent(port: number, bytes: string): Promise<string> {
  const socket = connectTls({ ...CREDENTIALS, host: '127.0.0.1', port, ALPNProtocols: ['http/1.1'] });
  socket.write(bytes);
  const chunks: Buffer[] = await socket.toArray();
  return Buffer.concat(chunks).toString();
}
