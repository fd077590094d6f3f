// client-go's informers and a controller-runtime manager, built from reference/informers: through restarts of the server, and
// through history that is gone.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startOwnServer } from '../own-server.ts';
import { lacksProgram, startProgram } from './go-program.fixture.ts';
import { startRestartable } from './restartable.fixture.ts';

const options = { skip: lacksProgram(), timeout: 120_000 };
const namespace = 'default';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const INFORMERS = [
  { watchList: true, contentType: PROTOBUF },
  { watchList: true, contentType: 'application/json' },
  { watchList: false, contentType: PROTOBUF },
  { watchList: false, contentType: 'application/json' },
];

for (const { watchList, contentType } of INFORMERS) {
  const way = `${watchList ? 'a streaming list' : 'a list and a watch'} in ${contentType}`;
  const args = ['--mode=hold', `--watch-list=${watchList}`, `--content-type=${contentType}`];

  test(`client-go's informer by ${way} holds what the server holds, restarted or not`, options, async (t) => {
    const server = await startRestartable(t);
    const writer = openWriter(server.kubeconfig);
    await writer.create(0, 40, 10);
    const informer = await startProgram(t, [...args, `--kubeconfig=${server.kubeconfig}`]);
    assert.deepEqual(await informer.told(), { synced: 40 });
    await writer.create(40, 60, 10);
    await writer.change(0, 20, 10);
    await writer.remove(20, 30);
    const before = await informer.compare();
    assert.deepEqual(before, { ...before, objects: 50, different: [], begun: 1, failed: 0 });
    assert.deepEqual([before.added, before.deleted], [60, 10]);
    await server.restart();
    await writer.create(60, 70, 10);
    await writer.remove(0, 10);
    const restarted = await informer.compare();
    assert.deepEqual([restarted.objects, restarted.different], [50, []]);
    assert.deepEqual([restarted.added, restarted.deleted], [70, 20]);
  });
}

for (const watchList of [true, false]) {
  const way = watchList ? 'a streaming list' : 'a list and a watch';

  test(`client-go's informer by ${way} begins anew when its history is gone`, options, async (t) => {
    const server = await startRestartable(t, ['--etcd-compaction-interval=1s']);
    const writer = openWriter(server.kubeconfig);
    await writer.create(0, 20, 10);
    const informer = await startProgram(t, [
      '--mode=hold',
      `--watch-list=${watchList}`,
      `--kubeconfig=${server.kubeconfig}`,
    ]);
    assert.deepEqual(await informer.told(), { synced: 20 });
    // While it stands still, more is written than waits for any watcher, and forgotten.
    process.kill(informer.pid, 'SIGSTOP');
    for (let round = 1; round <= 5; round++) await writer.change(0, 20, LARGE);
    await writer.remove(0, 5);
    await sleep(COMPACTED_MS);
    await writer.change(5, 6, 10);
    process.kill(informer.pid, 'SIGCONT');
    const held = await informer.compare();
    assert.deepEqual([held.objects, held.different, held.failed], [15, [], 0]);
    assert.equal(held.begun, 2, 'its resourceVersion was never too old');
    assert.deepEqual([held.added, held.deleted], [20, 5]);
  });
}

test('a controller-runtime manager reconciles custom resources', options, async (t) => {
  const { kubeconfig, stop } = await startOwnServer([]);
  t.after(stop);
  const manager = await startProgram(t, ['--mode=manager', `--kubeconfig=${kubeconfig}`]);
  assert.deepEqual(await manager.told(), { reconciled: 20 });
});

/** Characters in one ConfigMap: five rounds of twenty are more than sockets, the watch's queue and the history take. */
const LARGE = 500_000;
/** Three compactions, of which each forgets what the one before it saw. */
const COMPACTED_MS = 3_000;

type Writer = {
  create(from: number, to: number, length: number): Promise<void>;
  change(from: number, to: number, length: number): Promise<void>;
  remove(from: number, to: number): Promise<void>;
};

/** Writes ConfigMaps c<from> up to c<to>, one after the other. */
function openWriter(kubeconfig: string): Writer {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const each = async (from: number, to: number, write: (name: string) => Promise<unknown>): Promise<void> => {
    for (let n = from; n < to; n++) await write(`c${n}`);
  };
  // Of random bytes: a watch that begins with the state is compressed.
  const body = (name: string, length: number) => ({
    metadata: { name },
    data: { text: randomBytes(length / 2).toString('hex') },
  });
  return {
    create: (from, to, length) =>
      each(from, to, (name) => core.createNamespacedConfigMap({ namespace, body: body(name, length) })),
    change: (from, to, length) =>
      each(from, to, (name) =>
        core.replaceNamespacedConfigMap({ namespace, name, body: body(name, length) }),
      ),
    remove: (from, to) => each(from, to, (name) => core.deleteNamespacedConfigMap({ namespace, name })),
  };
}
