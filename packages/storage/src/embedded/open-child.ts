// A process that opens a store and says what it found: what could crash a process, or needs a second one, is tested in it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Store, StoreError } from '../store.ts';
import { openEmbeddedStore } from './store.ts';

export type Child = { pid: number; said: string; kill: () => Promise<void>; exit: Promise<string> };

/**
 * `read` opens, reads everything and ends; `hold` opens and stays until it is killed; `fill` writes until it fails,
 * which the operating system makes sure of when no file may have more than `fileLimitBytes`.
 */
export type Mode = 'read' | 'hold' | 'fill';

/** Resolves after the child's first line. */
export async function openInChild(mode: Mode, directory: string, fileLimitBytes?: number): Promise<Child> {
  const command = [process.execPath, fileURLToPath(import.meta.url), mode, directory];
  // The shell counts in blocks of 512 bytes, and without the trap the process would be killed at the limit.
  const limit =
    fileLimitBytes === undefined ? '' : `trap '' XFSZ; ulimit -f ${Math.floor(fileLimitBytes / 512)}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'pipe', limit === '' ? 'inherit' : 'ignore'],
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
  if (mode === 'fill') {
    console.log(await fill(store));
    await store.close();
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

async function fill(store: Store): Promise<string> {
  let end: StoreError | null = null;
  const onEnd = (error: StoreError | null): void => {
    end = error;
  };
  store.watch(0n, { onEvents: () => {}, onEnd });
  const write = async (key: string): Promise<string> =>
    store.commit({ key, expect: 0n, value: () => Buffer.alloc(50_000) }).then(
      () => 'kept',
      (error: StoreError) => error.reason,
    );
  for (let kept = 0; ; kept++) {
    const outcome = await write(`key ${kept}`);
    if (outcome === 'kept') continue;
    const first = await store.get('key 0');
    return `${kept} kept, then ${outcome}, later ${await write('later')}, watch ${end}, read ${first?.value.length}`;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , mode = '', directory = ''] = process.argv;
  main(mode, directory).catch((error: unknown) => {
    console.log(error instanceof StoreError ? `${error.reason}: ${error.message}` : error);
  });
}
