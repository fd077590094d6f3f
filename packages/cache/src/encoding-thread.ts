// One encoding thread, seen from the event loop: what it was handed, what it hands back, and its death.
import { Worker } from 'node:worker_threads';
import type { EncodingInput } from './encode-leaf.ts';
import { type EncodingOrder, type EncodingReply, READY } from './encoding-orders.ts';
import type { EncodedLeaf, Form } from './forms.ts';
import { LeafSlots } from './leaf-slots.ts';

/** What V8 may hold in a thread: text and trees of one item at a time. Buffers are not counted here. */
const HEAP_MAX_MB = 256;
const YOUNG_MAX_MB = 32;
/** Forms a thread remembers by their keys. */
const FORMS_MAX = 64;

export type Job = {
  readonly form: Form;
  readonly input: EncodingInput;
  readonly resolve: (encoded: EncodedLeaf) => void;
  readonly reject: (error: Error) => void;
};

export type ThreadListener = {
  /** A job is done: there is room for another. */
  onRoom: () => void;
  /** It died by itself. `wasReady`: it had started well. `unfinished` are its jobs, the oldest first. */
  onEnd: (error: Error, wasReady: boolean, unfinished: Job[]) => void;
};

export class EncodingThread {
  readonly #worker: Worker;
  readonly #listener: ThreadListener;
  readonly #jobs = new Map<number, Job>();
  readonly #known = new Set<string>();
  readonly #slots = new LeafSlots();
  #lastId = 0;
  #isReady = false;
  #error: Error | undefined;
  #isOver = false;

  /** @throws when there can be no more threads. */
  constructor(script: URL, listener: ThreadListener) {
    this.#listener = listener;
    this.#worker = new Worker(script, {
      name: 'encoding',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB, maxYoungGenerationSizeMb: YOUNG_MAX_MB },
    });
    // While it has nothing to do the process may end.
    this.#worker.unref();
    this.#worker.on('message', (message: typeof READY | EncodingReply) => this.#take(message));
    this.#worker.on('messageerror', (error) => this.#fail(error));
    this.#worker.on('error', (error) => {
      this.#error = error;
    });
    this.#worker.on('exit', () => this.#fail(this.#error ?? new Error('an encoding thread has ended')));
  }

  get jobs(): number {
    return this.#jobs.size;
  }

  run(job: Job): void {
    const id = ++this.#lastId;
    const { key } = job.form;
    const { json, lengths } = job.input;
    const forget = !this.#known.has(key) && this.#known.size >= FORMS_MAX;
    if (forget) this.#known.clear();
    const order: EncodingOrder = {
      id,
      form: this.#known.has(key) ? key : job.form,
      forget,
      json: this.#slots.fill(id, json),
      lengths,
    };
    this.#known.add(key);
    this.#jobs.set(id, job);
    this.#worker.ref();
    this.#worker.postMessage(order);
  }

  /** Ends it; its jobs are rejected. */
  end(error: Error): void {
    this.#isOver = true;
    for (const job of this.#jobs.values()) job.reject(error);
    this.#jobs.clear();
    void this.#worker.terminate();
  }

  #take(message: typeof READY | EncodingReply): void {
    if (message === READY) {
      this.#isReady = true;
      return;
    }
    const job = this.#jobs.get(message.id);
    if (!job) return;
    this.#jobs.delete(message.id);
    this.#slots.release(message.id);
    if (this.#jobs.size === 0) this.#worker.unref();
    if ('encoded' in message) job.resolve(message.encoded);
    else job.reject(new Error(message.error));
    this.#listener.onRoom();
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const unfinished = [...this.#jobs.values()];
    this.#jobs.clear();
    void this.#worker.terminate();
    this.#listener.onEnd(error, this.#isReady, unfinished);
  }
}
