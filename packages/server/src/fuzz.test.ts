// Nonsense against a running server: it answers each request, or refuses the connection, and afterwards it works as before.
//
//   npm run fuzz     100,000 requests
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import tls from 'node:tls';
import fc from 'fast-check';
import { type Nonsense, nonsense } from './fuzz-requests.fixture.ts';
import { WIDGET_DEFINITION } from './list-model.fixture.ts';
import { type Client, CREDENTIALS, connect, startRunning } from './running.fixture.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
/** Watches and the like go on for as long as they are let. */
const PATIENCE_MS = 100;
/** Requests are small: a turn this long would be a walk that never ends, or nearly. */
const TURN_MAX_MS = 2000;
test(`${RUNS} nonsensical requests are answered, and the server goes on`, async (t) => {
  const { client, port } = await open(t);
  const session = connect('HTTP/2', port);
  t.after(() => session.close());
  const turns = monitorEventLoopDelay({ resolution: 5 });
  turns.enable();
  await fc.assert(
    fc.asyncProperty(nonsense(), fc.boolean(), async (request, overHttp2) => {
      const answer = overHttp2 ? await askHttp2(session, request) : await askRaw(port, request);
      checkAnswer(answer, request);
    }),
    { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  );
  turns.disable();
  t.diagnostic(`the longest turn of the event loop took ${Math.round(turns.max / 1e6)} ms`);
  assert.ok(turns.max / 1e6 < TURN_MAX_MS);
  assert.equal((await client.ask('/readyz')).body.toString(), 'ok');
  const created = await client.ask('/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"ordinary"}}',
  });
  assert.equal(created.status, 201, created.body.toString());
  for (const path of ['/api/v1/configmaps', '/api/v1/pods', '/api/v1/namespaces']) {
    const { body } = await client.ask(path);
    assert.ok(Array.isArray(JSON.parse(body.toString()).items), path);
  }
});

type Answered = { status: number; body: string } | 'refused';

function checkAnswer(answer: Answered, { method, target, body }: Nonsense): void {
  if (answer === 'refused' || answer.status < 500) return;
  // What is no ApiError, and so a mistake of the server's, becomes one. kube-apiserver's own 500s have no reason.
  const mistake = `${answer.status}: ${answer.body} for ${method} ${target} ${Buffer.from(body)}`;
  if (OTHER_STATUS.test(answer.body)) {
    if (!answer.body.includes(FULL)) assert.doesNotMatch(answer.body, /InternalError/, mistake);
    return;
  }
  if (!answer.body.startsWith('{')) {
    assert.match(answer.body, /^Internal Server Error: |^$|check failed/, `${answer.status}`);
    return;
  }
  const { kind, reason, message } = JSON.parse(answer.body);
  assert.equal(kind, 'Status');
  if (!message.startsWith(FULL)) assert.notEqual(reason, 'InternalError', mistake);
}

/** Addresses and ports run out: that is the reference's own. */
const FULL = 'Internal error occurred: failed to allocate ';
/** A Status in Protobuf, or in YAML. */
const OTHER_STATUS = /^k8s\0.{4}v1.{2}Status|^apiVersion: v1\n(?=.*\nkind: Status\n)/s;

/** What can't be said in HTTP/2 is left out by the client: `refused`. */
async function askHttp2(client: Client, { method, target, headers, body }: Nonsense): Promise<Answered> {
  const hopByHop = ['connection', 'upgrade', 'transfer-encoding', 'expect'];
  const sent = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !hopByHop.includes(name) && /^[\t -~]*$/.test(value));
  try {
    const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
    const opened = await client.open(target.replace(/[^!-~]/g, '_'), {
      method,
      headers: Object.fromEntries(sent),
      ...(hasBody && { body }),
    });
    const bodyText = readFor(opened.body, PATIENCE_MS);
    return { status: opened.status, body: await bodyText };
  } catch (error) {
    assert.match(
      String((error as NodeJS.ErrnoException).code),
      /^ERR_HTTP2_(STREAM|INVALID|PAYLOAD|HEADER|CONNECT|PSEUDO)/,
    );
    return 'refused';
  }
}

/** Byte for byte as it is, on a connection of its own. */
async function askRaw(port: number, { method, target, headers, body }: Nonsense): Promise<Answered> {
  const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = body.length > 0 ? `Content-Length: ${body.length}\r\n` : '';
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}${length}Connection: close\r\n\r\n`,
  );
  socket.write(body);
  const text = await readFor(socket, PATIENCE_MS);
  const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(text)?.[1] ?? 0);
  const end = text.indexOf('\r\n\r\n');
  if (status < 500) return 'refused';
  return {
    status,
    body: text
      .slice(end + 4)
      .replace(/^[0-9a-f]+\r\n/, '')
      .replace(/\r\n[0-9a-f]+\r\n[\s\S]*$/, ''),
  };
}

/** What comes until the end, or until patience does. */
async function readFor(stream: NodeJS.ReadableStream & { destroy(): unknown }, ms: number): Promise<string> {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  stream.on('error', () => {});
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stream.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  stream.destroy();
  return text;
}

async function open(t: TestContext): Promise<{ client: Client; port: number }> {
  const running = await startRunning();
  const client = connect('HTTP/1.1', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  await client.ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(WIDGET_DEFINITION),
  });
  return { client, port: running.server.port };
}
