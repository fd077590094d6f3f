// The structural part of a schema: every field has a type, metadata is left alone, and what stands in anyOf, allOf, oneOf and
// not only adds conditions on fields that are declared outside of them.
import type { JsonObject } from '@sluice/encoding';
import { list, members, text } from '../tree.ts';
import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../validation.ts';

type Level = 'root' | 'item' | 'field';

const NO_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

export function structureErrors(schema: JsonObject, field: string): FieldError[] {
  return [...levelErrors(schema, 'root', field), ...completenessErrors(schema, schema, field, field)];
}

function levelErrors(schema: JsonObject, level: Level, field: string): FieldError[] {
  const items = schema.get('items');
  const additional = schema.get('additionalProperties');
  const isEmbedded = schema.get('x-kubernetes-embedded-resource') === true;
  const errors: FieldError[] = [];
  if (schema.get('type') === 'array' && items === undefined) {
    errors.push(requiredValue(`${field}.items`, 'must be specified'));
  }
  if (items instanceof Map) errors.push(...levelErrors(items, 'item', `${field}.items`));
  for (const [name, property] of members(schema.get('properties'))) {
    errors.push(...levelErrors(members(property), 'field', `${field}.properties[${name}]`));
  }
  if (additional !== undefined && additional !== null) {
    if (level === 'root') {
      errors.push(forbiddenValue(`${field}.additionalProperties`, 'must not be used at the root'));
    }
    if (isEmbedded) {
      const detail = 'must not be used if x-kubernetes-embedded-resource is set';
      errors.push(forbiddenValue(`${field}.additionalProperties`, detail));
    }
    if (additional instanceof Map)
      errors.push(...levelErrors(additional, 'field', `${field}.additionalProperties`));
  }
  return [
    ...errors,
    ...extensionErrors(schema, field),
    ...conditionErrors(schema, field, mayNameIntOrString(schema)),
    ...typeErrors(schema, level, field),
    ...metadataErrors(schema, level, field),
  ];
}

function extensionErrors(schema: JsonObject, field: string): FieldError[] {
  if (schema.get('x-kubernetes-int-or-string') !== true) return [];
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((extension) => schema.get(extension) === true)
    .map((extension) =>
      invalidValue(`${field}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    );
}

function typeErrors(schema: JsonObject, level: Level, field: string): FieldError[] {
  const type = text(schema.get('type'));
  const isEmbedded = schema.get('x-kubernetes-embedded-resource') === true;
  const preserves = schema.get('x-kubernetes-preserve-unknown-fields') === true;
  const isUntyped = schema.get('x-kubernetes-int-or-string') === true || preserves;
  const errors: FieldError[] = [];
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(
      type === '' ? requiredValue(`${field}.type`, detail) : invalidValue(`${field}.type`, type, detail),
    );
  } else if (type === '' && !isUntyped) {
    errors.push(requiredValue(`${field}.type`, NO_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${field}.type`, type, 'must be object at the root'));
  }
  if (isEmbedded && !preserves && members(schema.get('properties')).size === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredValue(`${field}.properties`, detail));
  }
  return errors;
}

/** Of metadata a root may restrict name and generateName only; the rest is known without saying. */
function metadataErrors(schema: JsonObject, level: Level, field: string): FieldError[] {
  const isObject = level === 'root' || schema.get('x-kubernetes-embedded-resource') === true;
  const properties = members(schema.get('properties'));
  const errors: FieldError[] = [];
  if (!isObject) return errors;
  for (const [name, type] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = properties.get(name);
    const given = text(members(property).get('type'));
    if (property instanceof Map && given !== type) {
      errors.push(invalidValue(`${field}.properties[${name}].type`, given, `must be ${type}`));
    }
  }
  const metadata = members(properties.get('metadata'));
  if (level === 'root' && !onlyRestrictsNames(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenValue(`${field}.properties[metadata]`, detail));
  }
  return errors;
}

function onlyRestrictsNames(metadata: JsonObject): boolean {
  const known = ['type', 'properties', 'default'];
  const names = [...members(metadata.get('properties')).keys()];
  return (
    [...metadata.keys()].every((keyword) => known.includes(keyword)) &&
    names.every((name) => name === 'name' || name === 'generateName')
  );
}

