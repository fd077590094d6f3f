// A request for one object, or for a new one, to the bytes of its answer: the same on the event loop and in a thread.
import type { Kind } from '@sluice/resources';
import type { Answer, ApiRequest, ResourceTarget, Sendable } from '../api.ts';
import { readPatchType } from '../body-type.ts';
import { ENDPOINTS, negotiate, type Producible, type Representation, type Wishes } from '../negotiation.ts';
import type { ObjectParts } from '../parts.ts';
import { readInclude } from '../representation/include.ts';
import { type ObjectOptions, objectBody } from '../representation/object-body.ts';
import { statusBody } from '../representation/status-body.ts';
import { answerObject } from './objects.ts';

/** @throws ApiError */
export async function wholeAnswer(
  parts: ObjectParts,
  offered: Producible,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<Sendable> {
  const { kind, verb, subresource } = target;
  if (verb === 'patch') readPatchType(request.headers['content-type'], kind);
  const representation = objectRepresentation(kind, wishes, offered);
  const include = representation.as?.kind === 'Table' ? readInclude(request.query) : 'Metadata';
  return represented(await answerObject(parts, target, request), representation, {
    include,
    now: parts.now(),
    scales: subresource !== 'scale' ? undefined : kind.custom ? 'custom' : 'built-in',
  });
}

/** @throws ApiError 406 */
export function objectRepresentation(kind: Kind, wishes: Wishes, offered: Producible): Representation {
  return negotiate(wishes, ENDPOINTS[kind.custom ? 'custom' : 'builtInObject'], offered);
}

/** A Status is never converted: it is spelled as it is. */
function represented(answer: Answer, representation: Representation, options: ObjectOptions): Sendable {
  switch (answer.type) {
    case 'object': {
      const body = objectBody(answer.kind, answer.item, representation, options);
      return { type: 'whole', code: answer.code, mediaType: representation.mediaType, body };
    }
    case 'status':
      return { type: 'whole', code: answer.code, ...statusBody(answer.status, representation) };
    default:
      return answer;
  }
}
