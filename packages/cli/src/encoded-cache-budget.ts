// How much memory twins get unless a flag says otherwise: a share of what this process may use, cgroup limits included.
import { totalmem } from 'node:os';

/** Enough for the twins of a 1 GB list on a machine of 24 GiB, and a tenth of the objects on one of 1 GiB. */
const SHARE = 1 / 16;
const LEAST_BYTES = 64 * 2 ** 20;
const MOST_BYTES = 4 * 2 ** 30;

/** In whole MiB. `limitBytes`: what the container allows; 0 or more than there is: no limit. */
export function encodedCacheBudget(
  machineBytes: number = totalmem(),
  limitBytes: number = process.constrainedMemory() ?? 0,
): number {
  const usable = limitBytes > 0 ? Math.min(limitBytes, machineBytes) : machineBytes;
  const share = Math.min(Math.max(usable * SHARE, LEAST_BYTES), MOST_BYTES);
  return Math.floor(share / 2 ** 20) * 2 ** 20;
}
