// The options of writes: CreateOptions, UpdateOptions and PatchOptions, read from the query and checked in kube-apiserver's order.
import {
  type FieldError,
  forbiddenValue,
  invalid,
  invalidValue,
  isPrintable,
  requiredValue,
  tooLong,
  unsupportedValue,
} from '@sluice/resources';
import type { Query } from '../api.ts';
import type { PatchType } from '../body-type.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export type WriteOptions = { dryRun: boolean; fieldValidation: FieldValidation };

const FIELD_MANAGER_MAX_BYTES = 128;

/** @throws ApiError 422 */
export function readWriteOptions(query: Query, kind: 'CreateOptions' | 'UpdateOptions'): WriteOptions {
  return checked(query, kind, []);
}

/** @throws ApiError 422 */
export function readPatchOptions(query: Query, type: PatchType): WriteOptions {
  const errors: FieldError[] = [];
  if (type !== 'apply' && query.has('force')) {
    errors.push(forbiddenValue('force', 'may not be specified for non-apply patch'));
  }
  if (type === 'apply' && !query.first('fieldManager')) {
    errors.push(requiredValue('fieldManager', 'is required for apply patch'));
  }
  return checked(query, 'PatchOptions', errors);
}

function checked(query: Query, kind: string, before: readonly FieldError[]): WriteOptions {
  const fieldValidation = query.first('fieldValidation') ?? '';
  const errors = [
    ...before,
    ...fieldManagerErrors(query.first('fieldManager') ?? ''),
    ...dryRunErrors(query.all('dryRun')),
    ...fieldValidationErrors(fieldValidation),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: query.has('dryRun'),
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
  };
}

/** The one that doesn't print is told with its place in bytes. */
function fieldManagerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > FIELD_MANAGER_MAX_BYTES) {
    errors.push(tooLong('fieldManager', FIELD_MANAGER_MAX_BYTES));
  }
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      const detail = `invalid character U+${code} (at position ${position})`;
      errors.push(invalidValue('fieldManager', manager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [unsupportedValue('dryRun', [...values], ['All'])];
}

const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

function fieldValidationErrors(value: string): FieldError[] {
  return FIELD_VALIDATIONS.includes(value)
    ? []
    : [unsupportedValue('fieldValidation', value, FIELD_VALIDATIONS)];
}
