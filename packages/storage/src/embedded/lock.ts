// Which process has a store open: a record in the store itself, checked and replaced in one transaction.
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * `started` tells a process from a later one that got the same pid; `boot` and `space` (the pid namespace) tell
 * whether the pid means anything here. They are empty where there is no /proc. `token` tells two opens of one process.
 */
export type Owner = { pid: number; started: string; boot: string; space: string; token: string };

export function newOwner(): Owner {
  return {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    boot: read('/proc/sys/kernel/random/boot_id').trim(),
    space: pidSpace(),
    token: randomUUID(),
  };
}

/**
 * Whether the owner's process still runs. One that was killed leaves its record; so does one in a container that is
 * gone, whose pid says nothing here: both must not keep a new server out.
 */
export function isRunning(owner: Owner): boolean {
  const self = newOwner();
  if (owner.boot !== self.boot || owner.space !== self.space) return false;
  if (self.started === '') return answersSignals(owner.pid);
  return startOf(owner.pid) === owner.started;
}

export function encodeOwner(owner: Owner): Buffer {
  return Buffer.from([owner.pid, owner.started, owner.boot, owner.space, owner.token].join('\n'));
}

export function decodeOwner(bytes: Uint8Array): Owner {
  const [pid = '', started = '', boot = '', space = '', token = ''] = Buffer.from(bytes)
    .toString()
    .split('\n');
  return { pid: Number(pid), started, boot, space, token };
}

/** In clock ticks since boot; undefined when there is no such process, or only its exit status is left. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold anything; 3 is the state, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
