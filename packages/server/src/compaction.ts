// Has the store forget old events: every few minutes, up to where it stood the time before, as kube-apiserver does.
import type { Store } from '@sluice/storage';

/** kube-apiserver's default of --etcd-compaction-interval. */
export const COMPACTION_INTERVAL_MS: number = 5 * 60_000;
/** Node's timers know no longer time. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** With an interval of 0 nothing is forgotten. */
export function openCompaction(store: Store, intervalMs: number = COMPACTION_INTERVAL_MS): { stop(): void } {
  if (intervalMs === 0) return { stop: () => {} };
  let before = store.revision;
  const compact = (): void => {
    const upTo = before;
    before = store.revision;
    // A compaction that fails is made up for by the next one.
    if (upTo > store.compacted) store.compact(upTo).catch(() => {});
  };
  const timer = setInterval(compact, Math.min(intervalMs, TIMER_MAX_MS)).unref();
  return { stop: () => clearInterval(timer) };
}
