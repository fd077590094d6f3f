// What clients are held to: requests at a time, and the time of one. The answers are those of kube-apiserver 1.37.2 with the same flags.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from './limits.ts';
import {
  type Client,
  CREDENTIALS,
  connect,
  PROTOCOLS,
  type Protocol,
  startRunning,
} from './running.fixture.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = { 'content-type': 'application/json' };
const AS_BOB = { 'impersonate-user': 'bob' };
const TOO_MANY = 'Too many requests, please try again later.\n';
const TIMED_OUT =
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

for (const protocol of PROTOCOLS) {
  test(`above --max-mutating-requests-inflight all but administrators are told to come again, ${protocol}`, async (t) => {
    const { client, port } = await open(t, protocol, { mutatingRequestsInFlight: 1 });
    const held = holdPost(port);
    t.after(() => held.destroy());
    await untilUnderWay(client, 'mutating');
    for (const [method, path] of [
      ['POST', COLLECTION],
      ['DELETE', `${COLLECTION}/x`],
      ['POST', '/version'],
      ['HEAD', '/version'],
    ] as const) {
      const { status, headers, body } = await client.ask(path, { method, headers: AS_BOB });
      assert.equal(status, 429, `${method} ${path}`);
      assert.equal(body.toString(), method === 'HEAD' ? '' : TOO_MANY);
      assert.deepEqual(
        [headers['retry-after'], headers['x-content-type-options'], headers['content-type']],
        ['1', 'nosniff', 'text/plain; charset=utf-8'],
      );
    }
    assert.equal((await client.ask(COLLECTION, { headers: AS_BOB })).status, 403);
    assert.equal((await client.ask(`${COLLECTION}/x`, { method: 'DELETE' })).status, 404);
    held.destroy();
    await untilStatus(client, `${COLLECTION}/x`, 403);
  });

  test(`a request that isn't whole in time is 504, ${protocol}`, async (t) => {
    const { client, port, revision } = await open(t, protocol, { requestTimeoutMs: 60_000 });
    const before = revision();
    const post = protocol === 'HTTP/2' ? halfPost2 : halfPost1;
    const { status, type, body } = await post(port, `${COLLECTION}?timeout=200ms`);
    assert.deepEqual([status, type, body], [504, 'text/plain; charset=utf-8', TIMED_OUT]);
    assert.equal(revision(), before);
    assert.equal((await client.ask(COLLECTION)).status, 200);
  });

  test(`a list's time begins anew whenever its reader takes something, ${protocol}`, async (t) => {
    const { client } = await open(t, protocol, {});
    const text = 'x'.repeat(1_000_000);
    for (let i = 0; i < 24; i++) await create(client, `c${i}`, text);
    const began = performance.now();
    const slow = await client.open(`${COLLECTION}?timeout=1s`);
    let bytes = 0;
    for await (const chunk of slow.body) {
      bytes += chunk.length;
      if (performance.now() - began < 3000) await wait(10);
    }
    assert.ok(performance.now() - began > 2000);
    assert.equal(bytes, Number(slow.headers['content-length']));
  });

  test(`a list whose reader takes nothing in time is cut, ${protocol}`, async (t) => {
    const { client } = await open(t, protocol, {});
    const text = 'x'.repeat(1_000_000);
    for (let i = 0; i < 24; i++) await create(client, `c${i}`, text);
    const stalled = await client.open(`${COLLECTION}?timeout=1s`);
    stalled.body.on('error', () => {});
    await wait(4000);
    let bytes = 0;
    await assert.rejects(async () => {
      for await (const chunk of stalled.body) bytes += chunk.length;
    });
    assert.ok(bytes < Number(stalled.headers['content-length']));
    assert.equal((await client.ask(`${COLLECTION}?limit=1`)).status, 200);
  });
}

test('a watch takes no notice of a request timeout, and ends by --min-request-timeout', async (t) => {
  const { client } = await open(t, 'HTTP/2', { requestTimeoutMs: 100, minRequestTimeoutMs: 700 });
  const began = performance.now();
  const { status, body } = await client.open(`${COLLECTION}?watch=1&timeout=1ms`);
  assert.equal(status, 200);
  for await (const _ of body);
  const took = performance.now() - began;
  assert.ok(took >= 690, `${took} ms`);
});

async function open(
  t: TestContext,
  protocol: Protocol,
  limits: Partial<Limits>,
): Promise<{ client: Client; port: number; revision: () => bigint }> {
  const running = await startRunning({ limits });
  const client = connect(protocol, running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  return { client, port: running.server.port, revision: () => running.store.revision };
}

/** A POST whose body never ends. */
function holdPost(port: number): { destroy(): void } {
  const request = https.request({
    ...CREDENTIALS,
    port,
    path: COLLECTION,
    method: 'POST',
    agent: false,
    headers: { ...JSON_TYPE, 'content-length': '100' },
  });
  request.on('error', () => {});
  request.write('{"a');
  return request;
}

async function untilUnderWay(client: Client, kind: string): Promise<void> {
  const line = `apiserver_current_inflight_requests{request_kind="${kind}"} 1`;
  while (!(await client.ask('/metrics')).body.includes(line)) await wait(10);
}

async function untilStatus(client: Client, path: string, status: number): Promise<void> {
  while ((await client.ask(path, { method: 'DELETE', headers: AS_BOB })).status !== status) await wait(10);
}

type Told = { status: number; type: string; body: string };

async function halfPost1(port: number, path: string): Promise<Told> {
  const request = https.request({
    ...CREDENTIALS,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { ...JSON_TYPE, 'content-length': '100' },
  });
  request.on('error', () => {});
  request.write('{"a');
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  request.destroy();
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    body: Buffer.concat(chunks).toString(),
  };
}

async function halfPost2(port: number, path: string): Promise<Told> {
  const session = http2.connect(`https://127.0.0.1:${port}`, CREDENTIALS);
  const stream = session.request({ ':path': path, ':method': 'POST', ...JSON_TYPE });
  stream.write('{"a');
  const [headers] = await once(stream, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  session.destroy();
  return {
    status: Number(headers[':status']),
    type: headers['content-type'],
    body: Buffer.concat(chunks).toString(),
  };
}

async function create(client: Client, name: string, text: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name }, data: { text } });
  const { status } = await client.ask(COLLECTION, { method: 'POST', headers: JSON_TYPE, body });
  assert.equal(status, 201);
}
