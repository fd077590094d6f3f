// Changes that a watcher has not been sent yet: bounded, and what its loop sleeps on.
import type { Change } from '@sluice/cache';

/** A watcher this far behind is ended, as the reference does: it lists again. */
export const WATCH_BEHIND_BYTES: number = 1024 * 1024;
export const WATCH_BEHIND_CHANGES = 1000;

export class WatchQueue {
  readonly #endsAt: number;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.end();
  #changes: Change[] = [];
  #first = 0;
  #bytes = 0;
  #over = false;
  #wake: (() => void) | undefined;

  /** `endsAt`: on performance.now()'s clock. */
  constructor(endsAt: number, signal: AbortSignal) {
    this.#endsAt = endsAt;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.#over = true;
  }

  add(change: Change): void {
    if (this.#over) return;
    const isAlone = this.#changes.length === this.#first;
    this.#changes.push(change);
    this.#bytes += sizeOf(change);
    const waiting = this.#changes.length - this.#first;
    if (!isAlone && (this.#bytes > WATCH_BEHIND_BYTES || waiting > WATCH_BEHIND_CHANGES)) this.end();
    else this.#wake?.();
  }

  take(): Change | undefined {
    if (this.#over) return undefined;
    const change = this.#changes[this.#first];
    if (!change) return undefined;
    this.#first++;
    this.#bytes -= sizeOf(change);
    if (this.#first === this.#changes.length) {
      this.#changes = [];
      this.#first = 0;
    }
    return change;
  }

  /** It was ended, or its time is up. */
  get isOver(): boolean {
    return this.#over || performance.now() >= this.#endsAt;
  }

  /** Sleeps until there is a change, the watch is over, or the time has come. */
  async wait(until: number): Promise<'change' | 'time' | 'over'> {
    for (;;) {
      if (this.isOver) return 'over';
      if (this.#changes.length > this.#first) return 'change';
      if (performance.now() >= until) return 'time';
      await this.#sleep(Math.min(until, this.#endsAt) - performance.now());
    }
  }

  waitMs(ms: number): Promise<unknown> {
    return this.wait(performance.now() + ms);
  }

  /** The watch is over: what is queued is dropped. */
  end(): void {
    this.#over = true;
    this.#changes = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#wake?.();
  }

  close(): void {
    this.end();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, Math.max(1, ms));
      const self = this;
      function wake(): void {
        clearTimeout(timer);
        self.#wake = undefined;
        resolve();
      }
      this.#wake = wake;
    });
  }
}

function sizeOf(change: Change): number {
  return change.item?.bytes.length ?? change.previous?.bytes.length ?? 0;
}
