// What an openAPIV3Schema must obey: it is structural (its types stand outside of anyOf, allOf, oneOf and not), and uses no
// keyword that kube-apiserver leaves out. Defaults and rules in CEL aren't looked into here.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { compareUtf8 } from '@sluice/encoding';
import { text } from '../tree.ts';
import { type FieldError, forbiddenValue, invalidValue } from '../validation.ts';
import { isUnsupported, keywordErrors } from './schema-keywords.ts';
import { structureErrors } from './schema-structure.ts';

/** Schemas nest at most this deep: deeper ones would exhaust the stack of those who walk them. */
const DEPTH_LIMIT = 500;

/** Keywords a root may have while the status subresource is on: the status is checked by its own part alone. */
const ROOT_KEYWORDS = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

export function schemaErrors(schema: JsonObject, field: string, hasStatus: boolean): FieldError[] {
  if (depthOf(schema) > DEPTH_LIMIT)
    return [forbiddenValue(field, `must not nest deeper than ${DEPTH_LIMIT}`)];
  const keywords = keywordErrors(schema, field);
  // The reference can't make a structure of a schema with keywords it leaves out, and tells of the keywords alone.
  const structure = keywords.some(isUnsupported) ? [] : structureErrors(schema, field);
  return [
    ...(hasStatus ? rootErrors(schema, field) : []),
    ...(schema.get('nullable') === true
      ? [forbiddenValue(`${field}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...structure.sort((a, b) => compareUtf8(line(a), line(b))),
    ...keywords,
  ];
}

function rootErrors(schema: JsonObject, field: string): FieldError[] {
  const type = text(schema.get('type'));
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(`${field}.type`, type, detail)];
  }
  const others = [...schema.keys()].filter((keyword) => !ROOT_KEYWORDS.includes(keyword));
  if (others.length === 0) return [];
  const allowed = ROOT_KEYWORDS.map(inGo).join(' ');
  const detail = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(field, schema, detail)];
}

/** `x-kubernetes-preserve-unknown-fields` is XPreserveUnknownFields in the reference. */
function inGo(keyword: string): string {
  return keyword
    .replace('x-kubernetes', 'x')
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function line({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/** Counted without recursion: the schema comes from a client. */
function depthOf(schema: JsonObject): number {
  let depth = 0;
  let level: JsonValue[] = [schema];
  while (level.length > 0 && depth <= DEPTH_LIMIT) {
    level = level.flatMap((value) =>
      value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [],
    );
    depth++;
  }
  return depth;
}
