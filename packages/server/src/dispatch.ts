// Sends a request for a resource to its verb's handler.
import type { ApiRequest, ResourceTarget, Sendable, StreamAnswer } from './api.ts';
import { openCustomResourceDefinitions } from './custom-resource-definitions.ts';
import { gathered, isStreamed } from './list/gathered.ts';
import { list } from './list/list.ts';
import { listShape } from './list/shape.ts';
import { readListOptions } from './list-options.ts';
import {
  ENDPOINTS,
  negotiate,
  type Producible,
  producible,
  type Representation,
  type Wishes,
} from './negotiation.ts';
import { deleteCollection } from './objects/delete-collection.ts';
import { openNamespaces } from './objects/namespaces.ts';
import type { Parts } from './parts.ts';
import { readInclude } from './representation/include.ts';
import { answerSingle, deleteOptionsOf } from './threads/answer.ts';
import { watch } from './watch/watch.ts';

export interface Dispatch {
  answer(target: ResourceTarget, request: ApiRequest, wishes: Wishes): Promise<Sendable>;
  close(): Promise<void>;
}

/** Resolves once all kinds are served and the namespaces that always are exist. */
export async function openDispatch(parts: Parts): Promise<Dispatch> {
  const definitions = await openCustomResourceDefinitions(parts);
  const namespaces = await openNamespaces(parts);
  const offered = producible(parts.gates);
  return {
    answer: (target, request, wishes) => resourceAnswer(parts, offered, target, request, wishes),
    async close() {
      await Promise.all([definitions.close(), namespaces.close()]);
    },
  };
}

async function resourceAnswer(
  parts: Parts,
  offered: Producible,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<Sendable> {
  const { kind, verb, namespace } = target;
  if (kind.deprecation !== undefined) request.warnings.push(kind.deprecation);
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') {
    return answerSingle(parts, offered, target, request, wishes);
  }
  const endpoint = ENDPOINTS[kind.custom ? 'custom' : 'builtInList'];
  const representation = negotiate(wishes, endpoint, offered, verb === 'watch');
  const include = representation.as?.kind === 'Table' ? readInclude(request.query) : 'Metadata';
  switch (verb) {
    case 'list': {
      const options = await readListOptions(request.query, target);
      const shape = listShape(parts, kind, representation, include);
      return written(parts, representation, await list(parts, kind, namespace, options, shape));
    }
    case 'watch': {
      const options = await readListOptions(request.query, target);
      return watch(parts, kind, namespace, options, { representation, include, signal: request.signal });
    }
    case 'deletecollection': {
      const options = await readListOptions(request.query, target);
      const shape = listShape(parts, kind, representation, include);
      const told = await deleteOptionsOf(parts, target, request, wishes);
      if ('type' in told) return told;
      return written(parts, representation, await deleteCollection(parts, target, options, shape, told));
    }
  }
}

function written({ gates }: Parts, { encoding }: Representation, answer: StreamAnswer): StreamAnswer {
  return isStreamed(encoding, gates) ? answer : gathered(answer);
}
