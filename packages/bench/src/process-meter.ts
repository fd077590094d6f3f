// Reads what a process uses from /proc: CPU seconds, and its resident memory while it is watched.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory in MiB, but for `rssBytes`: resident memory, a sample every `everySeconds`. */
export type Usage = {
  cpuSeconds: number;
  rssBefore: number;
  rssPeak: number;
  /** Without pages of mapped files, which the kernel may take back: RssAnon + RssShmem. */
  ownPeak: number;
  everySeconds: number;
  rssBytes: number[];
};
export type Meter = { stop(): Usage };

const SAMPLE_EVERY_MS = 50;

export function startMeter(pid: number): Meter {
  const rssBefore = readMemory(pid).VmRSS ?? 0;
  forgetPeak(pid);
  let ownPeak = 0;
  const rssBytes: number[] = [];
  const sample = () => {
    const memory = readMemory(pid);
    ownPeak = Math.max(ownPeak, ownMemory(memory));
    rssBytes.push(Math.round((memory.VmRSS ?? 0) * MIB));
  };
  sample();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  const cpuBefore = readCpu(pid);
  return {
    stop() {
      const cpuSeconds = cpuBetween(cpuBefore, readCpu(pid));
      clearInterval(timer);
      sample();
      const rssPeak = readMemory(pid).VmHWM ?? 0;
      return { cpuSeconds, rssBefore, rssPeak, ownPeak, everySeconds: SAMPLE_EVERY_MS / 1000, rssBytes };
    },
  };
}

/** RssAnon + RssShmem now, bytes. */
export function readOwnMemory(pid: number): number {
  return ownMemory(readMemory(pid)) * MIB;
}

/** CPU seconds of child processes that have ended, to the tick. */
export function readChildrensCpu(): number {
  const fields = readStat('self');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const MIB = 2 ** 20;
/** The kernel tells a process's CPU time in ticks of 10 ms on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
const TICK_SECONDS = 1 / TICKS_PER_SECOND;

type Cpu = { seconds: number; threads: Map<string, number> };

/**
 * Threads tell nanoseconds, but those that have ended are missing; the process tells ticks of all there ever were. The
 * ticks count when they show more than their rounding explains.
 */
function cpuBetween(before: Cpu, after: Cpu): number {
  let byThreads = 0;
  for (const [id, seconds] of after.threads) byThreads += seconds - (before.threads.get(id) ?? 0);
  return Math.max(byThreads, after.seconds - before.seconds - TICK_SECONDS);
}

function readCpu(pid: number): Cpu {
  const fields = readStat(pid);
  const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  const threads = new Map<string, number>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const spent = readIfThere(`/proc/${pid}/task/${id}/schedstat`);
    if (spent !== undefined) threads.set(id, Number(spent.split(' ')[0]) / 1e9);
  }
  return { seconds, threads };
}

/** From the third field on: the name in brackets may hold blanks, so fields are counted from its end. */
function readStat(pid: number | 'self'): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A thread may end while the list is read; some kernels tell no such times. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function ownMemory({ RssAnon = 0, RssShmem = 0 }: Record<string, number>): number {
  return RssAnon + RssShmem;
}

/** Rows of /proc/PID/status in MiB. */
function readMemory(pid: number): Record<string, number> {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rows = [...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)];
  return Object.fromEntries(rows.map(([, name, kib]) => [name, Number(kib) / 1024]));
}

function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Of another user's process the peak is that of its life.
  }
}
