// PUT: the object a client sends takes the place of the one that is there.
import type { JsonObject } from '@sluice/encoding';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { type Change, changeObject } from './change.ts';
import { ensureName, ensureNamespace } from './metadata.ts';
import { readWriteOptions } from './options.ts';
import { clone, textAt } from './tree.ts';

/**
 * Also for subresources that are the object itself: status, and those that say what they `prepare`.
 * @throws ApiError
 */
export async function updateObject(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
  prepare?: Change['prepare'],
): Promise<ObjectAnswer> {
  const { kind, namespace, name } = target;
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'UpdateOptions');
  const object = await readObject(request, kind, fieldValidation);
  ensureNamespace(kind, object, namespace);
  ensureName(object, name);
  const { created, item } = await changeObject(parts, target, {
    dryRun,
    uid: textAt(object, 'metadata', 'uid'),
    make: () => clone(object) as JsonObject,
    ...(prepare && { prepare }),
  });
  return { type: 'object', code: created ? 201 : 200, kind, item };
}
