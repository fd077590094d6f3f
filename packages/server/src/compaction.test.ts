// What a store that has forgotten is asked: exact lists, continue tokens and watches of what it no longer knows, and the timer that makes it forget.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { openMemoryStore } from '@sluice/storage';
import { openCompaction } from './compaction.ts';
import { type Client, connect, type Running, startRunning } from './running.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/api/v1/namespaces/default/events';

test('a continue token of a compacted revision is 410 with one that goes on in the newest state', async (t) => {
  const { running, client } = await started(t);
  for (const name of ['a', 'b', 'c']) await create(client, MAPS, configMap(name));
  const first = await list(client, `${MAPS}?limit=1`);
  assert.deepEqual([first.names, first.token.start], [['a'], '/a\0']);
  await client.ask(`${MAPS}/b`, { method: 'DELETE' });
  await create(client, MAPS, configMap('bb'));
  const second = await list(client, `${MAPS}?limit=1&continue=${first.continue}`);
  assert.deepEqual([second.names, second.revision], [['b'], first.revision]);

  await running.store.compact(BigInt(first.revision));
  const atIt = await list(client, `${MAPS}?limit=1&continue=${first.continue}`);
  assert.deepEqual(atIt.names, ['b'], 'what was compacted up to is still known itself');
  await running.store.compact(running.store.revision);
  const gone = await client.ask(`${MAPS}?limit=1&continue=${first.continue}`);
  const status = JSON.parse(gone.body.toString());
  assert.deepEqual([gone.status, status.reason], [410, 'Expired']);
  assert.deepEqual(tokenOf(status.metadata.continue), { v: 'meta.k8s.io/v1', rv: -1, start: '/a\0' });
  const rest = await list(client, `${MAPS}?continue=${status.metadata.continue}`);
  assert.deepEqual(rest.names, ['bb', 'c']);
  assert.ok(BigInt(rest.revision) > BigInt(first.revision));

  const exact = await client.ask(`${MAPS}?resourceVersion=${first.revision}&resourceVersionMatch=Exact`);
  assert.equal(exact.status, 410);
  const notOlder = await list(client, `${MAPS}?resourceVersion=${first.revision}`);
  assert.deepEqual(notOlder.names, ['a', 'bb', 'c']);
});

test('a watch of a compacted revision is told what the cache knows, but of events, which have none', async (t) => {
  const { running, client } = await started(t);
  const { revision } = await list(client, MAPS);
  await create(client, MAPS, configMap('a'));
  await create(client, EVENTS, event('e'));
  await create(client, EVENTS, event('f'));
  const watching = `watch=1&timeoutSeconds=1&resourceVersion=${revision}`;
  const told = (await client.ask(`${EVENTS}?${watching}`)).body.toString();
  assert.deepEqual(typesIn(told), ['ADDED', 'ADDED']);

  await running.store.compact(running.store.revision);
  assert.deepEqual(typesIn((await client.ask(`${MAPS}?${watching}`)).body.toString()), ['ADDED']);
  const refused = (await client.ask(`${EVENTS}?${watching}`)).body.toString();
  assert.deepEqual(typesIn(refused), ['ERROR']);
  assert.match(refused, /"The resourceVersion for the provided watch is too old\."/);
});

test('openCompaction() forgets up to where the store stood an interval ago, and nothing at 0', async () => {
  const store = await openMemoryStore();
  const write = (key: string) => store.commit({ key, expect: 0n, value: () => Buffer.from('{}') });
  await write('/registry/a');
  const never = openCompaction(store, 0);
  const before = store.revision;
  const compaction = openCompaction(store, 50);
  await write('/registry/b');
  const deadline = performance.now() + 5_000;
  while (store.compacted === 0n && performance.now() < deadline) await after(10);
  assert.equal(store.compacted, before);
  while (store.compacted < store.revision && performance.now() < deadline) await after(10);
  assert.equal(store.compacted, store.revision);
  compaction.stop();
  never.stop();
  await write('/registry/c');
  await after(120);
  assert.ok(store.compacted < store.revision);
  await store.close();
});

async function started(t: TestContext): Promise<{ running: Running; client: Client }> {
  const running = await startRunning();
  const client = connect('HTTP/2', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  return { running, client };
}

type Listed = { names: string[]; revision: string; continue: string; token: { start: string } };

async function list(client: Client, path: string): Promise<Listed> {
  const { status, body } = await client.ask(path);
  assert.equal(status, 200, body.toString());
  const { items, metadata } = JSON.parse(body.toString());
  return {
    names: items.map((item: { metadata: { name: string } }) => item.metadata.name),
    revision: metadata.resourceVersion,
    continue: metadata.continue,
    token: metadata.continue ? tokenOf(metadata.continue) : { start: '' },
  };
}

function tokenOf(text: string): { start: string } {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

async function create(client: Client, path: string, object: unknown): Promise<void> {
  const { status, body } = await client.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  assert.equal(status, 201, body.toString());
}

function configMap(name: string): unknown {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function event(name: string): unknown {
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  return { apiVersion: 'v1', kind: 'Event', metadata: { name }, involvedObject };
}

function typesIn(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).type);
}
