// Cuts long walks into slices, so that no turn of the event loop is longer than a few milliseconds.
import { setImmediate } from 'node:timers/promises';

/** A slice ends when it took this long; leaves are small, so a turn is hardly longer. */
const SLICE_MS = 5;

export interface Slices {
  /** Between two steps of a walk: lets others run if this slice is over. */
  next(): Promise<void> | undefined;
}

export function openSlices(): Slices {
  let until = performance.now() + SLICE_MS;
  return {
    next() {
      if (performance.now() < until) return undefined;
      return setImmediate().then(() => {
        until = performance.now() + SLICE_MS;
      });
    },
  };
}
