// A server in a process of its own, with lists of a given size in it: for tests that look at its memory, or that it lives on.
//
//   fork(running-child.fixture.js, [items, bytes of each, bytes of twins])   node --expose-gc
//     ◀ { port }          ▶ 'memory'   ◀ { memory, failures, sockets }        ▶ 'rewrite'   ◀ {}
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRunning } from './running.fixture.ts';

export type Health = {
  /** Bytes the process holds: outside the heap, in it, and all that is resident. */
  memory: { external: number; heap: number; resident: number };
  /** Rejections and exceptions that nobody took care of. */
  failures: string[];
  connections: number;
};

export interface ServerProcess {
  readonly port: number;
  /** After a full collection. */
  health(): Promise<Health>;
  /** Writes every item anew. */
  rewrite(): Promise<void>;
}

export type Size = { items: number; itemBytes: number; twinBytes: number };

export async function forkServer(
  t: TestContext,
  { items, itemBytes, twinBytes }: Size,
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(import.meta.url), [`${items}`, `${itemBytes}`, `${twinBytes}`], {
    execArgv: ['--expose-gc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    health: () => request(child, 'memory') as Promise<Health>,
    rewrite: async () => void (await request(child, 'rewrite')),
  };
}

async function request(child: ChildProcess, what: string): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server process has ended');
  child.send(what);
  return (await once(child, 'message'))[0];
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  await serve(process.argv.slice(2).map(Number) as [number, number, number]);
}

async function serve([items, itemBytes, encodedCacheBytes]: [number, number, number]): Promise<void> {
  const failures: string[] = [];
  process.on('unhandledRejection', (error) =>
    failures.push(`rejection: ${(error as Error)?.stack ?? error}`),
  );
  process.on('uncaughtException', (error) => failures.push(`exception: ${error.stack}`));
  const { store, server } = await startRunning({ encodedCacheBytes });
  const write = async (): Promise<void> => {
    for (let i = 0; i < items; i++) {
      const key = `/registry/configmaps/default/c${i}`;
      const text = randomBytes(Math.ceil((itemBytes * 3) / 4)).toString('base64');
      const expect = (await store.get(key))?.modRevision ?? 0n;
      await store.commit({ key, expect, value: (revision) => item(i, revision, text) });
    }
    // What the store itself remembers of the past is not what is looked at.
    await store.compact(store.revision);
  };
  await write();
  process.on('message', async (asked) => {
    if (asked === 'rewrite') {
      await write();
      process.send!({});
      return;
    }
    for (let i = 0; i < 3; i++) {
      await setImmediate();
      globalThis.gc!();
    }
    const { external, heapUsed, rss } = process.memoryUsage();
    const memory = { external, heap: heapUsed, resident: rss };
    const connections = process
      .getActiveResourcesInfo()
      .filter((name) => name === 'TLSWRAP' || name === 'TCPSocketWrap');
    process.send!({ memory, failures, connections: connections.length } satisfies Health);
  });
  process.send!({ port: server.port });
}

function item(i: number, revision: bigint, text: string): Uint8Array {
  return Buffer.from(
    `{"metadata":{"name":"c${i}","namespace":"default","resourceVersion":"${revision}"},"data":{"text":"${text}"}}`,
  );
}
