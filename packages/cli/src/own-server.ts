// Starts a Sluice of one's own in another process, in memory and on a free port, and stops it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type OwnServer = {
  kubeconfig: string;
  pid: number;
  /** From the start of its process until it said that it is ready. */
  readySeconds: number;
  stop(): Promise<void>;
};

const COMMAND = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));
const READY_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/** Resolves once the server has said that it is ready. */
export async function startOwnServer(flags: readonly string[]): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-own-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const settings = [
    '--in-memory',
    '--secure-port',
    '0',
    '--cert-dir',
    directory,
    '--kubeconfig-out',
    kubeconfig,
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'serve', ...settings, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await stopProcess(child);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(child);
  } catch (error) {
    await stop();
    throw error;
  }
  const readySeconds = (performance.now() - startedAt) / 1000;
  return { kubeconfig, pid: child.pid!, readySeconds, stop };
}

function untilReady(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`sluice serve ${why}\n${said.slice(-20).join('\n')}`));
    const timer = setTimeout(fail, READY_LIMIT_MS, 'was not ready in time');
    const listen = (line: string) => {
      said.push(line);
      if (!/^ready /.test(line)) return;
      clearTimeout(timer);
      resolve();
    };
    // Both are read to the end, so that the server never waits for a reader.
    createInterface({ input: child.stdout! }).on('line', listen);
    createInterface({ input: child.stderr! }).on('line', listen);
    child.on('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}
