// Requests that ask for as much as they can: each gets its answer, stores nothing it shouldn't, and leaves the event loop to others.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Hostile,
  hostileReads,
  hostileWrites,
  LARGEST_BYTES,
  victims,
  WIDGETS,
} from './hostile-bodies.fixture.ts';
import {
  type Client,
  connect,
  type Protocol,
  type Received,
  type Running,
  startRunning,
} from './running.fixture.ts';

const GATES = {
  CBORServingAndStorage: true,
  StreamingCollectionEncodingToJSON: true,
  StreamingCollectionEncodingToProtobuf: true,
};
const BODY_BYTES = 200_000;
const STORED_BYTES = 300_000;
const SMALL = '/api/v1/namespaces/default';

test(`large bodies and objects are worked on in threads, others are answered meanwhile`, async (t) => {
  const { running, client } = await open(t, 'HTTP/2');
  const requests = [...hostileWrites(BODY_BYTES), ...hostileReads()];
  for (const request of requests) {
    const before = await handedJobs(client);
    const revision = running.store.revision;
    const { answer, meanwhile } = await whileSmallOnesAreAnswered(client, send(client, request));
    const what = `${request.method} ${request.path} ${request.what}`;
    assert.equal(answer.status, request.code, `${what}: ${answer.body.subarray(0, 300)}`);
    assert.equal(await handedJobs(client), before + (isCopied(request) ? 0 : 1), what);
    assert.ok(meanwhile > 0, what);
    if (request.code >= 400 || request.path.includes('dryRun') || request.method === 'GET') {
      assert.equal(running.store.revision, revision, what);
    }
  }
});

test('small GETs go on being answered while the largest body is worked on', async (t) => {
  const { client } = await open(t, 'HTTP/2');
  const request = hostileWrites(LARGEST_BYTES).find(({ what }) => what === 'numbers')!;
  const { answer, meanwhile } = await whileSmallOnesAreAnswered(client, send(client, request));
  assert.equal(answer.status, 500);
  assert.match(answer.body.toString('latin1'), /etcdserver: request is too large/);
  // On the event loop it would be none, or the few that came before the body was whole.
  assert.ok(meanwhile > 50, `${meanwhile} answered`);
});

test('an object over 1.5 MiB is refused as the reference refuses it, whichever verb brings it', async (t) => {
  const { running, client } = await open(t, 'HTTP/1.1');
  const text = 'x'.repeat(1_600_000);
  const type = { 'content-type': 'application/json' };
  const widget = (name: string, version = ''): string =>
    `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}","resourceVersion":"${version}"},"spec":{"t":"${text}"}}`;
  const small = JSON.parse((await client.ask(`${WIDGETS}/small`)).body.toString());
  const revision = running.store.revision;
  const message =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"etcdserver: request is too large","code":500}\n';
  for (const [method, path, headers, body] of [
    ['POST', WIDGETS, type, widget('new')],
    ['PUT', `${WIDGETS}/small`, type, widget('small', small.metadata.resourceVersion)],
    [
      'PATCH',
      `${WIDGETS}/small`,
      { 'content-type': 'application/merge-patch+json' },
      `{"spec":{"t":"${text}"}}`,
    ],
    ['POST', `${SMALL}/pods`, type, `{"metadata":{"name":"p"},"spec":{"hostname":"${text}"}}`],
  ] as const) {
    const answer = await client.ask(path, { method, headers, body });
    assert.equal(answer.status, 500);
    assert.equal(answer.body.toString(), message);
  }
  assert.equal(running.store.revision, revision);
  const tried = await client.ask(`${WIDGETS}?dryRun=All`, {
    method: 'POST',
    headers: type,
    body: widget('new'),
  });
  assert.equal(tried.status, 201);
  // The reference stores Protobuf, in which this is a sixth as long.
  const escaped = `{"metadata":{"name":"escaped"},"data":{"t":"${'\\u0000'.repeat(400_000)}"}}`;
  const kept = await client.ask(`${SMALL}/configmaps`, { method: 'POST', headers: type, body: escaped });
  assert.equal(kept.status, 201);
});

