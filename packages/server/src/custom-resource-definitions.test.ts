// Definitions become kinds, kinds stay over a restart, and go with all their objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWatchCache } from '@sluice/cache';
import { openKinds } from '@sluice/resources';
import { openCustomResourceDefinitions } from './custom-resource-definitions.ts';
import { DEFAULT_GATES } from './gates.ts';
import { type Client, openClient } from './objects/handler.fixture.ts';
import { openParts } from './parts.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/ex.test/v1/namespaces/default/widgets';

function definition(plural: string, kind: string): object {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
  };
  return {
    metadata: { name: `${plural}.ex.test` },
    spec: {
      group: 'ex.test',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
        },
      ],
    },
  };
}

test('openCustomResourceDefinitions() serves a definition within a second and cleans up after it', async () => {
  const client = await openClient();
  const definitions = await openCustomResourceDefinitions(client.parts);
  const created = await client.send('POST', DEFINITIONS, definition('widgets', 'Widget'));
  assert.equal(created.code, 201);
  assert.equal(created.json.spec.names.listKind, 'WidgetList');
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') !== undefined);
  const { json } = await client.send('GET', `${DEFINITIONS}/widgets.ex.test`);
  assert.deepEqual(
    json.status.conditions.map((one: { type: string }) => one.type),
    ['NamesAccepted', 'Established'],
  );

  const widget = {
    apiVersion: 'ex.test/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { n: 1, dropped: true },
    status: { x: 1 },
  };
  const made = await client.send('POST', WIDGETS, widget);
  assert.equal(made.code, 201);
  assert.deepEqual(made.json.spec, { n: 1 });
  assert.equal(made.json.status, undefined);
  assert.equal(made.json.metadata.generation, 1);

  const deleted = await client.send('DELETE', `${DEFINITIONS}/widgets.ex.test`);
  assert.deepEqual(deleted.json.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') === undefined);
  assert.equal((await client.send('GET', `${DEFINITIONS}/widgets.ex.test`)).code, 404);
  assert.equal(client.parts.cache.resource('/registry/ex.test/widgets/').current().count, 0);
  await definitions.close();
  await client.close();
});

test('openCustomResourceDefinitions() leaves the schemas of a large definition to a thread', async () => {
  const client = await openClient();
  const definitions = await openCustomResourceDefinitions(client.parts);
  const properties = Array.from({ length: 3000 }, (_, i) => [`p${i}`, { type: 'string', description: 'x' }]);
  const large = definition('widgets', 'Widget') as { spec: { versions: { schema: object }[] } };
  const spec = { type: 'object', properties: Object.fromEntries(properties) };
  large.spec.versions[0]!.schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const before = client.parts.threads.counts.handed;
  assert.equal((await client.send('POST', DEFINITIONS, large)).code, 201);
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') !== undefined);
  assert.ok(client.parts.threads.counts.handed > before);
  const { json } = await client.send('GET', `${DEFINITIONS}/widgets.ex.test`);
  const kept = json.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
  assert.equal(Object.keys(kept).length, 3000);
  assert.deepEqual(json.status.acceptedNames.plural, 'widgets');
  const widget = {
    apiVersion: 'ex.test/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { p7: 'y', q: 'z' },
  };
  const made = await client.send('POST', WIDGETS, widget);
  assert.deepEqual(made.json.spec, { p7: 'y' });
  await definitions.close();
  await client.close();
});

test('openCustomResourceDefinitions() serves again after a restart, at once', async () => {
  const client = await openClient();
  const definitions = await openCustomResourceDefinitions(client.parts);
  await client.send('POST', DEFINITIONS, definition('widgets', 'Widget'));
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') !== undefined);
  await definitions.close();
  const cache = await openWatchCache(client.parts.store, { encodedCacheBytes: 0 });
  const parts = await openParts(client.parts.store, cache, openKinds(), DEFAULT_GATES);
  const again = await openCustomResourceDefinitions(parts);
  assert.ok(parts.kinds.find('ex.test', 'v1', 'widgets'));
  await again.close();
  cache.close();
  await client.close();
});

test('openCustomResourceDefinitions() gives a name to one definition only, until it is free', async () => {
  const client = await openClient();
  const definitions = await openCustomResourceDefinitions(client.parts);
  await client.send('POST', DEFINITIONS, definition('widgets', 'Widget'));
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') !== undefined);
  await client.send('POST', DEFINITIONS, definition('others', 'Widget'));
  await sleep(100);
  assert.equal(client.parts.kinds.find('ex.test', 'v1', 'others'), undefined);
  await client.send('DELETE', `${DEFINITIONS}/widgets.ex.test`);
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'others') !== undefined);
  await definitions.close();
  await client.close();
});

test('openCustomResourceDefinitions() waits for objects that finalizers hold', async () => {
  const client = await openClient();
  const definitions = await openCustomResourceDefinitions(client.parts);
  await client.send('POST', DEFINITIONS, definition('widgets', 'Widget'));
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') !== undefined);
  const widget = {
    apiVersion: 'ex.test/v1',
    kind: 'Widget',
    metadata: { name: 'a', finalizers: ['ex.test/a'] },
  };
  await client.send('POST', WIDGETS, widget);
  await client.send('DELETE', `${DEFINITIONS}/widgets.ex.test`);
  await untilReason(client, 'InstanceDeletionPending');
  await sleep(100);
  assert.ok((await client.send('GET', `${WIDGETS}/a`)).json.metadata.deletionTimestamp);
  await client.send(
    'PATCH',
    `${WIDGETS}/a`,
    { metadata: { finalizers: null } },
    'application/merge-patch+json',
  );
  await until(() => client.parts.kinds.find('ex.test', 'v1', 'widgets') === undefined);
  await definitions.close();
  await client.close();
});

async function untilReason(client: Client, reason: string): Promise<void> {
  for (let waited = 0; waited < 3000; waited += 20) {
    const { json } = await client.send('GET', `${DEFINITIONS}/widgets.ex.test`);
    if (json.status.conditions.some((one: { reason: string }) => one.reason === reason)) return;
    await sleep(20);
  }
  assert.fail(`never ${reason}`);
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 3000 && !holds(); waited += 20) await sleep(20);
  assert.ok(holds());
}
