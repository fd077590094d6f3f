// What a server used for a round: from /proc where its process id is known, else from /metrics; turns and pauses from /metrics.
import { askWhole, openClient } from './client.ts';
import type { Subject } from './list-load.ts';
import { startMeter } from './process-meter.ts';

/** Seconds and bytes of one round. What could not be told is missing. */
export type ServerUse = {
  cpuSeconds?: number;
  rssStart?: number;
  rssPeak?: number;
  /** At its peak, mapped files left out, above what the server says it holds of objects. */
  ownAboveHeld?: number;
  longestTurn?: number;
  gcSeconds?: number;
  everySeconds: number;
  rssBytes: number[];
};

export type ServerMeter = {
  /** Work that is waited for, and what the server used meanwhile. */
  during<T>(work: () => Promise<T>): Promise<{ result: T; use: ServerUse }>;
  close(): void;
};

export function openServerMeter(subject: Subject): ServerMeter {
  const client = openClient(subject, 'h1');
  const scrape = () => readMetrics(client);
  return {
    async during(work) {
      const before = await scrape();
      const { pid } = subject;
      const meter = pid === undefined ? undefined : startMeter(pid);
      const sampled = meter === undefined ? sampleMetrics(scrape, before) : undefined;
      try {
        const result = await work();
        const usage = meter?.stop();
        const samples = await sampled?.stop();
        const after = await scrape();
        const own: ServerUse = usage
          ? {
              cpuSeconds: usage.cpuSeconds,
              rssStart: usage.rssBefore * MIB,
              rssPeak: usage.rssPeak * MIB,
              ...aboveHeld(usage.ownPeak * MIB, after),
              everySeconds: usage.everySeconds,
              rssBytes: usage.rssBytes,
            }
          : { ...fromMetrics(before, after, samples ?? []), everySeconds: METRICS_EVERY_MS / 1000 };
        return { result, use: { ...own, ...turns(before, after) } };
      } catch (error) {
        meter?.stop();
        await sampled?.stop();
        throw error;
      }
    },
    close: () => client.close(),
  };
}

export type Metrics = ReadonlyMap<string, number>;

/** Values without labels; none where there is no /metrics, or it may not be read. */
export async function readMetrics(client: ReturnType<typeof openClient>): Promise<Metrics> {
  const { code, text } = await askWhole(client, '/metrics').catch(() => ({ code: 0, text: '' }));
  if (code !== 200) return new Map();
  const rows = text.matchAll(/^([a-z_]+) ([0-9.e+-]+)$/gm);
  return new Map([...rows].map(([, name, value]) => [name!, Number(value)]));
}

const MIB = 2 ** 20;
/** Answering costs the server something: rarer than reading /proc. */
const METRICS_EVERY_MS = 1_000;

function sampleMetrics(scrape: () => Promise<Metrics>, before: Metrics): { stop(): Promise<number[]> } {
  const samples = resident(before);
  let pending: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pending = pending.then(async () => void samples.push(...resident(await scrape())));
  }, METRICS_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await pending;
      return samples;
    },
  };
}

function resident(metrics: Metrics): number[] {
  const bytes = metrics.get('process_resident_memory_bytes');
  return bytes === undefined ? [] : [bytes];
}

function fromMetrics(before: Metrics, after: Metrics, samples: number[]): Omit<ServerUse, 'everySeconds'> {
  const rssBytes = [...samples, ...resident(after)];
  const cpuSeconds = difference(before, after, 'process_cpu_seconds_total');
  return {
    ...(cpuSeconds !== undefined && { cpuSeconds }),
    ...(rssBytes.length > 0 && { rssStart: rssBytes[0]!, rssPeak: Math.max(...rssBytes) }),
    rssBytes,
  };
}

/** A server in Node tells its own figures, one in Go the pauses of its collector. */
function turns(before: Metrics, after: Metrics): { longestTurn?: number; gcSeconds?: number } {
  const longestTurn = after.get('nodejs_eventloop_lag_recent_max_seconds');
  const gcSeconds =
    difference(before, after, 'nodejs_gc_seconds_total') ??
    difference(before, after, 'go_gc_duration_seconds_sum');
  return { ...(longestTurn !== undefined && { longestTurn }), ...(gcSeconds !== undefined && { gcSeconds }) };
}

/** What Sluice tells of its memory; no other server has such figures. */
const HELD = ['sluice_item_bytes', 'sluice_history_bytes', 'sluice_snapshot_bytes', 'sluice_twin_bytes'];

function aboveHeld(bytes: number, metrics: Metrics): { ownAboveHeld?: number } {
  const held = HELD.map((name) => metrics.get(name));
  if (held.some((value) => value === undefined)) return {};
  return { ownAboveHeld: held.reduce((left: number, value) => left - value!, bytes) };
}

function difference(before: Metrics, after: Metrics, name: string): number | undefined {
  const [from, to] = [before.get(name), after.get(name)];
  return from === undefined || to === undefined ? undefined : to - from;
}