test('events of a large object are made in threads, once for all watchers of a form', async (t) => {
  const { client } = await open(t, 'HTTP/2');
  const watches = await Promise.all(
    [
      'application/vnd.kubernetes.protobuf;stream=watch',
      'application/vnd.kubernetes.protobuf;stream=watch',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json',
    ].map((accept) =>
      client.open(`${SMALL}/pods?watch=true&fieldSelector=metadata.name=large`, { headers: { accept } }),
    ),
  );
  const received = watches.map(({ body }) => new Promise<Buffer>((resolve) => body.once('data', resolve)));
  const before = await handedJobs(client);
  const patch = { 'content-type': 'application/merge-patch+json' };
  const changed = await client.ask(`${SMALL}/pods/large`, {
    method: 'PATCH',
    headers: patch,
    body: '{"metadata":{"labels":{"a":"b"}}}',
  });
  assert.equal(changed.status, 200);
  for (const chunk of await Promise.all(received)) assert.ok(chunk.length > 0);
  // The patch, Protobuf, the Table; JSON is sent as it is stored.
  assert.equal(await handedJobs(client), before + 3);
});

test('a client that goes away leaves its write to be made', async (t) => {
  const { running, client } = await open(t, 'HTTP/2');
  const gone = connect('HTTP/2', running.server.port);
  const request = hostileWrites(BODY_BYTES)[0]!;
  const [before, revision] = [await handedJobs(client), running.store.revision];
  void send(gone, request).catch(() => {});
  while ((await handedJobs(client)) === before) await wait(1);
  gone.close();
  while (running.store.revision === revision) await wait(5);
  assert.equal(running.store.revision, revision + 1n);
});

test('a server that closes finishes what its threads work on', async (t) => {
  const { running, client } = await open(t, 'HTTP/2');
  const other = connect('HTTP/2', running.server.port);
  const before = await handedJobs(other);
  const asked = send(client, hostileWrites(BODY_BYTES)[0]!);
  while ((await handedJobs(other)) === before) await wait(1);
  const closed = running.server.close();
  assert.equal((await asked).status, 201);
  other.close();
  client.close();
  await closed;
});

async function open(t: TestContext, protocol: Protocol): Promise<{ running: Running; client: Client }> {
  const running = await startRunning({ gates: GATES });
  const client = connect(protocol, running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  for (const { path, body } of victims(STORED_BYTES)) {
    while (path === WIDGETS && (await client.ask(path)).status !== 200) await wait(5);
    const { status } = await client.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(status, 201, path);
  }
  return { running, client };
}

function send(client: Client, { method, path, type, accept, body }: Hostile): Promise<Received> {
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(accept !== undefined && { accept }),
    // Node sends a DELETE's body over HTTP/1.1 without saying how long it is.
    ...(body && { 'content-length': String(body.length) }),
  };
  return client.ask(path, { method, headers, ...(body && { body }) });
}

async function whileSmallOnesAreAnswered(
  client: Client,
  asked: Promise<Received>,
): Promise<{ answer: Received; meanwhile: number }> {
  let isDone = false;
  const done = asked.finally(() => {
    isDone = true;
  });
  let meanwhile = 0;
  while (!isDone) {
    const { status } = await client.ask(SMALL);
    assert.equal(status, 200);
    meanwhile++;
  }
  return { answer: await done, meanwhile };
}

/** Bytes as they lie are sent without a thread. */
function isCopied({ what }: Hostile): boolean {
  return what === 'compact';
}

async function handedJobs(client: Client): Promise<number> {
  const { body } = await client.ask('/metrics');
  return Number(/^sluice_object_jobs_total (\d+)$/m.exec(body.toString())?.[1]);
}
