// Who is told of writes: live watches at once, younger ones after they have read what they missed.
import { type Revision, StoreError, type StoreEvent, type Watch, type WatchListener } from './store.ts';

/** What an engine gives so that a watch can begin in the past. */
export type History = {
  /** The newest revision whose events were handed to `tell()`. */
  revision(): Revision;
  /** The next events after a revision, up to `revision()`: a piece that is read and told within one turn. */
  read(after: Revision): readonly StoreEvent[];
};

type Watcher = { listener: WatchListener; after: Revision; stopped: boolean };

/**
 *   watch(after) ── after = newest ──▶ live ◀── tell(events)
 *        │                               ▲
 *        └── older ──▶ behind ── caught up: nothing is between its last event and the newest
 *                      │    ▲
 *                      └────┘ a piece of history each turn
 */
export class Watchers {
  readonly #history: History;
  readonly #live = new Set<Watcher>();
  readonly #behind = new Set<Watcher>();
  readonly #untold: (readonly StoreEvent[])[] = [];
  #telling = false;
  #passing: { revision: Revision; resolve: () => void }[] = [];

  constructor(history: History) {
    this.#history = history;
  }

  add(after: Revision, listener: WatchListener): Watch {
    const watcher: Watcher = { listener, after, stopped: false };
    if (after === this.#history.revision()) {
      this.#live.add(watcher);
    } else {
      this.#behind.add(watcher);
      setImmediate(() => this.#catchUp(watcher));
    }
    return { stop: () => this.#remove(watcher) };
  }

  /**
   * Tells live watches. A listener that makes a write is on the stack when the next events come: they wait for
   * their turn, or watches further down the set would see them in the wrong order.
   */
  tell(events: readonly StoreEvent[]): void {
    this.#untold.push(events);
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
      for (const watcher of [...this.#live]) this.#deliver(watcher, next);
    }
    this.#telling = false;
  }

  /** Resolves when no watch has still to read events up to and with this revision. */
  async passed(revision: Revision): Promise<void> {
    if (![...this.#behind].some((watcher) => watcher.after < revision)) return;
    await new Promise<void>((resolve) => this.#passing.push({ revision, resolve }));
  }

  /** Ends every watch: null for an orderly end. */
  end(error: StoreError | null): void {
    for (const watcher of [...this.#live, ...this.#behind]) {
      if (!watcher.stopped) this.#endOne(watcher, error);
    }
  }

  #catchUp(watcher: Watcher): void {
    if (watcher.stopped) return;
    try {
      this.#deliver(watcher, this.#history.read(watcher.after));
    } catch (error) {
      this.#endOne(watcher, error instanceof StoreError ? error : unreadable(error));
    }
    if (watcher.stopped) return;
    if (watcher.after === this.#history.revision()) {
      this.#behind.delete(watcher);
      this.#live.add(watcher);
    } else {
      setImmediate(() => this.#catchUp(watcher));
    }
    this.#checkPassing();
  }

  /** A listener that throws has lost its place; its own watch ends, and nobody else notices. */
  #deliver(watcher: Watcher, events: readonly StoreEvent[]): void {
    if (watcher.stopped) return;
    const unseen = events.filter((event) => event.revision > watcher.after);
    const last = unseen.at(-1);
    if (last === undefined) return;
    watcher.after = last.revision;
    try {
      watcher.listener.onEvents(unseen);
    } catch (error) {
      const message = `the watch's listener failed on revision ${last.revision} or before`;
      if (!watcher.stopped) this.#endOne(watcher, new StoreError('failed', message, { cause: error }));
    }
  }

  #endOne(watcher: Watcher, error: StoreError | null): void {
    this.#remove(watcher);
    try {
      watcher.listener.onEnd(error);
    } catch (thrown) {
      // Nobody is left to answer to; hide no bug, disturb no other watch.
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }

  #remove(watcher: Watcher): void {
    watcher.stopped = true;
    this.#live.delete(watcher);
    if (this.#behind.delete(watcher)) this.#checkPassing();
  }

  #checkPassing(): void {
    const passing = this.#passing;
    if (passing.length === 0) return;
    const behind = [...this.#behind];
    const waits = (revision: Revision): boolean => behind.some((watcher) => watcher.after < revision);
    this.#passing = passing.filter(({ revision }) => waits(revision));
    for (const { revision, resolve } of passing) if (!waits(revision)) resolve();
  }
}

function unreadable(error: unknown): StoreError {
  return new StoreError('failed', 'the events of the past could not be read', { cause: error });
}