const JUNCTORS = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Each schema in a junctor, with its place. */
function nestedSchemas(
  schema: JsonObject,
  field: string,
): { nested: JsonObject; place: string; junctor: string }[] {
  return JUNCTORS.flatMap((junctor) => {
    const value = schema.get(junctor);
    if (value instanceof Map) return [{ nested: value, place: `${field}.${junctor}`, junctor }];
    return list(value).map((item, index) => ({
      nested: members(item),
      place: `${field}.${junctor}[${index}]`,
      junctor,
    }));
  });
}

type Allowed = 'anyOf' | 'allOf' | 'nothing';

/** int-or-string may spell its two types out in anyOf, or in the first anyOf of allOf. */
function mayNameIntOrString(schema: JsonObject): Allowed {
  if (isIntOrString(schema)) return 'anyOf';
  return isIntOrString(members(list(schema.get('allOf'))[0])) ? 'allOf' : 'nothing';
}

function isIntOrString(schema: JsonObject): boolean {
  const types = list(schema.get('anyOf')).map((item) => [...members(item)].join());
  return types.length === 2 && types[0] === 'type,integer' && types[1] === 'type,string';
}

/** The patterns here and in junctors, and what may not stand in a junctor. */
function conditionErrors(schema: JsonObject, field: string, allowed: Allowed): FieldError[] {
  return nestedSchemas(schema, field).flatMap(({ nested, place, junctor }) => {
    if (junctor === 'anyOf' && allowed === 'anyOf') return [];
    const isFirstOfAll = junctor === 'allOf' && allowed === 'allOf' && place.endsWith('.allOf[0]');
    return nestedErrors(nested, place, isFirstOfAll ? 'anyOf' : 'nothing');
  });
}

const FORBIDDEN_WHEN_NESTED: readonly (readonly [keyword: string, detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(schema: JsonObject, field: string, allowed: Allowed): FieldError[] {
  const items = schema.get('items');
  const properties = members(schema.get('properties'));
  const forbidden = FORBIDDEN_WHEN_NESTED.filter(([keyword]) => isSet(schema, keyword));
  return [
    ...conditionErrors(schema, field, allowed),
    ...(items instanceof Map ? nestedErrors(items, `${field}.items`, 'nothing') : []),
    ...[...properties].flatMap(([name, property]) =>
      nestedErrors(members(property), `${field}.properties[${name}]`, 'nothing'),
    ),
    ...forbidden.map(([keyword, detail]) => forbiddenValue(`${field}.${keyword}`, detail)),
    ...(properties.has('metadata')
      ? [forbiddenValue(`${field}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}

function isSet(schema: JsonObject, keyword: string): boolean {
  const value = schema.get(keyword);
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

/** Every field a junctor speaks of is declared outside. */
function completenessErrors(
  conditions: JsonObject,
  declared: JsonObject,
  declaredAt: string,
  field: string,
): FieldError[] {
  return nestedSchemas(conditions, field).flatMap(({ nested, place }) =>
    nestedCompletenessErrors(nested, declared, declaredAt, place),
  );
}

function nestedCompletenessErrors(
  nested: JsonObject,
  declared: JsonObject,
  declaredAt: string,
  field: string,
): FieldError[] {
  const errors = completenessErrors(nested, declared, declaredAt, field);
  const places: [name: string, inner: unknown, outer: unknown][] = [
    ['items', nested.get('items'), declared.get('items')],
    ...[...members(nested.get('properties'))].map(([name, property]): [string, unknown, unknown] => [
      `properties[${name}]`,
      property,
      members(declared.get('properties')).get(name),
    ]),
  ];
  for (const [name, inner, outer] of places) {
    if (!(inner instanceof Map)) continue;
    if (outer instanceof Map) {
      errors.push(...nestedCompletenessErrors(inner, outer, `${declaredAt}.${name}`, `${field}.${name}`));
    } else {
      errors.push(requiredValue(`${declaredAt}.${name}`, `because it is defined in ${field}.${name}`));
    }
  }
  return errors;
}
