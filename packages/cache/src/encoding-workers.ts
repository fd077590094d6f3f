// The pool of threads that encode leaves, so that the event loop never does: started when first needed, replaced when they die.
import { availableParallelism } from 'node:os';
import { type EncodingInput, encodeLeafInSlices } from './encode-leaf.ts';
import { EncodingThread, type Job } from './encoding-thread.ts';
import type { EncodedLeaf, Form } from './forms.ts';

/** As many as there are cores: while leaves are made the event loop waits for them. */
const WORKERS_MAX = 8;
/** Jobs a thread has at a time: one it works on, one that waits there, so that it never waits for the event loop. */
export const JOBS_PER_WORKER = 2;
/** The same for light forms: what a list asks for at a time, since waking another thread takes longer than a leaf. */
export const LIGHT_JOBS_PER_WORKER = 3;
/** Threads started ahead of the first leaf: some 15 MB each. */
const PREPARED_MAX = 2;
/** After a thread could not be started the event loop does the work itself for so long. */
const START_AGAIN_MS = 10_000;

/** Who encodes leaves. What is handed over must not change until the promise settles. */
export interface LeafEncoder {
  encode(form: Form, input: EncodingInput): Promise<EncodedLeaf>;
  /** What takes time to start is started, so that the first leaf need not wait for it. */
  prepare(): void;
  close(): void;
}

export type EncodingWorkersOptions = {
  workers?: number;
  /** What a thread runs; for tests of threads that fail. */
  script?: URL;
};

// The built file: no import leads to it.
const SCRIPT = new URL('./encoding-worker.js', import.meta.url);

export class EncodingWorkers implements LeafEncoder {
  readonly #workersMax: number;
  readonly #script: URL;
  readonly #threads = new Set<EncodingThread>();
  /** In the order asked for: a list asks for a few leaves at a time, so all lists get their turn. */
  readonly #queue: Job[] = [];
  #isEncodingHere = false;
  #startAgainAt = 0;
  #isClosed = false;

  constructor(options: EncodingWorkersOptions = {}) {
    this.#workersMax = options.workers ?? Math.min(WORKERS_MAX, availableParallelism());
    this.#script = options.script ?? SCRIPT;
  }

  /** Threads that stand, and jobs that wait for one: for tests that count. */
  get counts(): { threads: number; waiting: number } {
    return { threads: this.#threads.size, waiting: this.#queue.length };
  }

  encode(form: Form, input: EncodingInput): Promise<EncodedLeaf> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ form, input, resolve, reject });
      this.#handOut();
    });
  }

  prepare(): void {
    const wanted = this.#isClosed ? 0 : Math.min(PREPARED_MAX, this.#workersMax);
    while (this.#threads.size < wanted && this.#start()) {}
  }

  /** Ends the threads. What they have not finished is rejected. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    for (const thread of this.#threads) thread.end(closedError());
    this.#threads.clear();
  }

  #handOut(): void {
    while (this.#queue.length > 0) {
      const thread = this.#freeThread(this.#queue[0]!.form);
      if (thread) thread.run(this.#queue.shift()!);
      else {
        if (this.#threads.size === 0) this.#encodeHere();
        return;
      }
    }
  }

  /**
   * The one with the least to do; a new one rather than one that is busy. For a light form the first with room.
   * Undefined: none has room.
   */
  #freeThread(form: Form): EncodingThread | undefined {
    let free: EncodingThread | undefined;
    if (isLight(form)) {
      for (const thread of this.#threads) if (thread.jobs < LIGHT_JOBS_PER_WORKER) return thread;
    }
    for (const thread of this.#threads) if (!free || thread.jobs < free.jobs) free = thread;
    if (free?.jobs === 0) return free;
    const mayStart = this.#threads.size < this.#workersMax && performance.now() >= this.#startAgainAt;
    const started = mayStart ? this.#start() : undefined;
    return started ?? (free && free.jobs < JOBS_PER_WORKER ? free : undefined);
  }

  #start(): EncodingThread | undefined {
    try {
      const thread = new EncodingThread(this.#script, {
        onRoom: () => this.#handOut(),
        onEnd: (error, wasReady, unfinished) => {
          this.#threads.delete(thread);
          if (!wasReady) this.#startAgainAt = performance.now() + START_AGAIN_MS;
          // The oldest job is what it died over, and others might too. One that never worked says nothing against its jobs.
          if (wasReady) unfinished.shift()?.reject(error);
          this.#queue.unshift(...unfinished);
          this.#handOut();
        },
      });
      this.#threads.add(thread);
      return thread;
    } catch {
      this.#startAgainAt = performance.now() + START_AGAIN_MS;
      return undefined;
    }
  }

  /** One at a time, in slices. */
  #encodeHere(): void {
    const job = this.#isEncodingHere ? undefined : this.#queue.shift();
    if (!job) return;
    this.#isEncodingHere = true;
    void encodeLeafInSlices(job.form, job.input)
      .then(job.resolve, job.reject)
      .finally(() => {
        this.#isEncodingHere = false;
        this.#handOut();
      });
  }
}

/** Most of an item is passed over. */
function isLight({ view }: Form): boolean {
  return view.shows !== 'object';
}

function closedError(): Error {
  return new Error('the encoding threads have ended');
}
