// Lists over real connections, in every combination of protocol, compression, indentation and selection, against a plain model.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { gunzipSync } from 'node:zlib';
import {
  assertSame,
  CONFIG_MAPS,
  indented,
  Model,
  tokenText,
  type Wanted,
  WIDGET_DEFINITION,
  WIDGETS,
} from './list-model.fixture.ts';
import {
  type Client,
  CREDENTIALS,
  connect,
  PROTOCOLS,
  type Running,
  startRunning,
} from './running.fixture.ts';

const GZIP_ABOVE_BYTES = 131_072;
const GZIP = { 'accept-encoding': 'gzip' };

let running: Running;
const clients = new Map<string, Client>();
let configMaps: Model;
let widgets: Model;

before(async () => {
  running = await startRunning();
  for (const protocol of PROTOCOLS) clients.set(protocol, connect(protocol, running.server.port));
  const created = await clients
    .get('HTTP/2')!
    .ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(WIDGET_DEFINITION),
    });
  assert.equal(created.status, 201, String(created.body));
  configMaps = await filled(new Model(running.store, CONFIG_MAPS));
  widgets = await filled(new Model(running.store, WIDGETS));
});

after(async () => {
  for (const client of clients.values()) client.close();
  await running.close();
});

/** Namespaces `a` (large), `b` (small) and `b-c` (one that would be in `b` if prefixes were compared carelessly). */
async function filled(model: Model): Promise<Model> {
  for (let i = 0; i < 900; i++)
    await model.put('a', `x${(i * 7919) % 1000}`, i % 9 === 0 ? 'rare' : 'plenty', 60);
  for (let i = 0; i < 40; i++) await model.put('b', `y${i}`, i % 2 === 0 ? 'rare' : 'plenty', 3);
  await model.put('b-c', 'z', 'rare', 20_000);
  return model;
}

const SELECTIONS: Record<string, Wanted> = {
  everything: {},
  'a namespace': { namespace: 'a' },
  'a small namespace': { namespace: 'b' },
  'no namespace there is': { namespace: 'nothing' },
  'a page': { limit: 300 },
  'a small page': { limit: 1, namespace: 'a' },
  'a page that holds all': { limit: 40, namespace: 'b' },
  'a label': { app: 'plenty' },
  'a label, one page': { app: 'rare', limit: 30 },
  'a label nobody has': { app: 'none' },
  'one by name': { name: 'x7', namespace: 'a' },
  'all of a name': { name: 'z' },
  'nobody by name': { name: 'x7', namespace: 'b' },
};

for (const protocol of PROTOCOLS) {
  for (const listed of [CONFIG_MAPS, WIDGETS]) {
    test(`GET ${listed.path} says what the model says, ${protocol}`, async () => {
      const client = clients.get(protocol)!;
      const shown = (listed.custom ? widgets : configMaps).snapshot();
      for (const [what, wanted] of Object.entries(SELECTIONS)) {
        for (const pretty of [false, true]) {
          for (const gzip of [false, true]) {
            const text = `${what}${pretty ? ', indented' : ''}${gzip ? ', gzip' : ''}`;
            const path = pathOf(listed.path, wanted, pretty ? '&pretty=true' : '');
            const { status, headers, body } = await client.ask(path, { headers: gzip ? GZIP : {} });
            const expected = shown.list(running.cache.revision, wanted).body;
            const whole = Buffer.from(pretty ? indented(expected) : expected);
            const isLarge = whole.length > GZIP_ABOVE_BYTES;
            assert.equal(status, 200, text);
            assert.equal(headers['content-type'], 'application/json', text);
            assert.equal(headers['content-encoding'], gzip && isLarge ? 'gzip' : undefined, text);
            assert.equal(headers.vary, gzip && isLarge ? 'Accept-Encoding' : undefined, text);
            const isKnown =
              !pretty && wanted.app === undefined && wanted.name === undefined && !(gzip && isLarge);
            if (isKnown) assert.equal(headers['content-length'], String(whole.length), text);
            const decoded = gzip && isLarge ? gunzipSync(body) : body;
            assertSame(decoded, whole.toString(), text);
          }
        }
      }
    });
  }
}

