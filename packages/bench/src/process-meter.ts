// Reads what a process has used from /proc: CPU seconds, resident memory now and at its peak.
import { readFileSync, writeFileSync } from 'node:fs';

export type Usage = { cpuSeconds: number; rssBefore: number; rssPeak: number; ownPeak: number };
export type Meter = { stop(): Usage };

/** The kernel counts CPU time in ticks of 10 ms on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY_MS = 50;

/** Memory in MiB. `ownPeak` leaves out pages of mapped files, which the kernel may take back: RssAnon + RssShmem. */
export function startMeter(pid: number): Meter {
  const cpuBefore = readCpuSeconds(pid);
  const rssBefore = readStatus(pid).VmRSS ?? 0;
  forgetPeak(pid);
  let ownPeak = 0;
  const sample = () => {
    const status = readStatus(pid);
    ownPeak = Math.max(ownPeak, (status.RssAnon ?? 0) + (status.RssShmem ?? 0));
  };
  sample();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      const rssPeak = readStatus(pid).VmHWM ?? 0;
      return { cpuSeconds: readCpuSeconds(pid) - cpuBefore, rssBefore, rssPeak, ownPeak };
    },
  };
}

function readCpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold blanks: fields are counted from its end. User and system time are 14 and 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function readStatus(pid: number): Record<string, number> {
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
