// Namespaces: there from the start, refused, emptied, removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, openClient } from './handler.fixture.ts';

test('openNamespaces() makes the namespaces every cluster has', async () => {
  const client = await openClient();
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    const { json } = await client.send('GET', `/api/v1/namespaces/${name}`);
    assert.deepEqual(json.metadata.labels, { 'kubernetes.io/metadata.name': name });
    assert.deepEqual([json.spec, json.status], [{ finalizers: ['kubernetes'] }, { phase: 'Active' }]);
  }
  await client.close();
});

test('openNamespaces() empties a deleted namespace and removes it', async () => {
  const client = await openClient();
  await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
  for (let count = 0; count < 100; count++) {
    await client.send('POST', '/api/v1/namespaces/gone/configmaps', { metadata: { name: `m${count}` } });
  }
  const pod = { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
  await client.send('POST', '/api/v1/namespaces/gone/pods', pod);
  const { json } = await client.send('DELETE', '/api/v1/namespaces/gone');
  assert.deepEqual(json.status, { phase: 'Terminating' });
  const refused = await client.send('POST', '/api/v1/namespaces/gone/configmaps', {
    metadata: { name: 'late' },
  });
  assert.equal(refused.code, 403);
  assert.equal(refused.json.details.causes[0].reason, 'NamespaceTerminating');
  await until(client, '/api/v1/namespaces/gone', 404);
  assert.equal((await client.send('GET', '/api/v1/namespaces/gone/configmaps/m0')).code, 404);
  assert.equal((await client.send('GET', '/api/v1/namespaces/gone/pods/p')).code, 404);
  await client.close();
});

test('openNamespaces() waits for what finalizers hold', async () => {
  const client = await openClient();
  await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'held' } });
  const held = { metadata: { name: 'm', finalizers: ['ex.test/a'] } };
  await client.send('POST', '/api/v1/namespaces/held/configmaps', held);
  await client.send('DELETE', '/api/v1/namespaces/held');
  await sleep(1500);
  const { json } = await client.send('GET', '/api/v1/namespaces/held/configmaps/m');
  assert.ok(json.metadata.deletionTimestamp);
  const patch = { metadata: { finalizers: null } };
  await client.send('PATCH', '/api/v1/namespaces/held/configmaps/m', patch, 'application/merge-patch+json');
  await until(client, '/api/v1/namespaces/held', 404);
  await client.close();
});

test('openNamespaces() keeps the immortal ones', async () => {
  const client = await openClient();
  const { code, json } = await client.send('DELETE', '/api/v1/namespaces/default');
  assert.equal(code, 403);
  assert.equal(json.message, 'namespaces "default" is forbidden: this namespace may not be deleted');
  await client.close();
});

async function until(client: Client, path: string, code: number): Promise<void> {
  for (let waited = 0; waited < 6000; waited += 50) {
    if ((await client.send('GET', path)).code === code) return;
    await sleep(50);
  }
  assert.fail(`${path} never answered ${code}`);
}