test('a Table’s rows are made once for all lists that come later, compressed or not', async () => {
  const client = clients.get('HTTP/1.1')!;
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const first = await client.ask('/api/v1/configmaps', { headers: { accept } });
  assert.match(first.body.toString('latin1'), /^\{"kind":"Table",.*"rows":\[\{"cells":\["/);
  const { made } = running.cache.twins.counts;
  const again = await client.ask('/api/v1/configmaps', { headers: { accept } });
  const zipped = await client.ask('/api/v1/configmaps', { headers: { ...GZIP, accept } });
  assert.ok(again.body.equals(first.body));
  assert.ok(gunzipSync(zipped.body).equals(first.body));
  assert.equal(running.cache.twins.counts.made, made);
});

test('GET sends chunks of HTTP/1.1 that join to the body', async () => {
  const raw = await rawAnswer(pathOf(CONFIG_MAPS.path, { app: 'plenty' }));
  const end = raw.indexOf('\r\n\r\n');
  assert.match(
    raw.subarray(0, end).toString(),
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nTransfer-Encoding: chunked/,
  );
  const expected = configMaps.snapshot().list(running.cache.revision, { app: 'plenty' });
  assertSame(dechunked(raw.subarray(end + 4)), expected.body, 'chunks');
});

test('limit and continue walk one snapshot while writes go on', async () => {
  for (const [listed, limit, wanted] of [
    [CONFIG_MAPS, 7, { namespace: 'b' }],
    [CONFIG_MAPS, 211, {}],
    [CONFIG_MAPS, 20, { app: 'rare' }],
    [WIDGETS, 97, {}],
    [WIDGETS, 13, { app: 'rare', namespace: 'b' }],
  ] as const) {
    const model = listed.custom ? widgets : configMaps;
    const [shown, revision] = [model.snapshot(), running.cache.revision];
    let [token, after] = ['', ''];
    const names: string[] = [];
    do {
      const page = shown.list(revision, { ...wanted, limit, after });
      const next = token && `&continue=${token}`;
      const client = clients.get(PROTOCOLS[names.length % 2]!)!;
      const { body } = await client.ask(pathOf(listed.path, { ...wanted, limit }, next));
      assertSame(body, page.body, `${listed.path} from ${after}`);
      names.push(...page.names);
      [token, after] = [page.continueToken, page.last];
      await disturb(model, names.length);
    } while (token !== '');
    assert.deepEqual(names, shown.list(revision, wanted).names);
  }
});

test('an exact older resourceVersion shows what was there then', async () => {
  const states = [];
  for (let i = 0; i < 12; i++) {
    states.push({ shown: configMaps.snapshot(), revision: running.cache.revision });
    await disturb(configMaps, i);
  }
  for (const { shown, revision } of states.reverse()) {
    for (const wanted of [{}, { app: 'rare' }, { namespace: 'b', limit: 3 }]) {
      const exact = `&resourceVersion=${revision}&resourceVersionMatch=Exact`;
      const { body } = await clients.get('HTTP/2')!.ask(pathOf(CONFIG_MAPS.path, wanted, exact));
      assertSame(body, shown.list(revision, wanted).body, `at ${revision}`);
    }
  }
});

test('a resourceVersion whose history is gone is 410, and its continue token gives one to go on with', async (t) => {
  const forgetful = await startRunning();
  t.after(() => forgetful.close());
  const client = connect('HTTP/2', forgetful.server.port);
  t.after(() => client.close());
  const model = new Model(forgetful.store, CONFIG_MAPS);
  const old = await model.put('a', 'first', 'rare', 1);
  await model.put('a', 'second', 'rare', 1);
  for (let i = 0; forgetful.cache.floor <= old; i++) {
    assert.ok(i < 200, 'history has a limit');
    await model.put('b', 'large', 'plenty', 200_000);
  }
  const exact = await client.ask(`${CONFIG_MAPS.path}?resourceVersion=${old}&resourceVersionMatch=Exact`);
  assert.equal(exact.status, 410);
  assert.equal(JSON.parse(exact.body.toString()).reason, 'Expired');
  const page = `${CONFIG_MAPS.path}?limit=1&continue=`;
  const expired = await client.ask(page + tokenText(old, 'a/first'));
  assert.equal(expired.status, 410);
  const status = JSON.parse(expired.body.toString());
  assert.equal(status.reason, 'Expired');
  const next = await client.ask(page + status.metadata.continue);
  const expected = model.snapshot().list(forgetful.cache.revision, { limit: 1, after: 'a/first' });
  assertSame(next.body, expected.body, 'next page');
});

/** Something new, something changed and something gone, here and there. */
async function disturb(model: Model, seed: number): Promise<void> {
  const namespace = seed % 2 === 0 ? 'a' : 'b';
  await model.put(namespace, `new${seed}`, 'rare', 5);
  await model.put(namespace, `${namespace === 'a' ? 'x' : 'y'}${seed % 40}`, 'rare', 5);
  const victim = `${namespace === 'a' ? 'x' : 'y'}${(seed * 3) % 40}`;
  if (model.has(namespace, victim)) await model.remove(namespace, victim);
}

function pathOf(path: string, { namespace, name, app, limit }: Wanted, more = ''): string {
  const place = namespace === undefined ? path : path.replace(/\/([a-z]+)$/, `/namespaces/${namespace}/$1`);
  const query = [
    app !== undefined && `labelSelector=app%3D${app}`,
    name !== undefined && `fieldSelector=metadata.name%3D${name}`,
    limit !== undefined && `limit=${limit}`,
  ];
  return `${place}?${query.filter(Boolean).join('&')}${more}`;
}

async function rawAnswer(path: string): Promise<Buffer> {
  const socket = tls.connect({
    ...CREDENTIALS,
    host: '127.0.0.1',
    port: running.server.port,
    ALPNProtocols: ['http/1.1'],
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** RFC 9112, 7.1. */
function dechunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    at = lineEnd + 2;
    if (size === 0) {
      assert.equal(bytes.subarray(at).toString(), '\r\n');
      return Buffer.concat(parts);
    }
    parts.push(bytes.subarray(at, at + size));
    assert.equal(bytes.subarray(at + size, at + size + 2).toString(), '\r\n');
    at += size + 2;
  }
}
