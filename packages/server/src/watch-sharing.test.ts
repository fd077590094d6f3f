// What watchers share: an event is framed once for all of them in one form, and the state that watches begin with comes from twins.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Client, connect, type Opened, startRunning } from './running.fixture.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = { 'content-type': 'application/json' };
const STATE = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const GATES = {
  CBORServingAndStorage: true,
  StreamingCollectionEncodingToJSON: true,
  StreamingCollectionEncodingToProtobuf: true,
};
const FORMS: Readonly<Record<string, string>> = {
  Protobuf: 'application/vnd.kubernetes.protobuf;stream=watch',
  CBOR: 'application/cbor',
  Table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'metadata in Protobuf': 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
};
const WATCHERS = 40;

for (const [form, accept] of Object.entries(FORMS)) {
  test(`a change is framed once for ${WATCHERS} watchers, ${form}`, async (t) => {
    const client = await open(t);
    const since = await versionOf(client);
    const path = `${COLLECTION}?watch=1&resourceVersion=${since}`;
    const watchers = await Promise.all(
      Array.from({ length: WATCHERS }, () => client.open(path, { headers: { accept } })),
    );
    const first = watchers.map((watcher) => firstEvent(watcher, accept));
    const before = await metric(client, 'sluice_watch_events_encoded_total');
    await create(client, 'one');
    const told = await Promise.all(first);
    assert.ok(told[0]!.length > 100);
    const differing = new Set(told.map((event) => event.toString('latin1'))).size;
    const made = (await metric(client, 'sluice_watch_events_encoded_total')) - before;
    // Rows tell ages: two seconds may have been met.
    assert.ok(made >= 1 && made <= (form === 'Table' ? 2 : 1), `${made} times`);
    assert.ok(differing <= made, `${differing} differ`);
  });
}

test('another form, another deletion: nothing is shared that differs', async (t) => {
  const client = await open(t);
  const path = `${COLLECTION}?watch=1&timeoutSeconds=1&resourceVersion=${await versionOf(client)}`;
  const [plain, selecting] = [
    client.ask(path, { headers: { accept: FORMS.metadata! } }),
    client.ask(`${path}&labelSelector=a=b`, { headers: { accept: FORMS.metadata! } }),
  ];
  await create(client, 'one', { a: 'b' });
  const type = { 'content-type': 'application/merge-patch+json' };
  const body = '{"metadata":{"labels":{"a":"c"}}}';
  await client.ask(`${COLLECTION}/one`, { method: 'PATCH', headers: type, body });
  await client.ask(`${COLLECTION}/one`, { method: 'DELETE' });
  const typesIn = (text: Buffer): string[] =>
    [...text.toString().matchAll(/"type":"(\w+)"/g)].map((m) => m[1]!);
  assert.deepEqual(typesIn((await plain).body), ['ADDED', 'MODIFIED', 'DELETED']);
  assert.deepEqual(typesIn((await selecting).body), ['ADDED', 'DELETED']);
});

for (const [form, accept] of [...Object.entries(FORMS), ['JSON', 'application/json'] as const]) {
  // Ages differ from watch to watch.
  if (form === 'Table') continue;
  test(`the state in gzip is the plain state, and its twins are made once, ${form}`, async (t) => {
    const client = await open(t);
    for (let i = 0; i < 60; i++) await create(client, `c${i}`, { app: `a${i % 3}` }, 'text '.repeat(2000));
    const path = `${COLLECTION}?watch=1&timeoutSeconds=1&${STATE}`;
    const ask = async (query: string, encoding: string): Promise<Buffer> => {
      const headers = { accept, 'accept-encoding': encoding };
      const answer = await client.ask(path + query, { headers });
      assert.equal(answer.headers['content-encoding'], encoding === 'gzip' ? 'gzip' : undefined);
      return encoding === 'gzip' ? gunzipSync(answer.body) : answer.body;
    };
    const plain = await ask('', 'identity');
    assert.ok(plain.length > (form.startsWith('metadata') ? 5_000 : 600_000));
    assert.ok((await ask('', 'gzip')).equals(plain));
    const made = await metric(client, 'sluice_twins_made_total');
    assert.ok((await ask('', 'gzip')).equals(plain));
    assert.equal(await metric(client, 'sluice_twins_made_total'), made);
    const some = await ask('&labelSelector=app=a1', 'identity');
    assert.ok(some.length < plain.length);
    assert.ok((await ask('&labelSelector=app=a1', 'gzip')).equals(some));
  });
}

async function open(t: TestContext): Promise<Client> {
  const running = await startRunning({ gates: GATES });
  const client = connect('HTTP/2', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  return client;
}

async function create(client: Client, name: string, labels = {}, text = ''): Promise<void> {
  const body = JSON.stringify({ metadata: { name, labels }, data: { text } });
  const { status } = await client.ask(COLLECTION, { method: 'POST', headers: JSON_TYPE, body });
  assert.equal(status, 201);
}

async function versionOf(client: Client): Promise<string> {
  return JSON.parse((await client.ask(COLLECTION)).body.toString()).metadata.resourceVersion;
}

async function metric(client: Client, name: string): Promise<number> {
  const text = (await client.ask('/metrics')).body.toString();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Other frames than lines come in one piece. */
async function firstEvent({ body }: Opened, accept: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
    if (!accept.startsWith('application/json') || chunk.includes('\n')) break;
  }
  return Buffer.concat(chunks);
}
