// Answers the questions of one object thread, which waits for them: what lies under a key, and which numbers are free.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Claim } from '../objects/address-book.ts';
import type { StoredObjects } from '../objects/stored-objects.ts';
import type { Question, QuestionAnswer, ThreadStart } from './orders.ts';

export interface AnsweredQuestions {
  /** For the thread; the port must be transferred. */
  readonly start: Pick<ThreadStart, 'questions' | 'answered'>;
  /** The thread is over: what it had claimed is free. */
  close(): void;
}

export function answerQuestions(objects: StoredObjects): AnsweredQuestions {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const claims = new Map<number, Claim>();
  port1.on('message', (question: Question) => {
    if ('tell' in question) {
      if (question.tell === 'claim') claims.set(question.claim, objects.claim(question.key));
      else release(question.claim);
      return;
    }
    give(port1, answerOf(question, objects, claims));
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
  port1.unref();

  function release(claim: number): void {
    claims.get(claim)?.release();
    claims.delete(claim);
  }

  return {
    start: { questions: port2, answered },
    close() {
      for (const claim of claims.keys()) release(claim);
      port1.close();
    },
  };
}

function answerOf(
  question: Exclude<Question, { tell: string }>,
  objects: StoredObjects,
  claims: ReadonlyMap<number, Claim>,
): QuestionAnswer {
  try {
    switch (question.ask) {
      case 'revision':
        return { value: objects.revision };
      case 'find':
        return { value: objects.find(question.storagePrefix, question.key) };
      case 'take':
        return { value: claims.get(question.claim)!.take(question.number) };
      case 'takeAny':
        return { value: claims.get(question.claim)!.takeAny(question.range) };
    }
  } catch (error) {
    return { error: String((error as Error)?.message ?? error) };
  }
}

/** An item's bytes are a view of its leaf: handing that over would copy all of the leaf. */
function give(port: MessagePort, answer: QuestionAnswer): void {
  if ('error' in answer || typeof answer.value !== 'object') {
    port.postMessage(answer);
    return;
  }
  const bytes = new Uint8Array(answer.value.bytes);
  port.postMessage({ value: { ...answer.value, bytes } } satisfies QuestionAnswer, [bytes.buffer]);
}
