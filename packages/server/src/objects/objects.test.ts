// The handlers over a store in memory: what a client is answered, and what is there afterwards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StoreError } from '@sluice/storage';
import { type Client, openClient } from './handler.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

let client: Client;

before(async () => {
  client = await openClient();
});

after(() => client.close());

test('answerObject() creates with what is the server’s', async () => {
  const { code, json, body } = await client.send('POST', MAPS, {
    metadata: {
      name: 'born',
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      selfLink: '/x',
    },
    data: { b: '2', a: '1' },
  });
  assert.equal(code, 201);
  assert.match(json.metadata.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(Math.abs(Date.parse(json.metadata.creationTimestamp) - Date.now()) < 5000);
  assert.deepEqual(Object.keys(json.metadata), [
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'creationTimestamp',
  ]);
  assert.ok(body.endsWith('"data":{"a":"1","b":"2"}}'));
  assert.equal((await client.send('GET', `${MAPS}/born`)).body, body);
});

test('answerObject() makes names of 63 characters at the most', async () => {
  const { json } = await client.send('POST', MAPS, { metadata: { generateName: `${'y'.repeat(70)}-` } });
  assert.match(json.metadata.name, /^y{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('answerObject() refuses a name that is taken, also in a dry run', async () => {
  await client.send('POST', MAPS, { metadata: { name: 'taken' } });
  for (const query of ['', '?dryRun=All']) {
    const { code, json } = await client.send('POST', MAPS + query, { metadata: { name: 'taken' } });
    assert.equal(code, 409);
    assert.equal(json.message, 'configmaps "taken" already exists');
  }
});

test('answerObject() makes nothing in a dry run, and says so by having no resourceVersion', async () => {
  const { code, json } = await client.send('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'dry' } });
  assert.equal(code, 201);
  assert.equal(json.metadata.resourceVersion, undefined);
  assert.equal((await client.send('GET', `${MAPS}/dry`)).code, 404);
});

test('answerObject() replaces at the right resourceVersion only', async () => {
  const { json: first } = await client.send('POST', MAPS, { metadata: { name: 'put' }, data: { k: '1' } });
  const { resourceVersion } = first.metadata;
  const second = await client.send('PUT', `${MAPS}/put`, {
    metadata: { name: 'put', resourceVersion },
    data: { k: '2' },
  });
  assert.equal(second.code, 200);
  assert.notEqual(second.json.metadata.resourceVersion, resourceVersion);
  const stale = await client.send('PUT', `${MAPS}/put`, {
    metadata: { name: 'put', resourceVersion },
    data: {},
  });
  assert.equal(stale.code, 409);
  assert.equal(stale.json.reason, 'Conflict');
});

test('answerObject() writes nothing when nothing changes', async () => {
  await client.send('POST', MAPS, { metadata: { name: 'same' }, data: { k: '1' } });
  const { revision } = client.parts.store;
  const { code, body } = await client.send('PUT', `${MAPS}/same`, {
    metadata: { name: 'same' },
    data: { k: '1' },
  });
  assert.equal(code, 200);
  assert.equal(client.parts.store.revision, revision);
  assert.equal((await client.send('GET', `${MAPS}/same`)).body, body);
});

test('answerObject() loses no write of many at once', async () => {
  await client.send('POST', MAPS, { metadata: { name: 'busy' }, data: {} });
  const patches = Array.from({ length: 40 }, (_, index) =>
    client.send('PATCH', `${MAPS}/busy`, { data: { [`k${index}`]: 'v' } }, MERGE),
  );
  for (const { code } of await Promise.all(patches)) assert.equal(code, 200);
  const { json } = await client.send('GET', `${MAPS}/busy`);
  assert.equal(Object.keys(json.data).length, 40);
});

test('answerObject() patches both ways and tells of fields nobody knows', async () => {
  await client.send('POST', MAPS, { metadata: { name: 'patched' }, data: { a: '1' } });
  const merged = await client.send('PATCH', `${MAPS}/patched`, '{"data":{"b":"2","a":null},"nope":1}', MERGE);
  assert.deepEqual(merged.json.data, { b: '2' });
  assert.deepEqual(merged.warnings, ['unknown field "nope"']);
  const patch = [
    { op: 'test', path: '/data/b', value: '2' },
    { op: 'add', path: '/data/c', value: '3' },
  ];
  assert.deepEqual((await client.send('PATCH', `${MAPS}/patched`, patch, JSON_PATCH)).json.data, {
    b: '2',
    c: '3',
  });
  const strict = await client.send('PATCH', `${MAPS}/patched?fieldValidation=Strict`, '{"nope":1}', MERGE);
  assert.equal(strict.code, 422);
  assert.match(strict.json.message, /strict decoding error: unknown field "nope"$/);
});

test('answerObject() keeps what a patch may not change', async () => {
  const { json: born } = await client.send('POST', MAPS, { metadata: { name: 'kept' } });
  const change = {
    metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 9, managedFields: [] },
  };
  const { json } = await client.send('PATCH', `${MAPS}/kept`, change, MERGE);
  assert.deepEqual(json.metadata, born.metadata);
  assert.equal((await client.send('PATCH', `${MAPS}/kept`, { metadata: { uid: 'x' } }, MERGE)).code, 422);
  assert.equal((await client.send('PATCH', `${MAPS}/kept`, { metadata: { name: 'x' } }, MERGE)).code, 400);
});

test('answerObject() holds a deleted object by its finalizers', async () => {
  await client.send('POST', MAPS, { metadata: { name: 'held', finalizers: ['ex.test/a'] } });
  const held = await client.send('DELETE', `${MAPS}/held`);
  assert.equal(held.json.kind, 'ConfigMap');
  assert.equal(held.json.metadata.deletionGracePeriodSeconds, 0);
  const { revision } = client.parts.store;
  assert.equal((await client.send('DELETE', `${MAPS}/held`)).json.kind, 'ConfigMap');
  assert.equal(client.parts.store.revision, revision);
  const released = await client.send('PATCH', `${MAPS}/held`, { metadata: { finalizers: null } }, MERGE);
  assert.equal(released.code, 200);
  assert.equal((await client.send('GET', `${MAPS}/held`)).code, 404);
});

test('answerObject() gives a pod on a node its time, and never more', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { nodeName: 'n', terminationGracePeriodSeconds: 20, containers: [{ name: 'c', image: 'i' }] };
  await client.send('POST', pods, { metadata: { name: 'p' }, spec });
  const first = (await client.send('DELETE', `${pods}/p`)).json.metadata;
  assert.equal(first.deletionGracePeriodSeconds, 20);
  assert.equal(first.generation, 2);
  const shorter = (await client.send('DELETE', `${pods}/p?gracePeriodSeconds=5`)).json.metadata;
  assert.equal(Date.parse(first.deletionTimestamp) - Date.parse(shorter.deletionTimestamp), 15_000);
  const longer = (await client.send('DELETE', `${pods}/p?gracePeriodSeconds=60`)).json.metadata;
  assert.deepEqual(longer, shorter);
  await client.send('DELETE', `${pods}/p?gracePeriodSeconds=0`);
  assert.equal((await client.send('GET', `${pods}/p`)).code, 404);
});

test('answerObject() counts generations of specs, and keeps status apart', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const spec = {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } } },
  };
  const born = await client.send('POST', path, { metadata: { name: 'd' }, spec, status: { replicas: 7 } });
  assert.equal(born.json.metadata.generation, 1);
  assert.deepEqual(born.json.status, {});
  const status = await client.send(
    'PATCH',
    `${path}/d/status`,
    { spec: { replicas: 3 }, status: { replicas: 2 } },
    MERGE,
  );
  assert.deepEqual([status.json.spec.replicas, status.json.status.replicas], [1, 2]);
  const scaled = await client.send('PATCH', `${path}/d/scale`, { spec: { replicas: 5 } }, MERGE);
  assert.deepEqual(scaled.json.status, { replicas: 2, selector: 'a=b' });
  const { json } = await client.send('GET', `${path}/d`);
  assert.deepEqual([json.metadata.generation, json.spec.replicas, json.status.replicas], [2, 5, 2]);
});

test('answerObject() shows an event in both groups', async () => {
  const event = {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    message: 'm',
    type: 'Normal',
  };
  await client.send('POST', '/api/v1/namespaces/default/events', event);
  const { json } = await client.send('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e');
  assert.deepEqual([json.apiVersion, json.note, json.regarding.name], ['events.k8s.io/v1', 'm', 'p']);
  const patched = await client.send(
    'PATCH',
    '/apis/events.k8s.io/v1/namespaces/default/events/e',
    { note: 'n' },
    MERGE,
  );
  assert.equal(patched.json.note, 'n');
  assert.equal((await client.send('GET', '/api/v1/namespaces/default/events/e')).json.message, 'n');
});

test('answerObject() answers a full store with a Status', async () => {
  const full = await openClient();
  full.parts.store.commit = async () => {
    throw new StoreError('full', 'no space left on the device');
  };
  const { code, json } = await full.send('POST', MAPS, { metadata: { name: 'x' } });
  assert.deepEqual([code, json.reason], [500, 'InternalError']);
  assert.match(json.message, /no space left/);
  await full.close();
});
