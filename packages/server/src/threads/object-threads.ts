// The pool of threads that work on large bodies and objects, so that the event loop never does: started when first needed, replaced
// when they die, ended when they have long been idle.
import { availableParallelism } from 'node:os';
import type { StoredDefinition, WatchCache } from '@sluice/cache';
import { type Kind, type Kinds, serviceUnavailable, tooManyRequests } from '@sluice/resources';
import type { Gates } from '../gates.ts';
import { definitionOf } from '../list/definition.ts';
import type { StoredObjects } from '../objects/stored-objects.ts';
import { type Job, ObjectThread } from './object-thread.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';

/** One core is the event loop's; each thread may hold HEAP_MAX_MB. */
const THREADS_MAX = 2;
/** What V8 may hold in a thread: a body of 3 MiB makes trees of some 300 MB, and copies of them. Buffers are not counted here. */
const HEAP_MAX_MB = 1024;
/** A thread is handed jobs while it works on less: others are begun while one waits for the store. */
const THREAD_BYTES = 1024 * 1024;
const THREAD_JOBS = 32;
/** Jobs that wait for a thread; more are refused. */
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const WAITING_MAX_JOBS = 1000;
/** The longest a job may take: what a request may. */
const JOB_MAX_MS = 60_000;
/** After a thread could not be started none is for so long. */
const START_AGAIN_MS = 1000;
/** What an idle thread has in its heap is let go only with the thread. */
const IDLE_MS = 30_000;

export type ObjectThreadsOptions = {
  objects: StoredObjects;
  cache: WatchCache;
  kinds: Kinds;
  gates: Gates;
  threads?: number;
  heapMaxMb?: number;
  jobMaxMs?: number;
  waitingMaxBytes?: number;
  /** What a thread runs; for tests of threads that fail. */
  script?: URL;
};

// The built file: no import leads to it.
const SCRIPT = new URL('./object-worker.js', import.meta.url);

export class ObjectThreads {
  readonly #options: ObjectThreadsOptions;
  readonly #threadsMax: number;
  readonly #threads = new Set<ObjectThread>();
  /** In the order asked for. */
  readonly #queue: Job[] = [];
  #queueBytes = 0;
  #handed = 0;
  #died = 0;
  #startAgainAt = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ObjectThreadsOptions) {
    this.#options = options;
    this.#threadsMax = options.threads ?? Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1));
  }

  /** Threads that stand, jobs that wait for one, jobs that were handed to one so far, and threads that died. */
  get counts(): { threads: number; waiting: number; handed: number; died: number } {
    return {
      threads: this.#threads.size,
      waiting: this.#queue.length,
      handed: this.#handed,
      died: this.#died,
    };
  }

  /**
   * @param bytes what is worked on, about
   * @throws ApiError of the task; 429 when too much waits; 503 when there can be no thread; 504 when it takes too long.
   */
  run<Name extends TaskName>(
    task: Name,
    kind: Kind,
    input: TaskInput<Name>,
    bytes: number,
  ): Promise<TaskOutput<Name>> {
    if (this.#isClosed) return Promise.reject(closedError());
    const { waitingMaxBytes = WAITING_MAX_BYTES } = this.#options;
    const isFull =
      this.#queue.length >= WAITING_MAX_JOBS ||
      (this.#queue.length > 0 && this.#queueBytes + bytes > waitingMaxBytes);
    if (isFull) return Promise.reject(tooManyRequests('too many large objects are being worked on', 1));
    return new Promise((resolve, reject) => {
      const { group, version, plural } = kind;
      const definition = this.#definitionOf(kind);
      const job: Job = {
        task,
        input,
        kind: { group, version, plural },
        definition,
        bytes: bytes + (definition?.bytes.length ?? 0),
        resolve: resolve as (output: unknown) => void,
        reject,
      };
      this.#enqueue(job);
      this.#handOut();
    });
  }

  /** Ends the threads. What they have not finished is rejected. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#refuse(closedError());
    for (const thread of this.#threads) thread.end(closedError());
    this.#threads.clear();
  }

  #definitionOf(kind: Kind): ({ name: string } & StoredDefinition) | undefined {
    const found = kind.custom ? definitionOf(this.#options, kind) : undefined;
    return found && { name: `${kind.plural}.${kind.group}`, ...found };
  }

  #enqueue(job: Job): void {
    this.#queue.push(job);
    this.#queueBytes += job.bytes;
  }

  #handOut(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      const thread = this.#threadFor(job);
      if (!thread) {
        if (this.#threads.size === 0)
          this.#refuse(serviceUnavailable('large objects can not be worked on', 1));
        return;
      }
      this.#queue.shift();
      this.#queueBytes -= job.bytes;
      this.#handed++;
      thread.run(job);
    }
    this.#endIdleLater();
  }

  /** The one with the least to do; a new one rather than one that is busy. Undefined: none has room. */
  #threadFor({ bytes }: Job): ObjectThread | undefined {
    let free: ObjectThread | undefined;
    for (const thread of this.#threads) if (!free || thread.bytes < free.bytes) free = thread;
    if (free?.jobs === 0) return free;
    const mayStart = this.#threads.size < this.#threadsMax && performance.now() >= this.#startAgainAt;
    const started = mayStart ? this.#start() : undefined;
    if (started) return started;
    return free && free.jobs < THREAD_JOBS && free.bytes + bytes <= THREAD_BYTES ? free : undefined;
  }

  #start(): ObjectThread | undefined {
    const { objects, gates, script = SCRIPT, heapMaxMb = HEAP_MAX_MB, jobMaxMs = JOB_MAX_MS } = this.#options;
    try {
      const thread = new ObjectThread(
        objects,
        { script, gates, heapMaxMb, jobMaxMs },
        {
          onRoom: () => this.#handOut(),
          onEnd: (wasReady, unbegun) => {
            this.#threads.delete(thread);
            this.#died++;
            if (!wasReady) this.#startAgainAt = performance.now() + START_AGAIN_MS;
            for (const job of unbegun) this.#queueBytes += job.bytes;
            this.#queue.unshift(...unbegun);
            this.#handOut();
          },
        },
      );
      this.#threads.add(thread);
      return thread;
    } catch {
      this.#startAgainAt = performance.now() + START_AGAIN_MS;
      return undefined;
    }
  }

  #refuse(error: Error): void {
    this.#queueBytes = 0;
    for (const job of this.#queue.splice(0)) job.reject(error);
  }

  #endIdleLater(): void {
    if (this.#idle) {
      this.#idle.refresh();
      return;
    }
    this.#idle = setTimeout(() => {
      this.#idle = undefined;
      for (const thread of this.#threads) {
        if (thread.jobs > 0) continue;
        this.#threads.delete(thread);
        thread.end(closedError());
      }
      if (this.#threads.size > 0) this.#endIdleLater();
    }, IDLE_MS).unref();
  }
}

function closedError(): Error {
  return new Error('the object threads have ended');
}
