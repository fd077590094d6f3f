// What a rule of the table of defaults can say.
import { JsonNumber, type JsonObject, type JsonValue } from '@sluice/encoding';

/**
 * Values for fields that are unset: a pointer that is absent, anything else that is zero. Fields in braces are those of a
 * struct, which is made if it is absent.
 */
export type Fields = { readonly [field: string]: Literal };

export type Literal = string | number | boolean | readonly Literal[] | Fields;

/** Fields for a struct in which the text field `when` is one of `is`. */
export type Conditional = { readonly when: string; readonly is: readonly string[]; readonly sets: Fields };

/** The last is a change that data can't express. */
export type Rule = Fields | Conditional | ((object: JsonObject) => void);

export function isConditional(rule: Fields | Conditional): rule is Conditional {
  return 'when' in rule && 'sets' in rule;
}

export function isFields(literal: Literal): literal is Fields {
  return typeof literal === 'object' && !Array.isArray(literal);
}

/** A value of its own: trees are changed in place. */
export function treeOf(literal: Literal): JsonValue {
  if (typeof literal === 'number') return new JsonNumber(String(literal));
  if (typeof literal !== 'object') return literal;
  if (!isFields(literal)) return literal.map(treeOf);
  return new Map(Object.entries(literal).map(([name, member]) => [name, treeOf(member)]));
}

/** Go's zero value, and what is empty. */
export function isZero(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (value instanceof JsonNumber) return value.text === '0';
  return Array.isArray(value) && value.length === 0;
}
