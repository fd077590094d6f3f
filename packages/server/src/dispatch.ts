// Sends a request to its handler: a resource's verb, or one of the documents.
import { methodNotAllowed } from '@sluice/resources';
import type { Answer, ApiRequest, ResourceTarget } from './api.ts';
import { list } from './list/list.ts';
import { readListOptions } from './list-options.ts';
import { ENDPOINTS, negotiate, PRODUCIBLE, streamMediaType, type Wishes } from './negotiation.ts';
import type { Parts } from './parts.ts';
import { type Route, route } from './request.ts';
import type { RequestInfo } from './request-info.ts';
import { watch } from './watch/watch.ts';

export interface Dispatch {
  answer(
    info: RequestInfo,
    request: ApiRequest,
    wishes: Wishes,
  ): Promise<{ answer: Answer; pretty: boolean }>;
  close(): Promise<void>;
}

export async function openDispatch(parts: Parts): Promise<Dispatch> {
  return {
    async answer(info, request, wishes) {
      const routed: Route = route(info, request.method, parts.kinds);
      switch (routed.to) {
        case 'resource':
          return resourceAnswer(parts, routed.target, request, wishes);
        case 'error':
          throw routed.error;
        default:
          return { answer: NOWHERE, pretty: false };
      }
    },
    async close() {},
  };
}

/** Go's own words for a path nobody serves. */
const NOWHERE: Answer = {
  type: 'whole',
  code: 404,
  mediaType: 'text/plain; charset=utf-8',
  body: Buffer.from('404 page not found\n'),
  headers: { 'X-Content-Type-Options': 'nosniff' },
};

async function resourceAnswer(
  parts: Parts,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<{ answer: Answer; pretty: boolean }> {
  const { kind, verb, namespace } = target;
  const isCollection = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  const endpoint = kind.custom
    ? ENDPOINTS.custom
    : isCollection
      ? ENDPOINTS.builtInList
      : ENDPOINTS.builtInObject;
  const representation = negotiate(wishes, endpoint, PRODUCIBLE, verb === 'watch');
  if (verb === 'list') {
    const options = readListOptions(request.query, target);
    return { answer: await list(parts, kind, namespace, options), pretty: representation.pretty };
  }
  if (verb === 'watch') {
    const options = readListOptions(request.query, target);
    streamMediaType(representation);
    return { answer: watch(parts, kind, namespace, options, request.signal), pretty: false };
  }
  throw methodNotAllowed();
}
