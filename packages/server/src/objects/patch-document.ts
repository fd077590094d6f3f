// A patch document: read, applied to a tree, and the tree read back as an object of its kind.
import { checkSyntax, type JsonObject, type JsonValue, parseJson, printJson } from '@sluice/encoding';
import {
  type ApiError,
  badRequest,
  type Decoded,
  DecodeError,
  invalid,
  invalidValue,
  type Kind,
  plainError,
  tooLarge,
  unprocessable,
  unsupportedMediaType,
} from '@sluice/resources';
import type { PatchType } from '../body-type.ts';
import { goValueText } from './go-value-text.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';
import { applyMergePatch, sortMembers } from './merge-patch.ts';
import type { FieldValidation } from './options.ts';
import { schemaOf } from './patch-schema.ts';
import { jsonPatchStrictErrors, patchDuplicates, patchTypeError } from './patch-types.ts';
import { applyStrategicMerge, StrategicPatchError } from './strategic-merge.ts';
import { clone } from './tree.ts';

const OPERATIONS_LIMIT = 10_000;

export type Patch = {
  type: 'json' | 'merge' | 'strategic';
  value: JsonValue;
  /** What is odd about the patch itself. */
  strictErrors: readonly string[];
};

/** @throws ApiError 400, 413; 415 for a patch that this server can't apply */
export function readPatch(body: Uint8Array, type: PatchType, fieldValidation: FieldValidation): Patch {
  if (type === 'apply') throw unsupportedMediaType(APPLICABLE);
  try {
    checkSyntax(body);
  } catch {
    throw badRequest('invalid JSON patch');
  }
  const duplicates: string[] = [];
  const value = parseJson(body, { onDuplicate: (path) => duplicates.push(patchDuplicates(path)) });
  const isStrict = fieldValidation !== 'Ignore';
  const wrong = patchTypeError(type, value, isStrict);
  if (wrong !== undefined) throw badRequest(wrong);
  if (type === 'json' && Array.isArray(value) && value.length > OPERATIONS_LIMIT) {
    throw tooLarge(
      `The allowed maximum operations in a JSON patch is ${OPERATIONS_LIMIT}, got ${value.length}`,
    );
  }
  const strictErrors = type === 'json' ? jsonPatchStrictErrors(value, duplicates) : duplicates;
  return { type, value, strictErrors: isStrict ? strictErrors : [] };
}

const APPLICABLE = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/**
 * Gives the patched tree; `document` is changed, the patch stays as it is.
 * @throws ApiError 422; 500 for a strategic patch that contradicts itself, as in the reference
 */
export function applyPatch(patch: Patch, document: JsonObject, kind: Kind): JsonValue {
  switch (patch.type) {
    case 'json':
      return applyOperations(document, Array.isArray(patch.value) ? patch.value : []);
    case 'merge':
      if (!(patch.value instanceof Map)) return patch.value;
      applyMergePatch(document, patch.value);
      return document;
    case 'strategic':
      return applyStrategic(document, patch.value, kind);
  }
}

function applyOperations(document: JsonObject, operations: readonly JsonValue[]): JsonValue {
  try {
    const patched = applyJsonPatch(document, operations);
    if (patched instanceof Map && operations.length > 0) sortMembers(patched);
    return patched;
  } catch (error) {
    if (error instanceof PatchError) throw unprocessable();
    throw error;
  }
}

function applyStrategic(document: JsonObject, value: JsonValue, kind: Kind): JsonValue {
  const patch = clone(value);
  if (!(patch instanceof Map)) return document;
  try {
    return applyStrategicMerge(document, patch, schemaOf(kind));
  } catch (error) {
    if (error instanceof StrategicPatchError) throw plainError(error.message);
    throw error;
  }
}

/**
 * A built-in object without apiVersion is read by the reference as one without a name, and refused for that.
 * @throws ApiError 422 that shows all that came out of the patch
 */
export function decodePatched(
  patched: JsonValue,
  kind: Kind,
  patch: Patch,
  fieldValidation: FieldValidation,
): Decoded {
  if (!kind.custom && patched instanceof Map && (patched.get('apiVersion') ?? '') === '') {
    return { object: new Map(), strictErrors: [] };
  }
  const text = printJson(patched);
  try {
    const { object, strictErrors } = kind.codec.decode(text);
    const all = [...patch.strictErrors, ...strictErrors];
    if (fieldValidation === 'Strict' && all.length > 0) {
      throw refused(patch, text, `strict decoding error: ${all.join(', ')}`);
    }
    return { object, strictErrors: all };
  } catch (error) {
    if (error instanceof DecodeError) throw refused(patch, text, error.message);
    throw error;
  }
}

/** Of a strategic patch the patch itself is shown, as Go prints it. */
function refused(patch: Patch, patched: Uint8Array, why: string): ApiError {
  const shown = patch.type === 'strategic' ? goValueText(patch.value) : Buffer.from(patched).toString();
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, why)]);
}
