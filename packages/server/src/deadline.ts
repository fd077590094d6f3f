// When a request has taken too long: counted from its beginning, and anew from each progress of its answer.
import type { WholeAnswer } from './api.ts';

/** Nothing was sent: the answer is TIMED_OUT. Something was: the stream is destroyed. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError';
}

export class Deadline {
  /** Rejects with TimedOutError when it is over. */
  readonly over: Promise<never>;
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    let reject: (error: Error) => void;
    this.over = new Promise((_, rejecting) => {
      reject = rejecting;
    });
    this.over.catch(() => {});
    this.#timer = setTimeout(() => reject(new TimedOutError('the request took too long')), limitMs);
  }

  /** The answer has got on: all of the time is given again. */
  renew(): void {
    this.#timer.refresh();
  }

  /** What is left of the request may take any time. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The reference's own words: a Status without kind and apiVersion, as text, whatever was asked for. */
export const TIMED_OUT: WholeAnswer = {
  type: 'whole',
  code: 504,
  mediaType: 'text/plain; charset=utf-8',
  body: Buffer.from(
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  ),
};
