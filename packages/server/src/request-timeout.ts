// How long a request may take: `?timeout=` in Go's notation of durations, never more than the server's own limit.
import { badRequest } from '@sluice/resources';
import type { Query } from './api.ts';
import { parseDuration } from './durations.ts';

export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Asked before everything else, of every path; watches don't look at the value. Zero and less shorten nothing.
 * @throws ApiError 400
 */
export function readRequestTimeout(query: Query): number {
  const asked = query.first('timeout');
  if (asked === undefined || asked === '') return REQUEST_TIMEOUT_MS;
  const milliseconds = durationOf(asked);
  return milliseconds > 0 ? Math.min(milliseconds, REQUEST_TIMEOUT_MS) : REQUEST_TIMEOUT_MS;
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
}
