// What is too large, too deep, too long or never finished: each is refused at its limit, and the server goes on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { hostileQueries } from './hostile-queries.fixture.ts';
import {
  type Client,
  CREDENTIALS,
  connect,
  PROTOCOLS,
  type Received,
  startRunning,
} from './running.fixture.ts';

const MIB = 1024 * 1024;
const BODY_MAX_BYTES = 3 * MIB;
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = { 'content-type': 'application/json' };
/** Of processor time, client included: a walk whose time grows with the square of its input would take minutes. */
const REQUEST_MAX_MS = 1500;

for (const protocol of PROTOCOLS) {
  test(`a body over 3 MiB is 413, one of 3 MiB is read, ${protocol}`, async (t) => {
    const { client } = await open(t, protocol);
    for (const [bytes, status] of [
      [BODY_MAX_BYTES, 422],
      [BODY_MAX_BYTES + 1, 413],
      [4 * BODY_MAX_BYTES, 413],
    ] as const) {
      const filler = 'x'.repeat(bytes - configMap('big', '').length);
      const answer = await client.ask(COLLECTION, {
        method: 'POST',
        headers: JSON_TYPE,
        body: configMap('big', filler),
      });
      assert.equal(answer.status, status, `${bytes} bytes`);
      assert.equal(statusOf(answer).code, status);
    }
    assert.equal((await create(client, 'after')).status, 201);
  });

  test(`headers over 1 MiB are refused, less is read, ${protocol}`, async (t) => {
    const { client, port } = await open(t, protocol);
    // A client's library that cuts headers into frames of 16 KiB, whatever the server says, is taken nine of.
    const taken = protocol === 'HTTP/2' ? 2 : 17;
    assert.equal((await client.ask(COLLECTION, { headers: headersOf(taken) })).status, 200);
    const refused = client.ask(COLLECTION, { headers: headersOf(19) });
    if (protocol === 'HTTP/1.1') assert.equal((await refused).status, 431);
    else await assert.rejects(refused);
    const other = connect(protocol, port);
    t.after(() => other.close());
    assert.equal((await create(other, 'after')).status, 201);
  });

  test(`bodies that no object can be read from are 400, ${protocol}`, async (t) => {
    const { client } = await open(t, protocol);
    const bodies: Record<string, string | Uint8Array> = {
      'arrays in arrays': '['.repeat(BODY_MAX_BYTES),
      'objects in objects': '{"a":'.repeat(BODY_MAX_BYTES / 5),
      'deep metadata': `{"metadata":${'{"labels":'.repeat(200_000)}`,
      'deep, well formed': configMap('deep', '').replace('""', '['.repeat(20_000) + ']'.repeat(20_000)),
      'a number without end': `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generation":${'9'.repeat(MIB)}}}`,
      'an exponent without end': `{"kind":"Pod","apiVersion":"v1","spec":{"terminationGracePeriodSeconds":1e${'9'.repeat(1000)}}}`,
      'half a string': '{"kind":"ConfigMap',
      'zero bytes': Buffer.alloc(1000),
      'random bytes': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)),
      'a list of commas': `[${','.repeat(MIB)}`,
    };
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await client.ask(COLLECTION, { method: 'POST', headers: JSON_TYPE, body });
      assert.equal(answer.status, 400, `${what}: ${answer.body}`.slice(0, 300));
      assert.equal(statusOf(answer).code, 400, what);
    }
    const invalid = Buffer.from(configMap('utf8', 'a?b'));
    invalid[invalid.indexOf('?')] = 0xff;
    const answer = await client.ask(COLLECTION, { method: 'POST', headers: JSON_TYPE, body: invalid });
    assert.equal(answer.status, 201);
    assert.equal(JSON.parse(answer.body.toString()).data.text, 'a\ufffdb');
  });

  test(`no request takes long to refuse or to answer, ${protocol}`, async (t) => {
    const { client } = await open(t, protocol);
    for (let i = 0; i < 50; i++) await create(client, `c${i}`);
    // The library behind HTTP/2 takes no single header over 64 KiB.
    const long = protocol === 'HTTP/2' ? 60_000 : 1_000_000;
    for (const [method, path, type, body] of [
      ...hostileQueries(long).map(({ method, path }) => [method, path, '', ''] as const),
      ['GET', `${COLLECTION}?labelSelector=${'%20'.repeat(long / 3)}!`, '', ''],
      ['GET', `/api/v1/namespaces/${'%41'.repeat(long / 3)}/pods`, '', ''],
      ['POST', COLLECTION, 'application/json', '{"a":'.repeat(9000)],
      ['POST', COLLECTION, 'application/json', `{"data":{${'"a":"b",'.repeat(300_000)}"c":"d"}}`],
      ['POST', COLLECTION, 'application/json', configMap('quotes', '\\u0000'.repeat(400_000))],
      ['POST', COLLECTION, 'application/yaml', `a: ${'['.repeat(50_000)}`],
      ['POST', COLLECTION, 'application/yaml', `${'- '.repeat(50_000)}`],
      ['POST', COLLECTION, 'application/yaml', yamlBomb()],
      ['PATCH', `${COLLECTION}/c1`, 'application/json-patch+json', jsonPatch()],
      [
        'PATCH',
        `${COLLECTION}/c2`,
        'application/merge-patch+json',
        `{"data":{${'"a":null,'.repeat(100_000)}"z":"y"}}`,
      ],
    ] as const) {
      const text = `${method} ${path.slice(0, 90)} ${type} ${body.slice(0, 30)}`;
      const before = process.cpuUsage();
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const answer = await client.ask(path, { method, headers, ...(body !== '' && { body }) });
      const { user, system } = process.cpuUsage(before);
      t.diagnostic(`${Math.round((user + system) / 1000)} ms of ${text}`);
      assert.ok(answer.status < 500, `${text}: ${answer.body}`.slice(0, 400));
      assert.ok((user + system) / 1000 < REQUEST_MAX_MS, text);
    }
  });
}

