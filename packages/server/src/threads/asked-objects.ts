// Stored objects as a thread sees them: it asks the event loop for each, and waits for the answer where its handlers do.
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { Item } from '@sluice/cache';
import { type Revision, StoreError } from '@sluice/storage';
import type { StoredObjects } from '../objects/stored-objects.ts';
import type { FromThread, Question, QuestionAnswer, ThreadStart, Written } from './orders.ts';

export interface AskedObjects {
  objects: StoredObjects;
  /** A write was made, or refused. */
  settle(write: number, result: Written): void;
}

export function openAskedObjects({ questions, answered }: ThreadStart): AskedObjects {
  const writes = new Map<number, (result: Written) => void>();
  let last = 0;
  const ask = (question: Question): unknown => waited(questions, answered, question);
  const objects: StoredObjects = {
    get revision() {
      return ask({ ask: 'revision' }) as Revision;
    },
    find: (storagePrefix, key) => ask({ ask: 'find', storagePrefix, key }) as Item | undefined,
    async commit({ halves, ...rest }) {
      const write = ++last;
      const result = new Promise<Written>((resolve) => writes.set(write, resolve));
      const owned = halves && { head: new Uint8Array(halves.head), tail: new Uint8Array(halves.tail) };
      const order: FromThread = { write, order: { ...rest, halves: owned } };
      parentPort!.postMessage(order, owned ? [owned.head.buffer, owned.tail.buffer] : []);
      const written = await result;
      if ('reason' in written) throw new StoreError(written.reason, written.message);
      return written.revision;
    },
    claim(key) {
      const claim = ++last;
      questions.postMessage({ tell: 'claim', claim, key } satisfies Question);
      return {
        take: (number) => ask({ ask: 'take', claim, number }) as boolean,
        takeAny: (range) => ask({ ask: 'takeAny', claim, range }) as string | undefined,
        release: () => questions.postMessage({ tell: 'release', claim } satisfies Question),
      };
    },
  };
  return {
    objects,
    settle(write, result) {
      writes.get(write)?.(result);
      writes.delete(write);
    },
  };
}

function waited(port: MessagePort, answered: Int32Array, question: Question): unknown {
  Atomics.store(answered, 0, 0);
  port.postMessage(question);
  Atomics.wait(answered, 0, 0);
  const answer = receiveMessageOnPort(port)!.message as QuestionAnswer;
  if ('error' in answer) throw new Error(answer.error);
  return answer.value;
}
