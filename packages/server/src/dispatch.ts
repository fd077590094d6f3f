// Sends a request for a resource to its verb's handler.
import { methodNotAllowed } from '@sluice/resources';
import type { Answer, ApiRequest, ResourceTarget } from './api.ts';
import { list } from './list/list.ts';
import { readListOptions } from './list-options.ts';
import { ENDPOINTS, negotiate, PRODUCIBLE, streamMediaType, type Wishes } from './negotiation.ts';
import type { Parts } from './parts.ts';
import { watch } from './watch/watch.ts';

export interface Dispatch {
  answer(target: ResourceTarget, request: ApiRequest, wishes: Wishes): Promise<Shaped>;
  close(): Promise<void>;
}

/** An answer, and whether its JSON is to be indented. */
export type Shaped = { answer: Answer; pretty: boolean };

export async function openDispatch(parts: Parts): Promise<Dispatch> {
  return {
    answer: (target, request, wishes) => resourceAnswer(parts, target, request, wishes),
    async close() {},
  };
}

async function resourceAnswer(
  parts: Parts,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<Shaped> {
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
