// A running server over a store in memory, and clients for both protocols that read bodies as they come.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { openWatchCache, type WatchCache } from '@sluice/cache';
import { openKinds } from '@sluice/resources';
import { openMemoryStore, type Store } from '@sluice/storage';
import type { Gates } from './gates.ts';
import type { Limits } from './limits.ts';
import { type RunningServer, startServer } from './server.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';
export const PROTOCOLS: readonly Protocol[] = ['HTTP/1.1', 'HTTP/2'];

export type Running = { store: Store; cache: WatchCache; server: RunningServer; close(): Promise<void> };

export type RunningOptions = {
  encodedCacheBytes?: number;
  gates?: Gates;
  idleConnectionMs?: number;
  limits?: Partial<Limits>;
  /** Writes to the store before the cache reads it: the cache knows no history of them. */
  before?: (store: Store) => Promise<void>;
};

export async function startRunning(options: RunningOptions = {}): Promise<Running> {
  const store = await openMemoryStore();
  await options.before?.(store);
  const cache = await openWatchCache(store, { encodedCacheBytes: options.encodedCacheBytes ?? 64 << 20 });
  const server = await startServer({
    store,
    cache,
    kinds: openKinds(),
    host: '127.0.0.1',
    port: 0,
    tls: { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') },
    tokens: new Map(),
    ...(options.gates && { gates: options.gates }),
    ...(options.limits && { limits: options.limits }),
    ...(options.idleConnectionMs && { idleConnectionMs: options.idleConnectionMs }),
  });
  return {
    store,
    cache,
    server,
    async close() {
      await server.close();
      cache.close();
      await store.close();
    },
  };
}

export type Asked = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };
export type Opened = { status: number; headers: IncomingHttpHeaders; body: Readable };
export type Received = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export interface Client {
  /** Resolves with the headers; the body is read by whoever asked. */
  open(path: string, asked?: Asked): Promise<Opened>;
  ask(path: string, asked?: Asked): Promise<Received>;
  close(): void;
}

/** A new connection for each request over HTTP/1.1, one for all over HTTP/2. */
export function connect(protocol: Protocol, port: number): Client {
  const client = protocol === 'HTTP/2' ? http2Client(port) : http1Client(port);
  return {
    ...client,
    async ask(path, asked) {
      const { status, headers, body } = await client.open(path, asked);
      return { status, headers, body: await readAll(body) };
    },
  };
}

export async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function pem(name: string): string {
  return readFileSync(new URL(`../testdata/certificates/${name}`, import.meta.url), 'utf8');
}

/** More than any server takes: what is refused is refused by the server. */
const HEADERS_SENT_MAX_BYTES = 4 << 20;

/** Trusts the server, and is an administrator to it. */
export const CREDENTIALS: { ca: string; cert: string; key: string } = {
  ca: pem('ca.crt'),
  cert: pem('admin.crt'),
  key: pem('admin.key'),
};

function http1Client(port: number): Pick<Client, 'open' | 'close'> {
  const requests = new Set<ClientRequest>();
  return {
    async open(path, { method = 'GET', headers = {}, body } = {}) {
      const options = { ...CREDENTIALS, host: '127.0.0.1', port, path, method, headers, agent: false };
      const request = https.request(options);
      requests.add(request);
      request.on('close', () => requests.delete(request));
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      request.on('error', () => {});
      return { status: response.statusCode!, headers: response.headers, body: response };
    },
    close() {
      for (const request of requests) request.destroy();
    },
  };
}

function http2Client(port: number): Pick<Client, 'open' | 'close'> {
  const options = { ...CREDENTIALS, maxSendHeaderBlockLength: HEADERS_SENT_MAX_BYTES };
  const session = http2.connect(`https://127.0.0.1:${port}`, options);
  session.on('error', () => {});
  return {
    async open(path, { method = 'GET', headers = {}, body } = {}) {
      const stream = session.request(
        { ':path': path, ':method': method, ...headers },
        { endStream: body === undefined },
      );
      if (body !== undefined) stream.end(body);
      const [answered] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
      return { status: Number(answered[':status']), headers: answered, body: stream };
    },
    close: () => session.destroy(),
  };
}
