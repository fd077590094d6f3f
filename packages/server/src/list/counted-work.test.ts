// What a list works, counted: passes over the bytes of its leaves, and writes. Seconds are no part of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Leaf } from '@sluice/cache';
import type { Sink } from '../api.ts';
import { DEFAULT_GATES } from '../gates.ts';
import { readListOptions } from '../list-options.ts';
import { ENDPOINTS, negotiate, producible } from '../negotiation.ts';
import { openClient } from '../objects/handler.fixture.ts';
import { parseQuery } from '../query.ts';
import { type Client, connect, type Running, startRunning } from '../running.fixture.ts';
import { list } from './list.ts';
import { listShape } from './shape.ts';

const META = 'g=meta.k8s.io;v=v1';
/** Leaves hold about 200 KiB: these fill several. */
const OBJECTS = 60;
const OBJECT_BYTES = 20_000;
const READERS = 5;

let running: Running;
let client: Client;

before(async () => {
  running = await startRunning();
  client = connect('HTTP/2', running.server.port);
  for (let i = 0; i < OBJECTS; i++) await write(`c${String(i).padStart(2, '0')}`, 'POST');
});

after(async () => {
  client.close();
  await running.close();
});

test('each leaf is encoded once and deflated once, for all readers; a write costs its own leaf', async () => {
  const rows: [accept: string, query: string, form: string | undefined][] = [
    ['application/json', '', undefined],
    ['application/json', '?pretty=1', 'pretty'],
    ['application/yaml', '', 'yaml'],
    ['application/vnd.kubernetes.protobuf', '', 'protobuf'],
    [`application/json;as=PartialObjectMetadataList;${META}`, '', 'json'],
  ];
  for (const [accept, query, form] of rows) {
    const ask = (encoding: string) => listed(accept, query, encoding);
    const leaves = leavesOf().length;
    const encoded = form === undefined ? {} : { [form]: leaves };
    const deflated = { [`deflated ${form ?? 'json'}`]: leaves };
    assert.deepEqual(await made(() => readers(() => ask('identity'))), encoded, `${accept}, plain`);
    // What is too short to be compressed is not deflated.
    const isShort = accept.includes('Partial');
    assert.deepEqual(
      await made(() => readers(() => ask('gzip'))),
      isShort ? {} : deflated,
      `${accept}, gzip`,
    );
    assert.deepEqual(await made(() => readers(() => ask('gzip'))), {}, `${accept}, again`);
    await write('c30', 'PUT');
    const anew = form === undefined || isShort ? {} : { [form]: 1 };
    const dirty = isShort ? { [form!]: 1 } : { ...anew, [`deflated ${form ?? 'json'}`]: 1 };
    assert.deepEqual(await made(() => ask('gzip')), dirty, `${accept}, after a write`);
  }
});

test('a list writes its leaves as they lie, and two pieces more', async (t) => {
  const { parts, send, close } = await openClient();
  t.after(close);
  for (let i = 0; i < OBJECTS; i++) {
    const body = { metadata: { name: `c${i}` }, data: { k: 'x'.repeat(OBJECT_BYTES) } };
    assert.equal((await send('POST', '/api/v1/namespaces/default/configmaps', body)).code, 201);
  }
  const kind = parts.kinds.find('', 'v1', 'configmaps')!;
  const query = parseQuery('');
  const wishes = { accept: 'application/json', userAgent: undefined, query };
  const shape = listShape(
    parts,
    kind,
    negotiate(wishes, ENDPOINTS.builtInList, producible(DEFAULT_GATES)),
    'None',
  );
  const target = { kind, verb: 'list', namespace: '', name: '', subresource: '' } as const;
  const answer = await list(parts, kind, '', await readListOptions(query, target), shape);
  const written: Uint8Array[] = [];
  const sink: Sink = {
    gzips: false,
    write: (bytes) => void written.push(bytes),
    writeDeflated: () => undefined,
    flush: () => undefined,
  };
  await answer.write(sink);
  const prefix = kind.storagePrefix;
  const leaves = [...parts.cache.resource(prefix).current().leaves(prefix, prefix)];
  assert.ok(leaves.length >= 5);
  assert.equal(written.length, leaves.length + 2);
  const pieces = written.slice(1, -1);
  for (const [index, leaf] of leaves.entries()) assert.equal(pieces[index]!.buffer, leaf.join().buffer);
});

const PREFIX = '/registry/configmaps/';

function leavesOf(): Leaf[] {
  return [...running.cache.resource(PREFIX).current().leaves(PREFIX, PREFIX)];
}

/** Twins of each kind that were made meanwhile. */
async function made(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const count = () =>
    new Map([...running.cache.twins.countsByKind].map(([kind, counts]) => [kind, counts.made]));
  const earlier = count();
  await work();
  const now = [...count()].map(([kind, total]) => [kind, total - (earlier.get(kind) ?? 0)] as const);
  return Object.fromEntries(now.filter(([, more]) => more > 0));
}

async function readers(ask: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: READERS }, ask));
}

async function listed(accept: string, query: string, encoding: string): Promise<void> {
  const headers = { accept, 'accept-encoding': encoding };
  const { status } = await client.ask(`/api/v1/configmaps${query}`, { headers });
  assert.equal(status, 200);
}

let writes = 0;

async function write(name: string, method: 'POST' | 'PUT'): Promise<void> {
  const path = `/api/v1/namespaces/default/configmaps${method === 'PUT' ? `/${name}` : ''}`;
  const body = JSON.stringify({ metadata: { name }, data: { k: `${writes++} `.padEnd(OBJECT_BYTES, 'x') } });
  const { status } = await client.ask(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.ok(status === 200 || status === 201, `${status}`);
}
