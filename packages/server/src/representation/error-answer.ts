// What is answered when a request fails: a Status in the representation asked for, or as indented JSON if there is none.
import { ApiError, internalError } from '@sluice/resources';
import type { WholeAnswer } from '../api.ts';
import { negotiateError, type Producible, type Wishes } from '../negotiation.ts';
import { statusBody } from './status-body.ts';

/** Anything that is no ApiError is a fault of ours. */
export function errorAnswer(error: unknown, wishes: Wishes, producible: Producible): WholeAnswer {
  const apiError =
    error instanceof ApiError ? error : internalError(String((error as Error)?.message ?? error));
  const shown = statusBody(apiError.status, negotiateError(wishes, producible));
  return { type: 'whole', code: apiError.code, ...shown, headers: apiError.headers };
}
