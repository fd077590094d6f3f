// One object thread, seen from the event loop: what it was handed, what it hands back, what it writes, and its death.
import { Worker } from 'node:worker_threads';
import type { StoredDefinition } from '@sluice/cache';
import { ApiError, timeout } from '@sluice/resources';
import { StoreError } from '@sluice/storage';
import type { Gates } from '../gates.ts';
import type { ObjectWrite, StoredObjects } from '../objects/stored-objects.ts';
import { type AnsweredQuestions, answerQuestions } from './answered-questions.ts';
import type { FromThread, HandedDefinition, KindName, Order, ToThread, Written } from './orders.ts';
import type { TaskName } from './tasks.ts';

const YOUNG_MAX_MB = 64;
/** Definitions a thread remembers by their names. */
const DEFINITIONS_MAX = 64;

export type Job = {
  readonly task: TaskName;
  readonly input: unknown;
  readonly kind: KindName;
  /** Of a custom kind, as it is stored now. */
  readonly definition: ({ name: string } & StoredDefinition) | undefined;
  /** What is worked on, about: body, object, definition. */
  readonly bytes: number;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
};

export type ThreadOptions = { script: URL; gates: Gates; heapMaxMb: number; jobMaxMs: number };

export type ThreadListener = {
  /** A job is done: there is room for another. */
  onRoom: () => void;
  /** It died by itself, or was ended over a job that took too long. `unbegun` are the jobs it had not looked at. */
  onEnd: (wasReady: boolean, unbegun: Job[]) => void;
};

export class ObjectThread {
  readonly #worker: Worker;
  readonly #objects: StoredObjects;
  readonly #options: ThreadOptions;
  readonly #listener: ThreadListener;
  readonly #questions: AnsweredQuestions;
  readonly #jobs = new Map<number, Job>();
  readonly #begun = new Map<number, NodeJS.Timeout>();
  readonly #known = new Map<string, bigint>();
  #lastId = 0;
  #isReady = false;
  #error: Error | undefined;
  #isOver = false;

  /** @throws when there can be no more threads. */
  constructor(objects: StoredObjects, options: ThreadOptions, listener: ThreadListener) {
    this.#objects = objects;
    this.#options = options;
    this.#listener = listener;
    this.#questions = answerQuestions(objects);
    const { questions, answered } = this.#questions.start;
    try {
      this.#worker = new Worker(options.script, {
        name: 'objects',
        execArgv: [],
        workerData: { gates: options.gates, questions, answered },
        transferList: [questions],
        resourceLimits: {
          maxOldGenerationSizeMb: options.heapMaxMb,
          maxYoungGenerationSizeMb: YOUNG_MAX_MB,
        },
      });
    } catch (error) {
      this.#questions.close();
      throw error;
    }
    // While it has nothing to do the process may end.
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    this.#worker.on('messageerror', (error) => this.#fail(error));
    this.#worker.on('error', (error) => {
      this.#error = error;
    });
    this.#worker.on('exit', () => this.#fail(this.#error ?? new Error('an object thread has ended')));
  }

  get jobs(): number {
    return this.#jobs.size;
  }

  /** What its jobs work on, together. */
  get bytes(): number {
    let bytes = 0;
    for (const job of this.#jobs.values()) bytes += job.bytes;
    return bytes;
  }

  run(job: Job): void {
    const id = ++this.#lastId;
    const { task, input, kind } = job;
    const forget = this.#known.size >= DEFINITIONS_MAX;
    if (forget) this.#known.clear();
    this.#jobs.set(id, job);
    this.#worker.ref();
    this.#say({ id, task, input, kind, definition: this.#handed(job), forget } satisfies Order);
  }

  /** Ends it; its jobs are rejected. */
  end(error: Error): void {
    if (this.#isOver) return;
    this.#stop();
    for (const job of this.#jobs.values()) job.reject(error);
    this.#jobs.clear();
  }

  #handed({ definition }: Job): HandedDefinition | undefined {
    if (!definition) return undefined;
    const { name, modRevision, bytes } = definition;
    if (this.#known.get(name) === modRevision) return { name, modRevision };
    this.#known.set(name, modRevision);
    // A view of a leaf: handing that over would copy all of the leaf.
    return { name, modRevision, bytes: new Uint8Array(bytes) };
  }

  #take(message: FromThread): void {
    if (this.#isOver) return;
    if (message === 'ready') this.#isReady = true;
    else if ('begun' in message) this.#begun.set(message.begun, this.#timer());
    else if ('write' in message) void this.#write(message.write, message.order);
    else this.#settle(message);
  }

  #timer(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(timeout()), this.#options.jobMaxMs).unref();
  }

  #settle(message: Extract<FromThread, { done: number }>): void {
    const job = this.#jobs.get(message.done);
    clearTimeout(this.#begun.get(message.done));
    this.#begun.delete(message.done);
    this.#jobs.delete(message.done);
    if (this.#jobs.size === 0) this.#worker.unref();
    if ('output' in message) job?.resolve(message.output);
    else if ('status' in message) job?.reject(new ApiError(message.status));
    else job?.reject(new Error(message.error));
    this.#listener.onRoom();
  }

  async #write(write: number, order: ObjectWrite): Promise<void> {
    let result: Written;
    try {
      result = { revision: await this.#objects.commit(order) };
    } catch (error) {
      const reason = error instanceof StoreError ? error.reason : 'failed';
      result = { reason, message: (error as Error).message };
    }
    if (!this.#isOver) this.#say({ written: write, result });
  }

  #say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#stop();
    const unbegun: Job[] = [];
    for (const [id, job] of this.#jobs) {
      if (this.#begun.has(id)) job.reject(error);
      else unbegun.push(job);
    }
    this.#jobs.clear();
    this.#listener.onEnd(this.#isReady, unbegun);
  }

  #stop(): void {
    this.#isOver = true;
    for (const timer of this.#begun.values()) clearTimeout(timer);
    this.#questions.close();
    void this.#worker.terminate();
  }
}
