// A process that opens a store and says what it found: what could crash a process, or needs a second one, is tested in it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StoreError } from '../store.ts';
import { openEmbeddedStore } from './store.ts';

export type Child = { pid: number; said: string; kill: () => Promise<void>; exit: Promise<string> };

/** `read` opens, reads everything and ends; `hold` opens and stays until it is killed. Resolves after its first line. */
export async function openInChild(mode: 'read' | 'hold', directory: string): Promise<Child> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), mode, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit').then(([code, signal]) => `${signal ?? code}`);
  const line = once(child.stdout, 'data').then(([data]) => `${data}`.trim());
  const said = await Promise.race([line, exit.then((how) => `ended: ${how}`)]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  return { pid: child.pid ?? 0, said, kill, exit };
}

async function main(mode: string, directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory });
  if (mode === 'hold') {
    setInterval(() => {}, 60_000);
    console.log(`open at ${store.revision}`);
    return;
  }
  let entries = 0;
  for await (const batch of (await store.range('')).batches) entries += batch.length;
  await new Promise<void>((resolve, reject) => {
    if (store.compacted === store.revision) resolve();
    else {
      const onEvents = (events: readonly { revision: bigint }[]): void => {
        if (events.at(-1)?.revision === store.revision) resolve();
      };
      store.watch(store.compacted, { onEvents, onEnd: reject });
    }
  });
  console.log(`${entries} entries at ${store.revision}`);
  await store.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , mode = '', directory = ''] = process.argv;
  main(mode, directory).catch((error: unknown) => {
    console.log(error instanceof StoreError ? `${error.reason}: ${error.message}` : error);
  });
}
