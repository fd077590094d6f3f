// PATCH: the object as clients see it is patched, then it goes through all that a PUT goes through.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { ApiError, type ApiObject, type Kind } from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import { readPatchType } from '../body-type.ts';
import type { ObjectParts } from '../parts.ts';
import { type Change, changeObject } from './change.ts';
import { readPatchOptions } from './options.ts';
import { applyPatch, decodePatched, readPatch } from './patch-document.ts';
import { clone } from './tree.ts';

/** A conflict that isn't the client's resourceVersion may pass. */
const TRIES = 6;

/**
 * Also for subresources, which say what they `prepare`.
 * @throws ApiError
 */
export async function patchObject(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
  prepare?: Change['prepare'],
): Promise<ObjectAnswer> {
  const { kind } = target;
  const type = readPatchType(request.headers['content-type'], kind);
  const body = await request.readBody();
  const { dryRun, fieldValidation } = readPatchOptions(request.query, type);
  const patch = readPatch(body, type, fieldValidation);
  const told: string[] = [];
  const change: Change = {
    dryRun,
    uid: '',
    make(old) {
      const patched = applyPatch(patch, asShown(kind, clone(old ?? new Map()) as JsonObject), kind);
      const { object, strictErrors } = decodePatched(patched, kind, patch, fieldValidation);
      told.splice(0, told.length, ...strictErrors);
      return object;
    },
    ...(prepare && { prepare }),
  };
  const { created, item } = await patiently(() => changeObject(parts, target, change)).finally(() => {
    if (fieldValidation === 'Warn') request.warnings.push(...told);
  });
  return { type: 'object', code: created ? 201 : 200, kind, item };
}

async function patiently<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 409 || tried === TRIES) throw error;
    }
  }
}

/** Kind and apiVersion come first, as in what clients see. */
function asShown(kind: Kind, object: ApiObject): JsonObject {
  if (kind.custom) return object;
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return new Map<string, JsonValue>([['kind', kind.kind], ['apiVersion', apiVersion], ...object]);
}
