// Sends a request for a resource to its verb's handler.
import type { Answer, ApiRequest, ResourceTarget } from './api.ts';
import { readPatchType } from './body-type.ts';
import { openCustomResourceDefinitions } from './custom-resource-definitions.ts';
import { list } from './list/list.ts';
import { readListOptions } from './list-options.ts';
import { ENDPOINTS, negotiate, PRODUCIBLE, streamMediaType, type Wishes } from './negotiation.ts';
import { deleteCollection } from './objects/delete-collection.ts';
import { openNamespaces } from './objects/namespaces.ts';
import { answerObject } from './objects/objects.ts';
import type { Parts } from './parts.ts';
import { watch } from './watch/watch.ts';

export interface Dispatch {
  answer(target: ResourceTarget, request: ApiRequest, wishes: Wishes): Promise<Shaped>;
  close(): Promise<void>;
}

/** An answer, and whether its JSON is to be indented. */
export type Shaped = { answer: Answer; pretty: boolean };

/** Resolves once all kinds are served and the namespaces that always are exist. */
export async function openDispatch(parts: Parts): Promise<Dispatch> {
  const definitions = await openCustomResourceDefinitions(parts);
  const namespaces = await openNamespaces(parts);
  return {
    answer: (target, request, wishes) => resourceAnswer(parts, target, request, wishes),
    async close() {
      await Promise.all([definitions.close(), namespaces.close()]);
    },
  };
}

async function resourceAnswer(
  parts: Parts,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<Shaped> {
  const { kind, verb, namespace } = target;
  if (kind.deprecation !== undefined) request.warnings.push(kind.deprecation);
  const isCollection = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  const endpoint = kind.custom
    ? ENDPOINTS.custom
    : isCollection
      ? ENDPOINTS.builtInList
      : ENDPOINTS.builtInObject;
  if (verb === 'patch') readPatchType(request.headers['content-type'], kind);
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
  if (verb === 'deletecollection') {
    const options = readListOptions(request.query, target);
    const answer = await deleteCollection(parts, target, options, request);
    return { answer, pretty: representation.pretty };
  }
  return { answer: await answerObject(parts, target, request), pretty: representation.pretty };
}
