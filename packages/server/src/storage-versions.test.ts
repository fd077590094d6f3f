// Custom objects stored before their definition's storage version became another: shown in the version asked for, everywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, connect, startRunning } from './running.fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = `${DEFINITIONS}/widgets.ex.test`;

test('objects stored in two versions are shown in the one asked for', async (t) => {
  const running = await startRunning();
  const client = connect('HTTP/2', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  await send(client, 'POST', DEFINITIONS, definition('v1'));
  await served(client);
  await send(client, 'POST', widgets('v1'), widget('v1', 'old'));
  const { resourceVersion } = (await ask(client, widgets('v1'))).metadata;
  const { metadata } = await ask(client, DEFINITION);
  await send(client, 'PUT', DEFINITION, definition('v2', metadata.resourceVersion));
  assert.deepEqual((await ask(client, DEFINITION)).status.storedVersions, ['v1', 'v2']);
  // The definition is followed: soon, but not at once.
  await pause(100);
  await send(client, 'POST', widgets('v1'), widget('v1', 'young'));
  assert.match(stored('old'), /"apiVersion":"ex.test\/v1"/);
  assert.match(stored('young'), /"apiVersion":"ex.test\/v2"/);

  for (const version of ['v1', 'v2']) {
    const apiVersion = `ex.test/${version}`;
    const spec = version === 'v1' ? { one: 1 } : {};
    const list = await ask(client, widgets(version));
    for (const item of list.items) assert.equal(item.apiVersion, apiVersion, item.metadata.name);
    assert.deepEqual(list.items[0].spec, spec, "what the version's schema doesn't know is cut off");
    assert.equal((await ask(client, `${widgets(version)}/old`)).apiVersion, apiVersion);
    const yaml = await client.ask(widgets(version), { headers: { accept: 'application/yaml' } });
    assert.equal(yaml.body.toString().match(new RegExp(`apiVersion: ${apiVersion}`, 'g'))?.length, 3);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await client.ask(`${widgets(version)}?includeObject=Object`, { headers: { accept } });
    for (const row of JSON.parse(table.body.toString()).rows) assert.equal(row.object.apiVersion, apiVersion);
    const query = `watch=1&timeoutSeconds=1&resourceVersion=${Number(resourceVersion) - 1}`;
    const events = (await client.ask(`${widgets(version)}?${query}`)).body.toString().trim().split('\n');
    assert.deepEqual(
      events.map((line) => JSON.parse(line).object.apiVersion),
      [apiVersion, apiVersion],
    );
  }

  const merge = { 'content-type': 'application/merge-patch+json' };
  const body = '{"metadata":{"labels":{"a":"b"}}}';
  const patched = await client.ask(`${widgets('v1')}/old`, { method: 'PATCH', headers: merge, body });
  assert.equal(JSON.parse(patched.body.toString()).apiVersion, 'ex.test/v1');
  assert.match(stored('old'), /"apiVersion":"ex.test\/v2"/, 'a write brings it into the version of today');

  function stored(name: string): string {
    const prefix = '/registry/ex.test/widgets/';
    const item = running.cache.resource(prefix).current().get(`${prefix}default/${name}`);
    return Buffer.from(item!.bytes).toString();
  }
});

function widgets(version: string): string {
  return `/apis/ex.test/${version}/namespaces/default/widgets`;
}

function definition(storage: string, resourceVersion?: string): unknown {
  const properties = { spec: { type: 'object', properties: { one: { type: 'integer' } } } };
  const version = (name: string, shape: unknown) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object', properties: shape } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.ex.test', resourceVersion },
    spec: {
      group: 'ex.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1', properties), version('v2', { spec: { type: 'object' } })],
    },
  };
}

function widget(version: string, name: string): unknown {
  return { apiVersion: `ex.test/${version}`, kind: 'Widget', metadata: { name }, spec: { one: 1 } };
}

async function served(client: Client): Promise<void> {
  for (;;) {
    if ((await client.ask(widgets('v2'))).status === 200) return;
    await pause(20);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
async function ask(client: Client, path: string): Promise<any> {
  return JSON.parse((await client.ask(path)).body.toString());
}

async function send(client: Client, method: string, path: string, object: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await client.ask(path, { method, headers, body: JSON.stringify(object) });
  assert.ok(status === 200 || status === 201, body.toString());
}
