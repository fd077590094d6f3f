// `sluice serve`: from flags to a server that answers, and back again when it is told to stop.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWatchCache } from '@sluice/cache';
import { openKinds } from '@sluice/resources';
import { GIT_VERSION, parseTokenFile, SLUICE_VERSION, startServer, type Tokens } from '@sluice/server';
import { openEmbeddedStore, openMemoryStore, type Store } from '@sluice/storage';
import {
  type Certificates,
  makeCertificates,
  openCertificates,
  servingNames,
  writeWhole,
} from './certificates.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { readServeFlags, type ServeFlags, serveUsage } from './serve-flags.ts';

export async function run(args: string[]): Promise<number> {
  const flags = readServeFlags(args);
  if (typeof flags === 'string') {
    process.stdout.write(flags === 'help' ? serveUsage() : `sluice ${SLUICE_VERSION} (${GIT_VERSION})\n`);
    return 0;
  }
  // Before anything is opened: a signal that comes while it opens is not lost.
  const stop = waitForSignal();
  const closers: Closer[] = [];
  try {
    await open(flags, closers);
    await stop;
  } finally {
    for (const close of closers.reverse()) await close();
  }
  return 0;
}

/** Undoes one step; they run in reverse. */
type Closer = () => void | Promise<void>;

async function open(flags: ServeFlags, closers: Closer[]): Promise<void> {
  const tokens = readTokens(flags.tokenFile);
  const certificates = await readCertificates(flags);
  const store = await openStore(flags.storeDirectory);
  closers.push(() => store.close());
  const cache = await openWatchCache(store, { encodedCacheBytes: flags.encodedCacheBytes });
  closers.push(() => cache.close());
  const { authority, serving, admin } = certificates;
  const tls = { key: serving.key, cert: serving.cert, ca: authority.cert };
  const { host, port, gates, limits, compactionIntervalMs } = flags;
  const kinds = openKinds();
  const server = await startServer({
    store,
    cache,
    kinds,
    host,
    port,
    tls,
    tokens,
    gates,
    limits,
    compactionIntervalMs,
  });
  closers.push(() => server.close());
  const url = `https://${reachable(host)}:${server.port}`;
  const kubeconfig = flags.kubeconfig ?? temporaryFile(closers);
  mkdirSync(dirname(kubeconfig), { recursive: true });
  writeKubeconfig(kubeconfig, url, authority.cert, admin);
  if (flags.pidFile !== undefined) writePid(flags.pidFile, closers);
  process.stdout.write(`ready ${url} kubeconfig ${kubeconfig}\n`);
  cache.twins.prepare();
}

function readTokens(file: string | undefined): Tokens {
  if (file === undefined) return new Map();
  try {
    return parseTokenFile(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`token file ${file}: ${(error as Error).message}`, { cause: error });
  }
}

function readCertificates({ certificateDirectory, host }: ServeFlags): Promise<Certificates> {
  const names = servingNames(host);
  const now = new Date();
  if (certificateDirectory === undefined) return makeCertificates(names, now);
  return openCertificates(certificateDirectory, names, now);
}

function openStore(directory: string | undefined): Promise<Store> {
  if (directory === undefined) return openMemoryStore();
  mkdirSync(dirname(directory), { recursive: true });
  return openEmbeddedStore({ directory });
}

/** An address of all interfaces is none to go to. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

function temporaryFile(closers: Closer[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-'));
  closers.push(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'kubeconfig');
}

function writePid(file: string, closers: Closer[]): void {
  writeWhole(file, `${process.pid}\n`, 0o644);
  closers.push(() => rmSync(file, { force: true }));
}

/** The first signal begins an orderly end, a second one doesn't wait for it. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
