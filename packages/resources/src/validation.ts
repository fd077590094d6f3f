// Field errors: what is wrong with which field, in the reference's words; many of them make one 422.
import { JsonNumber, type JsonValue, printText } from '@sluice/encoding';
import { goQuote } from './go-quote.ts';
import { ApiError } from './status.ts';

/** `reason` is the cause's machine-readable name, `message` all its text but the field. */
export type FieldError = { reason: string; field: string; message: string };

export function invalidValue(field: string, value: JsonValue | number | bigint, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, `Invalid value: ${shown(value)}`, detail);
}

/** The value has another JSON type than its schema says. */
export function typeInvalid(field: string, value: JsonValue | number | bigint, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', field, `Invalid value: ${shown(value)}`, detail);
}

export function requiredValue(field: string, detail = ''): FieldError {
  return fieldError('FieldValueRequired', field, 'Required value', detail);
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, 'Forbidden', detail);
}

export function unsupportedValue(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return fieldError('FieldValueNotSupported', field, `Unsupported value: ${shown(value)}`, detail);
}

export function duplicateValue(field: string, value: JsonValue): FieldError {
  return fieldError('FieldValueDuplicate', field, `Duplicate value: ${shown(value)}`, '');
}

export function notFoundValue(field: string, value: JsonValue): FieldError {
  return fieldError('FieldValueNotFound', field, `Not found: ${shown(value)}`, '');
}

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return fieldError('FieldValueTooLong', field, 'Too long', `may not be more than ${maxBytes} ${unit}`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items';
  return fieldError('FieldValueTooMany', field, `Too many: ${actual}`, `must have at most ${max} ${unit}`);
}

function fieldError(reason: string, field: string, problem: string, detail: string): FieldError {
  return { reason, field, message: detail === '' ? problem : `${problem}: ${detail}` };
}

function shown(value: JsonValue | number | bigint): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof JsonNumber) return value.text;
  return printText(value);
}

/** The 422 that names every error: the message each once, the causes all. */
export function invalid(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const subject = `${qualified} ${goQuote(name)} is invalid`;
  return new ApiError({
    status: 'Failure',
    message: errors.length === 0 ? subject : `${subject}: ${summary(errors)}`,
    reason: 'Invalid',
    details: { name, group: kind.group, kind: kind.kind, causes: errors },
    code: 422,
  });
}

/** `field: problem` for one error, `[a, b]` for several. */
export function summary(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
}
