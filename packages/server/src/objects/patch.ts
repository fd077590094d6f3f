// PATCH: a JSON patch or a merge patch of the object as clients see it, then all that a PUT goes through.
import { checkSyntax, type JsonObject, type JsonValue, parseJson, printJson } from '@sluice/encoding';
import {
  ApiError,
  type ApiObject,
  badRequest,
  type Decoded,
  DecodeError,
  invalid,
  invalidValue,
  type Kind,
  tooLarge,
  unprocessable,
  unsupportedMediaType,
} from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import { type PatchType, readPatchType } from '../body-type.ts';
import type { Parts } from '../parts.ts';
import { type Change, changeObject } from './change.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';
import { applyMergePatch, sortMembers } from './merge-patch.ts';
import { type FieldValidation, readPatchOptions } from './options.ts';
import {
  jsonPatchStrictErrors,
  jsonPatchTypeError,
  mergePatchTypeError,
  patchDuplicates,
} from './patch-types.ts';
import { clone } from './tree.ts';

const OPERATIONS_LIMIT = 10_000;
/** A conflict that isn't the client's resourceVersion may pass. */
const TRIES = 6;

/**
 * Also for subresources, which say what they `prepare`.
 * @throws ApiError
 */
export async function patchObject(
  parts: Parts,
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
      const patched = applyPatch(patch, asShown(kind, clone(old ?? new Map()) as JsonObject));
      const { object, strictErrors } = decodePatched(patched, kind, patch.strictErrors, fieldValidation);
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

export type Patch = {
  type: PatchType;
  body: Uint8Array;
  value: JsonValue;
  /** What is odd about the patch itself. */
  strictErrors: readonly string[];
};

/** @throws ApiError 400, 413, 415 */
export function readPatch(body: Uint8Array, type: PatchType, fieldValidation: FieldValidation): Patch {
  if (type !== 'json' && type !== 'merge') throw unsupportedMediaType(SUPPORTED);
  try {
    checkSyntax(body);
  } catch {
    throw badRequest('invalid JSON patch');
  }
  const duplicates: string[] = [];
  const value = parseJson(body, { onDuplicate: (path) => duplicates.push(patchDuplicates(path)) });
  const isStrict = fieldValidation !== 'Ignore';
  const wrong = type === 'json' ? jsonPatchTypeError(value, isStrict) : mergePatchTypeError(value, isStrict);
  if (wrong !== undefined) throw badRequest(wrong);
  if (type === 'json' && Array.isArray(value) && value.length > OPERATIONS_LIMIT) {
    throw tooLarge(
      `The allowed maximum operations in a JSON patch is ${OPERATIONS_LIMIT}, got ${value.length}`,
    );
  }
  const strictErrors = type === 'json' ? jsonPatchStrictErrors(value, duplicates) : duplicates;
  return { type, body, value, strictErrors: isStrict ? strictErrors : [] };
}

const SUPPORTED = ['application/json-patch+json', 'application/merge-patch+json'];

/** Kind and apiVersion come first, as in what clients see. */
function asShown(kind: Kind, object: ApiObject): JsonObject {
  if (kind.custom) return object;
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return new Map<string, JsonValue>([['kind', kind.kind], ['apiVersion', apiVersion], ...object]);
}

/** @throws ApiError 422 */
export function applyPatch(patch: Patch, document: JsonObject): JsonValue {
  if (patch.type === 'merge') {
    if (!(patch.value instanceof Map)) return patch.value;
    applyMergePatch(document, patch.value);
    return document;
  }
  try {
    const patched = applyJsonPatch(document, patch.value as JsonValue[]);
    if (patched instanceof Map && (patch.value as JsonValue[]).length > 0) sortMembers(patched);
    return patched;
  } catch (error) {
    if (error instanceof PatchError) throw unprocessable();
    throw error;
  }
}

/**
 * A built-in object without apiVersion is read by the reference as one without a name, and refused for that.
 * @throws ApiError 422 that shows all that came out of the patch
 */
export function decodePatched(
  patched: JsonValue,
  kind: Pick<Kind, 'custom' | 'codec'>,
  patchErrors: readonly string[],
  fieldValidation: FieldValidation,
): Decoded {
  if (!kind.custom && patched instanceof Map && (patched.get('apiVersion') ?? '') === '') {
    return { object: new Map(), strictErrors: [] };
  }
  const text = Buffer.from(printJson(patched));
  try {
    const { object, strictErrors } = kind.codec.decode(text);
    const all = [...patchErrors, ...strictErrors];
    if (fieldValidation === 'Strict' && all.length > 0) {
      throw refused(text.toString(), `strict decoding error: ${all.join(', ')}`);
    }
    return { object, strictErrors: all };
  } catch (error) {
    if (error instanceof DecodeError) throw refused(text.toString(), error.message);
    throw error;
  }
}

function refused(patched: string, why: string): ApiError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', patched, why)]);
}