test('connections that never finish what they began keep nobody waiting', async (t) => {
  const { client, port } = await open(t, 'HTTP/1.1');
  const half = [
    '',
    'GET /api/v1',
    `GET ${COLLECTION} HTTP/1.1\r\nHost: a\r\nX-Slow: `,
    `POST ${COLLECTION} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"kind":`,
    `POST ${COLLECTION} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"kin`,
    'PRI * HTTP/2.0\r\n',
  ];
  const sockets = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port });
      socket.on('error', () => {});
      await once(socket, 'secureConnect');
      socket.write(half[i % half.length]!);
      return socket;
    }),
  );
  assert.equal((await create(client, 'meanwhile')).status, 201);
  for (const [i, socket] of sockets.entries()) {
    if (i % 2 === 0) socket.destroy();
    else socket.end();
  }
  assert.equal((await create(client, 'afterwards')).status, 201);
});

test('what is no HTTP is answered 400 and closed', async (t) => {
  const { client, port } = await open(t, 'HTTP/1.1');
  for (const bytes of [
    '\r\n\r\n\r\n\0',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\x7f HTTP/1.1\r\n\r\n',
    '{}',
  ]) {
    const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port });
    await once(socket, 'secureConnect');
    socket.write(`${bytes}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(bytes));
  }
  assert.equal((await create(client, 'after')).status, 201);
});

async function open(
  t: TestContext,
  protocol: (typeof PROTOCOLS)[number],
): Promise<{ client: Client; port: number }> {
  const running = await startRunning();
  const client = connect(protocol, running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  return { client, port: running.server.port };
}

/** So many times 60,000 bytes. */
function headersOf(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-large-${i}`, 'x'.repeat(60_000)]));
}

function create(client: Client, name: string): Promise<Received> {
  return client.ask(COLLECTION, { method: 'POST', headers: JSON_TYPE, body: configMap(name, 'x') });
}

function configMap(name: string, text: string): string {
  return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"},"data":{"text":"${text}"}}`;
}

function statusOf({ body }: Received): { code: number } {
  const status = JSON.parse(body.toString());
  assert.equal(status.kind, 'Status');
  return status;
}

/** Aliases of aliases: a few lines that stand for a billion. */
function yamlBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 10; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}

/** As many operations as are allowed, each of which copies what the one before made. */
function jsonPatch(): string {
  const operations = Array.from({ length: 2000 }, (_, i) => ({
    op: 'copy',
    from: '/data',
    path: `/metadata/annotations/a${i}`,
  }));
  return JSON.stringify([{ op: 'add', path: '/metadata/annotations', value: {} }, ...operations]);
}
