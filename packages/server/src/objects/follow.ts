// Follows the objects of one resource by name and works on one after the other: what the server's own controllers are made of.

import { keyText } from '../keys.ts';
import type { Parts } from '../parts.ts';

export interface Follower {
  /** Works on the object again after a while. */
  again(name: string, afterMs: number): void;
  /** Resolves when the object that is being worked on is done. */
  close(): Promise<void>;
}

/** A failure is tried again; the store may be full, or closing. */
const RETRY_MS = 1000;

/**
 * Works on every object there is, then on each that changes or goes, one at a time. An object that changes often
 * meanwhile is worked on once.
 */
export function follow(parts: Parts, storagePrefix: string, work: (name: string) => Promise<void>): Follower {
  const waiting = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  function enqueue(name: string): void {
    if (isClosed) return;
    waiting.add(name);
    start();
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      if (waiting.size > 0 && !isClosed) start();
    });
  }

  async function run(): Promise<void> {
    for (const name of waiting) {
      if (isClosed) return;
      waiting.delete(name);
      try {
        await work(name);
      } catch {
        again(name, RETRY_MS);
      }
    }
  }

  function again(name: string, afterMs: number): void {
    if (isClosed || timers.has(name)) return;
    const timer = setTimeout(() => {
      timers.delete(name);
      enqueue(name);
    }, afterMs);
    timers.set(name, timer.unref());
  }

  const nameOf = (key: string): string => keyText(key.slice(storagePrefix.length));
  const cache = parts.cache.resource(storagePrefix);
  const first = cache.current();
  for (const leaf of first.leaves(storagePrefix, storagePrefix)) {
    for (const key of leaf.keys) enqueue(nameOf(key));
  }
  const subscription = cache.subscribe(
    first.revision,
    ({ key }) => enqueue(nameOf(key)),
    () => {},
  );
  return {
    again,
    async close() {
      isClosed = true;
      subscription.stop();
      for (const timer of timers.values()) clearTimeout(timer);
      await running;
    },
  };
}
