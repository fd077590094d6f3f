// What is done with one object, or with a new one: the handler of each verb and subresource.
import { methodNotAllowed } from '@sluice/resources';
import type { Answer, ApiRequest, ResourceTarget } from '../api.ts';
import type { ObjectParts } from '../parts.ts';
import { bindPod } from './binding.ts';
import type { Change } from './change.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { evictPod } from './eviction.ts';
import { getObject } from './get.ts';
import { finalized, withEphemeralContainers } from './part-changes.ts';
import { patchObject } from './patch.ts';
import { answerReview } from './reviews.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { updateObject } from './update.ts';

/** @throws ApiError */
export async function answerObject(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
): Promise<Answer> {
  switch (target.subresource) {
    case '':
    case 'status':
      return ownAnswer(parts, target, request, undefined);
    case 'finalize':
      return ownAnswer(parts, target, request, finalized);
    case 'ephemeralcontainers':
      return ownAnswer(parts, target, request, withEphemeralContainers);
    case 'scale':
      return scaleAnswer(parts, target, request);
    case 'binding':
      return bindPod(parts, target, request);
    case 'eviction':
      return evictPod(parts, target, request);
    default:
      throw methodNotAllowed();
  }
}

async function ownAnswer(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
  prepare: Change['prepare'],
): Promise<Answer> {
  switch (target.verb) {
    case 'get':
      return getObject(parts, target, request);
    case 'create':
      if (target.subresource !== '') throw methodNotAllowed();
      if (target.kind.storagePrefix === '') return answerReview(parts, target, request);
      return createObject(parts, target, request);
    case 'update':
      return updateObject(parts, target, request, prepare);
    case 'patch':
      return patchObject(parts, target, request, prepare);
    case 'delete':
      return deleteObject(parts, target, request);
    default:
      throw methodNotAllowed();
  }
}

async function scaleAnswer(parts: ObjectParts, target: ResourceTarget, request: ApiRequest): Promise<Answer> {
  switch (target.verb) {
    case 'get':
      return getScale(parts, target);
    case 'update':
      return updateScale(parts, target, request);
    case 'patch':
      return patchScale(parts, target, request);
    default:
      throw methodNotAllowed();
  }
}
