// Checks what a fill makes of a server's answers, against a small server of its own.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Client, openClient } from './client.ts';
import { type Filled, fill } from './fill.ts';
import { openProgress } from './progress.ts';
import { WORKLOADS } from './workload.ts';

const NOBODY = { ca: undefined, cert: undefined, key: undefined, token: undefined, insecure: false };

type Asked = { method: string; path: string; body: Record<string, unknown> };
/** Status of an answer, and the seconds it asks the client to wait. */
type Answering = (asked: Asked, times: number) => [code: number, reason?: string, retryAfter?: string];

test('fill() creates ConfigMaps of the asked size and numbers', async () => {
  const { filled, asked } = await fillFrom('configmaps', 3, () => [201]);
  assert.deepEqual([filled.created, filled.alreadyThere, filled.failed], [3, 0, 0]);
  assert.deepEqual(asked.map(({ body }) => (body.metadata as { name: string }).name).sort(), [
    'cm-000040',
    'cm-000041',
    'cm-000042',
  ]);
  const data = asked[0]?.body.data as Record<string, string>;
  assert.match(data['data.key'] ?? '', /^[0-9a-zA-Z]{50}$/);
});

test('fill() writes the status of each Pod after creating it', async () => {
  const { filled, asked } = await fillFrom('pods', 1, () => [201]);
  assert.equal(filled.created, 1);
  assert.deepEqual(
    asked.map(({ method, path }) => `${method} ${path}`),
    ['POST /api/v1/namespaces/n/pods', 'PUT /api/v1/namespaces/n/pods/pod-000040/status'],
  );
});

test('fill() creates the definition before custom resources, and waits until it is served', async () => {
  const { filled, asked } = await fillFrom('customresources', 2, ({ method }, times) => {
    if (method === 'POST') return [201];
    return times < 3 ? [404] : [200];
  });
  assert.equal(filled.created, 2);
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['POST', 'GET', 'GET', 'GET', 'POST', 'POST'],
  );
});

test('fill() counts what was there and what was refused', async () => {
  const there = await fillFrom('configmaps', 2, () => [409, 'AlreadyExists']);
  assert.deepEqual([there.filled.alreadyThere, there.filled.failed], [2, 0]);
  const refused = await fillFrom('configmaps', 5, () => [403, 'Forbidden']);
  assert.deepEqual([refused.filled.created, refused.filled.failed], [0, 5]);
  assert.equal(refused.failures.length, 3);
  assert.match(refused.failures[0] ?? '', /^403 .*Forbidden/);
});

test('openClient() asks a busy server again', async () => {
  const { filled, asked } = await fillFrom('configmaps', 1, (_asked, times) =>
    times === 1 ? [429, 'TooManyRequests', '0.05'] : times === 2 ? [503] : [201],
  );
  assert.equal(filled.created, 1);
  assert.equal(asked.length, 3);
});

async function fillFrom(
  kind: string,
  count: number,
  answering: Answering,
): Promise<{ filled: Filled; asked: Asked[]; failures: string[] }> {
  const asked: Asked[] = [];
  const times = new Map<string, number>();
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const one = { method: request.method!, path: request.url!, body: text === '' ? {} : JSON.parse(text) };
    asked.push(one);
    const route = `${one.method} ${one.path}`;
    times.set(route, (times.get(route) ?? 0) + 1);
    const [code, reason, retryAfter] = answering(one, times.get(route)!);
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(code).end(JSON.stringify({ reason }));
  };
  const failures: string[] = [];
  const filled = await withClient(listener, async (client) => {
    const workload = WORKLOADS[kind]!({ namespace: 'n', bytes: 50 });
    await workload.prepare(client);
    const progress = openProgress({ write: () => {} }, kind, count);
    const onFailure = (text: string) => failures.push(text);
    return fill(client, workload, { count, startAt: 40, workers: 2, progress, onFailure });
  });
  return { filled, asked, failures };
}

async function withClient<T>(listener: RequestListener, work: (client: Client) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openClient({ ...NOBODY, server: address }, 2);
  try {
    return await work(client);
  } finally {
    client.close();
    server.close();
  }
}
