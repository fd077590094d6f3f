// /metrics: requests, what is in flight, the process and the event loop, and gauges that other rooms have read for them.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WholeAnswer } from './api.ts';
import type { Route } from './request.ts';

export interface Metrics {
  /** A request was routed. Tell the function it gives how the request ended, exactly once. */
  begin(labels: RequestLabels): (end: RequestEnd) => void;
  /** A value that is read when metrics are asked for; `sluice_…`. */
  gauge(name: string, help: string, read: () => number): void;
  /** The same for what only grows; `sluice_…_total`. */
  counter(name: string, help: string, read: () => number): void;
  answer(): Promise<WholeAnswer>;
  close(): void;
}

/** `bytes`: of the answer's body on the wire. */
export type RequestEnd = { code: number; bytes: number };

/** Every value is one of a few: what a client makes up is not among them. */
export type RequestLabels = {
  verb: string;
  dry_run: string;
  group: string;
  version: string;
  resource: string;
  subresource: string;
  scope: string;
};

const DURATIONS_S = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const SIZES_BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const REQUEST_LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const total = new Counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, kind, scope and HTTP code.',
    labelNames: [...REQUEST_LABELS, 'dry_run', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: [...REQUEST_LABELS, 'dry_run'],
    buckets: DURATIONS_S,
    registers,
  });
  const sizes = new Histogram({
    name: 'apiserver_response_sizes',
    help: 'Bytes of the bodies of GET and LIST answers on the wire.',
    labelNames: [...REQUEST_LABELS],
    buckets: SIZES_BYTES,
    registers,
  });
  const inFlight = new Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests that are being answered, watches not counted.',
    labelNames: ['request_kind'],
    registers,
  });
  const longRunning = new Gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Watches that are open.',
    labelNames: [...REQUEST_LABELS],
    registers,
  });
  const observed = observeProcess(registry);

  return {
    begin({ dry_run, ...labels }) {
      const start = performance.now();
      const named = { ...labels, component: 'apiserver' };
      const isWatch = labels.verb === 'WATCH';
      const kind = { request_kind: READING_VERBS.has(labels.verb) ? 'readOnly' : 'mutating' };
      if (isWatch) longRunning.inc(named);
      else inFlight.inc(kind);
      return ({ code, bytes }) => {
        if (isWatch) longRunning.dec(named);
        else inFlight.dec(kind);
        total.inc({ ...named, dry_run, code: String(code) });
        durations.observe({ ...named, dry_run }, (performance.now() - start) / 1000);
        if (labels.verb === 'GET' || labels.verb === 'LIST') sizes.observe(named, bytes);
      };
    },
    gauge: (name, help, read) => void readGauge(registry, name, help, read),
    counter: (name, help, read) => void readCounter(registry, name, help, read),
    async answer() {
      const body = Buffer.from(await registry.metrics());
      return { type: 'whole', code: 200, mediaType: METRICS_TYPE, body };
    },
    close: () => observed.stop(),
  };
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
const READING_VERBS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LIST', 'WATCH']);

const VERBS: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Paths that lead nowhere are counted together. */
export function requestLabels(
  route: Route,
  /** Also that of a list narrowed to one object. */
  name: string,
  method: string,
  isDryRun: boolean,
): RequestLabels {
  const dry_run = isDryRun ? 'All' : '';
  if (route.to !== 'resource') {
    const verb = METHODS.has(method) ? method : 'OTHER';
    return { verb, dry_run, group: '', version: '', resource: '', subresource: '', scope: '' };
  }
  const { kind, verb, namespace, subresource } = route.target;
  const isNamed = name !== '' || verb === 'create';
  const scope = isNamed ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
  const { group, version, plural: resource } = kind;
  return { verb: VERBS[verb] ?? verb.toUpperCase(), dry_run, group, version, resource, subresource, scope };
}

/** Short enough to see a turn of 20 ms. */
const LOOP_RESOLUTION_MS = 5;

/** Node records the time between two timers, the wait that was asked for included. Nanoseconds → seconds. */
function lateness(betweenNs: number): number {
  return Math.max(0, betweenNs / 1e6 - LOOP_RESOLUTION_MS) / 1e3;
}

function observeProcess(registry: Registry): { stop(): void } {
  const started = Date.now() / 1000 - process.uptime();
  readGauge(registry, 'process_start_time_seconds', 'When the process began.', () => started);
  readGauge(registry, 'process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  readGauge(registry, 'process_open_fds', 'Open file descriptors.', openDescriptors);
  readCounter(registry, 'process_cpu_seconds_total', 'CPU time of all threads.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const memory = (part: 'heapUsed' | 'heapTotal' | 'external' | 'arrayBuffers') => () =>
    process.memoryUsage()[part];
  readGauge(registry, 'nodejs_heap_size_used_bytes', 'JavaScript heap in use.', memory('heapUsed'));
  readGauge(registry, 'nodejs_heap_size_total_bytes', 'JavaScript heap reserved.', memory('heapTotal'));
  readGauge(registry, 'nodejs_external_memory_bytes', 'Memory outside of the heap.', memory('external'));
  readGauge(
    registry,
    'nodejs_array_buffers_bytes',
    'Buffers, part of the external memory.',
    memory('arrayBuffers'),
  );
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const delay = 'How late timers are, since the start';
  readGauge(registry, 'nodejs_eventloop_lag_p50_seconds', `${delay}: median.`, () =>
    lateness(loop.percentile(50)),
  );
  readGauge(registry, 'nodejs_eventloop_lag_p99_seconds', `${delay}: 99%.`, () =>
    lateness(loop.percentile(99)),
  );
  readGauge(registry, 'nodejs_eventloop_lag_max_seconds', `${delay}: most.`, () => lateness(loop.max));
  const sinceAsked = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  sinceAsked.enable();
  readGauge(
    registry,
    'nodejs_eventloop_lag_recent_max_seconds',
    'How late timers were at most since this was last asked for.',
    () => {
      const most = lateness(sinceAsked.max);
      sinceAsked.reset();
      return most;
    },
  );
  const collections = observeCollections();
  const collecting = "Time of garbage collections that stopped the event loop's thread.";
  readCounter(registry, 'nodejs_gc_seconds_total', collecting, () => collections.seconds());
  return {
    stop() {
      loop.disable();
      sinceAsked.disable();
      collections.stop();
    },
  };
}

function observeCollections(): { seconds(): number; stop(): void } {
  let milliseconds = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) milliseconds += duration;
  });
  observer.observe({ entryTypes: ['gc'] });
  return { seconds: () => milliseconds / 1e3, stop: () => observer.disconnect() };
}

/** 0 on systems without /proc. */
function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function readGauge(registry: Registry, name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function readCounter(registry: Registry, name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
