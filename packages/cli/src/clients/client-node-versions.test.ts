// Two generations of Kubernetes' JavaScript client, which speak HTTP by different means: lists, watches, and informers through a restart.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as current from '@kubernetes/client-node';
import * as former from 'client-node-1';
import { type Restartable, startRestartable } from './restartable.fixture.ts';

const options = { timeout: 120_000 };
const namespace = 'default';
/** As the client's documentation has it: an informer that met an error is started again. */
const START_AGAIN_MS = 100;

const CLIENTS = [
  // What these tests use has the same types in both.
  { version: '1.4', client: former as unknown as typeof current },
  { version: '2.0', client: current },
];

for (const { version, client } of CLIENTS) {
  test(`client-node ${version} lists and watches`, options, async (t) => {
    const { config, core } = await open(t, client);
    for (const name of ['a', 'b', 'c'])
      await core.createNamespacedConfigMap({ namespace, body: named(name) });
    const page = await core.listNamespacedConfigMap({ namespace, limit: 2 });
    assert.deepEqual([namesOf(page.items), page.metadata?.remainingItemCount], [['a', 'b'], 1]);
    const rest = await core.listNamespacedConfigMap({ namespace, _continue: page.metadata!._continue! });
    assert.deepEqual(namesOf(rest.items), ['c']);
    const seen: string[] = [];
    const deleted = new Promise<void>((resolve) => {
      const onEvent = (type: string, object: current.V1ConfigMap): void => {
        seen.push(`${type} ${object.metadata!.name}`);
        if (type === 'DELETED') resolve();
      };
      const query = { resourceVersion: page.metadata!.resourceVersion };
      void new client.Watch(config)
        .watch(`/api/v1/namespaces/${namespace}/configmaps`, query, onEvent, () => {})
        .then((watching) => t.after(() => watching.abort()));
    });
    const body = await core.readNamespacedConfigMap({ namespace, name: 'a' });
    await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...body, data: { x: 'y' } } });
    await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await deleted;
    assert.deepEqual(seen, ['MODIFIED a', 'DELETED a']);
  });

  test(
    `client-node ${version}'s informer holds what the server holds, restarted or not`,
    options,
    async (t) => {
      const { server, config, core } = await open(t, client);
      await core.createNamespacedConfigMap({ namespace, body: named('before') });
      await core.createNamespacedConfigMap({ namespace, body: named('gone') });
      const list = () => core.listNamespacedConfigMap({ namespace });
      const informer = client.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
      let isOver = false;
      informer.on('error', () => {
        if (!isOver) setTimeout(() => informer.start().catch(() => {}), START_AGAIN_MS);
      });
      t.after(() => {
        isOver = true;
        return informer.stop();
      });
      await informer.start();
      await core.createNamespacedConfigMap({ namespace, body: named('live') });
      await untilHeld(informer, ['before', 'gone', 'live']);
      await server.restart();
      await core.deleteNamespacedConfigMap({ namespace, name: 'gone' });
      await core.createNamespacedConfigMap({ namespace, body: named('after') });
      await untilHeld(informer, ['after', 'before', 'live']);
      for (const { metadata } of (await list()).items) {
        const held = informer.get(metadata!.name!, namespace);
        assert.equal(held?.metadata?.resourceVersion, metadata!.resourceVersion);
      }
    },
  );
}

async function untilHeld(
  informer: current.ObjectCache<current.V1ConfigMap>,
  names: readonly string[],
): Promise<void> {
  while (namesOf(informer.list(namespace)).sort().join() !== names.join())
    await new Promise((resolve) => setTimeout(resolve, 10));
}

function named(name: string): current.V1ConfigMap {
  return { metadata: { name } };
}

function namesOf(items: readonly current.V1ConfigMap[]): string[] {
  return items.map(({ metadata }) => metadata!.name!);
}

type Opened = { server: Restartable; config: current.KubeConfig; core: current.CoreV1Api };

async function open(t: TestContext, client: typeof current): Promise<Opened> {
  const server = await startRestartable(t);
  const config = new client.KubeConfig();
  config.loadFromFile(server.kubeconfig);
  return { server, config, core: config.makeApiClient(client.CoreV1Api) };
}
