// Listens: HTTP/1.1 and HTTP/2 on one TLS port, and lets both go in order when the server stops.
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import type { WatchCache } from '@sluice/cache';
import type { Kinds } from '@sluice/resources';
import type { Store } from '@sluice/storage';
import type { Tokens } from './authentication.ts';
import { answerClientError } from './client-errors.ts';
import { openCompaction } from './compaction.ts';
import { trackConnections } from './connections.ts';
import { openDispatch } from './dispatch.ts';
import { openDocuments } from './documents.ts';
import { openExchanges } from './exchange.ts';
import { DEFAULT_GATES, type Gates } from './gates.ts';
import type { HealthSources } from './health.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { openParts } from './parts.ts';
import type { ObjectThreads } from './threads/object-threads.ts';

export type ServerOptions = {
  store: Store;
  cache: WatchCache;
  kinds: Kinds;
  host: string;
  /** 0: any free one. */
  port: number;
  /** PEM. `ca` signs clients' certificates. */
  tls: { key: string; cert: string; ca: string };
  tokens: Tokens;
  /** As kube-apiserver has them unless they are given. */
  gates?: Gates;
  /** As kube-apiserver has them where they are not given. */
  limits?: Partial<Limits>;
  /** How often the store is told to forget; 0: never. COMPACTION_INTERVAL_MS unless it is given. */
  compactionIntervalMs?: number;
  /** How long a connection without a request may stand; IDLE_CONNECTION_MS unless it is given. */
  idleConnectionMs?: number;
};

export interface RunningServer {
  readonly port: number;
  /** Ends watches, waits for answers under way, then closes every connection. */
  close(): Promise<void>;
}

/** All of a request's headers together. */
const HEADERS_MAX_BYTES = 1024 * 1024;
/**
 * Of HTTP/2. The library behind it takes nine frames of headers at most: in larger ones 1 MiB has room. Clients that
 * keep to 16 KiB, or have not read the server's settings yet, end at 144 KiB; a single header at 64 KiB.
 */
const FRAME_MAX_BYTES = 128 * 1024;
/** As the reference's. */
const IDLE_CONNECTION_MS = 90_000;
/** How long answers under way may take once the server stops. */
const DRAIN_MS = 10_000;
/** What a client may send ahead on one stream of HTTP/2; only request bodies are affected. */
const UPLOAD_WINDOW_BYTES = 1024 * 1024;
const STREAMS_PER_CONNECTION_MAX = 250;
/** As the reference chooses too: with shorter keys a list of 1 GB takes 7 % less on both sides. */
const CIPHERS = `TLS_AES_128_GCM_SHA256:${DEFAULT_CIPHERS}`;

/** Resolves once it can answer. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController();
  const { store, cache, kinds, tokens, gates = DEFAULT_GATES } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const parts = await openParts(store, cache, kinds, gates, limits);
  const dispatch = await openDispatch(parts);
  const metrics = openMetrics();
  addCacheMetrics(metrics, cache);
  addThreadMetrics(metrics, parts.threads);
  metrics.counter(
    'sluice_watch_events_encoded_total',
    'Events framed anew, once for all watchers in one form.',
    () => parts.events.made,
  );
  let port = options.port;
  const documents = openDocuments({
    kinds,
    gates,
    metrics,
    health: healthSources(options, stopping.signal),
    address: () => `${options.host}:${port}`,
  });
  const exchanges = openExchanges({
    dispatch,
    documents,
    metrics,
    kinds,
    tokens,
    gates,
    limits,
    stopping: stopping.signal,
  });
  const compaction = openCompaction(options.store, options.compactionIntervalMs);
  const server = createSecureServer(listenOptions(options), exchanges.handle);
  // As an option Node gives it to HTTP/2 alone.
  Object.assign(server, { maxHeaderSize: HEADERS_MAX_BYTES });
  server.on('clientError', answerClientError);
  const connections = trackConnections(server, options.idleConnectionMs ?? IDLE_CONNECTION_MS);
  await listen(server, options.port, options.host);
  port = (server.address() as AddressInfo).port;
  return {
    port,
    async close() {
      stopping.abort();
      compaction.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.retire();
      const deadline = setTimeout(() => {
        connections.destroy();
        parts.threads.close();
      }, DRAIN_MS);
      await exchanges.idle();
      connections.destroy();
      await closed;
      clearTimeout(deadline);
      await dispatch.close();
      parts.threads.close();
      metrics.close();
    },
  };
}

function healthSources({ cache }: ServerOptions, stopping: AbortSignal): HealthSources {
  const following = (): string | null => (cache.closed ? 'the store has ended its watch' : null);
  return {
    store: following,
    cache: following,
    servingCertificate: () => null,
    isStopping: () => stopping.aborted,
  };
}

function addCacheMetrics(metrics: Metrics, cache: WatchCache): void {
  const { gauge, counter } = metrics;
  const { twins } = cache;
  gauge('sluice_item_bytes', 'Bytes of objects in the watch cache, as JSON.', () => cache.held.items);
  gauge('sluice_history_bytes', 'Bytes of objects before and after changes.', () => cache.held.history);
  gauge('sluice_snapshot_bytes', 'Bytes that only pages still need.', () => cache.held.snapshots);
  gauge('sluice_twin_bytes', 'Bytes of deflated twins that are kept.', () => twins.counts.bytes);
  gauge('sluice_twin_budget_bytes', 'What --encoded-cache-bytes allows.', () => twins.budgetBytes);
  gauge('sluice_twins', 'Leaves that have a twin.', () => twins.counts.kept);
  counter(
    'sluice_twin_hits_total',
    'Leaves whose twin was there when it was wanted.',
    () => twins.counts.hits,
  );
  counter('sluice_twins_made_total', 'Leaves that were deflated.', () => twins.counts.made);
  counter('sluice_twins_evicted_total', 'Twins that made room for others.', () => twins.counts.evicted);
}

function addThreadMetrics({ gauge, counter }: Metrics, threads: ObjectThreads): void {
  gauge('sluice_object_threads', 'Threads for large objects that stand.', () => threads.counts.threads);
  gauge('sluice_object_jobs_waiting', 'Large objects that wait for a thread.', () => threads.counts.waiting);
  counter('sluice_object_jobs_total', 'Large objects handed to threads.', () => threads.counts.handed);
  counter('sluice_object_threads_died_total', 'Threads that died of an object.', () => threads.counts.died);
}

function listenOptions({ tls }: ServerOptions): SecureServerOptions {
  return {
    ...tls,
    ciphers: CIPHERS,
    allowHTTP1: true,
    requestCert: true,
    // Whether a certificate is good is asked for each request: without one there are still tokens, and anonymous users.
    rejectUnauthorized: false,
    settings: {
      initialWindowSize: UPLOAD_WINDOW_BYTES,
      maxConcurrentStreams: STREAMS_PER_CONNECTION_MAX,
      maxHeaderListSize: HEADERS_MAX_BYTES,
      maxFrameSize: FRAME_MAX_BYTES,
    },
  };
}

function listen(server: Http2SecureServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
