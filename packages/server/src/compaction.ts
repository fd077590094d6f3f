// Has the store forget old events: every few minutes, up to where it stood the time before, as kube-apiserver does.
import type { Store } from '@sluice/storage';

/** kube-apiserver's default of --etcd-compaction-interval. */
export const COMPACTION_INTERVAL_MS: number = 5 * 60_000;

export function openCompaction(store: Store, intervalMs: number = COMPACTION_INTERVAL_MS): { stop(): void } {
  let before = store.revision;
  const timer = setInterval(() => {
    const upTo = before;
    before = store.revision;
    // A compaction that fails is made up for by the next one.
    if (upTo > store.compacted) store.compact(upTo).catch(() => {});
  }, intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}
