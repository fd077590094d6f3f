// Kubernetes' own JavaScript client, as it is from npm, against a server of one's own.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { startOwnServer } from '../own-server.ts';

const LIMIT = { timeout: 120_000 };
const namespace = 'default';

test('client-node creates, reads, replaces, patches, lists and deletes', LIMIT, async (t) => {
  const config = await open(t);
  const core = config.makeApiClient(CoreV1Api);
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: 'v' }) });
  assert.match(created.metadata?.uid ?? '', /^[0-9a-f-]{36}$/);
  assert.ok(created.metadata?.creationTimestamp instanceof Date);
  created.data = { k: 'w' };
  const replaced = await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created });
  assert.notEqual(replaced.metadata?.resourceVersion, created.metadata?.resourceVersion);
  await assert.rejects(
    core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created }),
    (error) => error instanceof ApiException && error.code === 409,
  );
  for (const [strategy, body] of [
    [PatchStrategy.MergePatch, { data: { merge: '1' } }],
    [PatchStrategy.StrategicMergePatch, { data: { strategic: '2' } }],
    [PatchStrategy.JsonPatch, [{ op: 'add', path: '/data/json', value: '3' }]],
  ] as const) {
    const headers = setHeaderOptions('Content-Type', strategy);
    await core.patchNamespacedConfigMap({ namespace, name: 'a', body }, headers);
  }
  const { data } = await core.readNamespacedConfigMap({ namespace, name: 'a' });
  assert.deepEqual(data, { k: 'w', merge: '1', strategic: '2', json: '3' });
  for (let i = 0; i < 25; i++)
    await core.createNamespacedConfigMap({ namespace, body: configMap(`m${i}`, {}) });
  const names: string[] = [];
  let next: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace,
      limit: 10,
      ...(next && { _continue: next }),
    });
    names.push(...page.items.map(({ metadata }) => metadata!.name!));
    next = page.metadata?._continue;
  } while (next);
  assert.equal(new Set(names).size, 26);
  const labelled = await core.listConfigMapForAllNamespaces({ labelSelector: 'app=a' });
  assert.deepEqual(
    labelled.items.map(({ metadata }) => metadata!.name),
    ['a'],
  );
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await core.deleteCollectionNamespacedConfigMap({ namespace });
  assert.equal((await core.listNamespacedConfigMap({ namespace })).items.length, 0);
  await assert.rejects(
    core.readNamespacedConfigMap({ namespace, name: 'a' }),
    (error) => error instanceof ApiException && error.code === 404,
  );
});

test('client-node scales a Deployment and works on custom objects', LIMIT, async (t) => {
  const config = await open(t);
  const apps = config.makeApiClient(AppsV1Api);
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: 'web' }, spec } });
  const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'web' });
  scale.spec = { replicas: 4 };
  await apps.replaceNamespacedDeploymentScale({ namespace, name: 'web', body: scale });
  assert.equal((await apps.readNamespacedDeployment({ namespace, name: 'web' })).spec?.replicas, 4);

  // The client's own spelling of x-kubernetes-….
  const objects = KubernetesObjectApi.makeApiClient(config);
  await objects.create({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.test' },
    spec: {
      group: 'example.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', x_kubernetes_preserve_unknown_fields: true } },
            },
          },
        },
      ],
    },
  } as object);
  const custom = config.makeApiClient(CustomObjectsApi);
  const place = { group: 'example.test', version: 'v1', namespace, plural: 'widgets' };
  const widget = {
    apiVersion: 'example.test/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { size: 3 },
  };
  await untilServed(() => custom.createNamespacedCustomObject({ ...place, body: widget }));
  const { items } = await custom.listNamespacedCustomObject(place);
  assert.deepEqual(
    items.map((item: typeof widget) => item.spec),
    [{ size: 3 }],
  );
  await custom.deleteNamespacedCustomObject({ ...place, name: 'w' });
});

test('client-node watches', LIMIT, async (t) => {
  const config = await open(t);
  const core = config.makeApiClient(CoreV1Api);
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const seen: string[] = [];
  const deleted = new Promise<void>((resolve) => {
    const onEvent = (type: string, object: V1ConfigMap): void => {
      seen.push(`${type} ${object.metadata!.name}`);
      if (type === 'DELETED') resolve();
    };
    const query = { resourceVersion: metadata!.resourceVersion };
    void new Watch(config)
      .watch(`/api/v1/namespaces/${namespace}/configmaps`, query, onEvent, () => {})
      .then((watching) => t.after(() => watching.abort()));
  });
  const body = await core.createNamespacedConfigMap({ namespace, body: configMap('a', {}) });
  await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...body, data: { x: 'y' } } });
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await deleted;
  assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a']);
});

test("client-node's informer holds what the server holds", LIMIT, async (t) => {
  const config = await open(t);
  const core = config.makeApiClient(CoreV1Api);
  for (let i = 0; i < 5; i++)
    await core.createNamespacedConfigMap({ namespace, body: configMap(`before${i}`, {}) });
  const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
    core.listNamespacedConfigMap({ namespace }),
  );
  t.after(() => informer.stop());
  const told: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata }: V1ConfigMap) => told.push(`${verb} ${metadata!.name}`));
  }
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: configMap('after', {}) });
  await core.patchNamespacedConfigMap(
    { namespace, name: 'after', body: { data: { x: 'y' } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  await core.deleteNamespacedConfigMap({ namespace, name: 'before0' });
  await until(() => told.includes('delete before0'));
  const held = informer.list(namespace).map(({ metadata }) => metadata!.name);
  assert.deepEqual(held.sort(), ['after', 'before1', 'before2', 'before3', 'before4']);
  assert.equal(informer.get('after', namespace)?.data?.x, 'y');
  assert.ok(told.includes('add after') && told.includes('update after'));
});

function configMap(name: string, data: Record<string, string>): V1ConfigMap {
  return { metadata: { name, labels: { app: name } }, data };
}

/** A definition is served a moment after it was created. */
async function untilServed(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof ApiException) || error.code !== 404) throw error;
    }
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function open(t: TestContext): Promise<KubeConfig> {
  const server = await startOwnServer([]);
  t.after(() => server.stop());
  const config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  return config;
}
