// Connections that have nothing to do are ended, those that serve are not, and headers of 1 MiB find room in HTTP/2's frames.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import { connectRaw, FRAME } from './http2-frames.fixture.ts';
import { CREDENTIALS, connect, PROTOCOLS, type Running, startRunning } from './running.fixture.ts';

const IDLE_MS = 200;
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const COMPRESSION_ERROR = 9;
/** Lists of so many are more than sockets hold. */
const LISTED = 60;
const TEXT_BYTES = 200_000;

test('a connection without a request is ended, HTTP/1.1', async (t) => {
  const { server } = await open(t, IDLE_MS);
  const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port: server.port });
  socket.resume();
  await once(socket, 'secureConnect');
  socket.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
});

test('a connection without a request is ended, HTTP/2', async (t) => {
  const { server } = await open(t, IDLE_MS);
  const session = http2.connect(`https://127.0.0.1:${server.port}`, CREDENTIALS);
  const stream = session.request({ ':path': '/version' });
  stream.resume();
  await once(stream, 'end');
  await once(session, 'close');
});

test('of the ciphers that both have, the one with the short key is taken, and others where that is all', async (t) => {
  const { server } = await open(t, IDLE_MS);
  for (const [ciphers, taken] of [
    [tls.DEFAULT_CIPHERS, 'TLS_AES_128_GCM_SHA256'],
    ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ] as const) {
    const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port: server.port, ciphers });
    await once(socket, 'secureConnect');
    assert.equal(socket.getCipher().name, taken);
    socket.destroy();
  }
});

for (const protocol of PROTOCOLS) {
  test(`a watch without events outlives what ends an idle connection, ${protocol}`, async (t) => {
    const { server, store } = await open(t, IDLE_MS);
    const client = connect(protocol, server.port);
    t.after(() => client.close());
    const { body } = await client.open(`${COLLECTION}?watch=1&resourceVersion=${store.revision}`);
    await new Promise((resolve) => setTimeout(resolve, 3 * IDLE_MS));
    const other = connect(protocol, server.port);
    t.after(() => other.close());
    const created = await other.ask(COLLECTION, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"late"}}',
    });
    assert.equal(created.status, 201);
    const [event] = await once(body, 'data');
    assert.equal(JSON.parse(String(event)).object.metadata.name, 'late');
  });
}

test('a request with a large body may follow before the last answer was read, HTTP/1.1', {
  timeout: 30_000,
}, async (t) => {
  const { server } = await open(t);
  const client = connect('HTTP/2', server.port);
  t.after(() => client.close());
  const headers = { 'content-type': 'application/json' };
  for (let i = 0; i < LISTED; i++) {
    const { status } = await client.ask(COLLECTION, { method: 'POST', headers, body: configMap(`c${i}`) });
    assert.equal(status, 201);
  }
  const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port: server.port });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  socket.write(`GET ${COLLECTION} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  const body = configMap('next');
  const type = 'Content-Type: application/json\r\nConnection: close';
  socket.write(
    `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  while ((await client.ask(`${COLLECTION}/next`)).status !== 200) await pause(20);
  const codes: string[] = [];
  for await (const chunk of socket) {
    codes.push(...(String(chunk).match(/HTTP\/1.1 [0-9]+/g) ?? []));
  }
  assert.deepEqual(codes, ['HTTP/1.1 200', 'HTTP/1.1 201']);
});

test('headers of almost 1 MiB are read from large frames, and refused above', async (t) => {
  const { server } = await open(t);
  for (const [count, answer] of [
    [17, FRAME.headers],
    [18, FRAME.reset],
  ] as const) {
    const connection = await connectRaw(server.port);
    t.after(() => connection.destroy());
    const headers = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`x-filler-${index}`, 'a'.repeat(60_000)]),
    );
    connection.get('/version', headers, 128 * 1024);
    assert.equal((await connection.next('headers', 'reset', 'goAway'))?.type, answer);
  }
});

test('a client that breaks HTTP/2 is told so, and its connection does not stay', async (t) => {
  const { server } = await open(t, IDLE_MS);
  const connection = await connectRaw(server.port);
  connection.get('/version', { 'x-filler': 'a'.repeat(70_000) }, 16 * 1024);
  const goodbye = await connection.next('goAway', 'headers');
  assert.equal(goodbye?.payload.readUInt32BE(4), COMPRESSION_ERROR);
  await connection.closed;
});

function configMap(name: string): string {
  return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"},"data":{"text":"${'x'.repeat(TEXT_BYTES)}"}}`;
}

async function open(t: TestContext, idleConnectionMs?: number): Promise<Running> {
  const running = await startRunning(idleConnectionMs === undefined ? {} : { idleConnectionMs });
  t.after(() => running.close());
  return running;
}
