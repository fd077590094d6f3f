// How long a request may take: `?timeout=` in Go's notation of durations, never more than the server's own limit.
import { badRequest } from '@sluice/resources';
import type { Query } from './api.ts';
import { parseDuration } from './durations.ts';

/**
 * Asked before everything else, of every path; watches don't look at the value. Zero and less shorten nothing.
 * @throws ApiError 400
 */
export function readRequestTimeout(query: Query, mostMs: number): number {
  const asked = query.first('timeout');
  if (asked === undefined || asked === '') return mostMs;
  const milliseconds = durationOf(asked);
  return milliseconds > 0 ? Math.min(milliseconds, mostMs) : mostMs;
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
}
