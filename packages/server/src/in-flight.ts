// How many requests are answered at a time. Who comes in above that is told to come again, administrators excepted.
import type { User, WholeAnswer } from './api.ts';
import type { Limits } from './limits.ts';
import type { RequestInfo } from './request-info.ts';

export interface InFlight {
  /**
   * A request begins. Gives what is to be called when it ends; undefined: there are too many. Watches don't count.
   * Administrators are let in above the limit, and don't count either then.
   */
  enter(info: RequestInfo, user: User): (() => void) | undefined;
}

export function openInFlight({ requestsInFlight, mutatingRequestsInFlight }: Limits): InFlight {
  const reading = { now: 0, max: requestsInFlight };
  const mutating = { now: 0, max: mutatingRequestsInFlight };
  return {
    enter({ verb }, user) {
      const lane = READING_VERBS.has(verb) ? reading : mutating;
      if (verb === 'watch' || lane.max === 0) return STAY;
      if (lane.now >= lane.max) return user.groups.includes(ADMINISTRATORS) ? STAY : undefined;
      lane.now++;
      return () => lane.now--;
    },
  };
}

const READING_VERBS: ReadonlySet<string> = new Set(['get', 'list']);
const ADMINISTRATORS = 'system:masters';
const STAY = (): void => {};

export const TOO_MANY_REQUESTS: WholeAnswer = {
  type: 'whole',
  code: 429,
  mediaType: 'text/plain; charset=utf-8',
  headers: { 'Retry-After': '1', 'X-Content-Type-Options': 'nosniff' },
  body: Buffer.from('Too many requests, please try again later.\n'),
};
