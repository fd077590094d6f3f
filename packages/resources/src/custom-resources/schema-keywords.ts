// Keywords of an openAPIV3Schema, schema by schema: those kube-apiserver leaves out, and those that need each other.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { list, members, text, texts } from '../tree.ts';
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../validation.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];
const OBJECT_FIELDS = ['metadata', 'kind', 'apiVersion'];

/** `place` says where in an object the schema applies, for what is forbidden there. */
type Place = { isRoot: boolean; isObjectField: boolean; noDefaults: string | undefined };

export function keywordErrors(schema: JsonObject, field: string): FieldError[] {
  return ofSchema(schema, field, { isRoot: true, isObjectField: false, noDefaults: undefined });
}

/** An error of a keyword that is left out. */
export function isUnsupported({ message }: FieldError): boolean {
  return UNSUPPORTED.some((keyword) => message === `Forbidden: ${keyword} is not supported`);
}

function ofSchema(schema: JsonObject, field: string, place: Place): FieldError[] {
  return [
    ...unsupportedErrors(schema, field, place),
    ...additionalErrors(schema, field, place),
    ...propertiesErrors(schema, field, place),
    ...junctorErrors(schema, field, place),
    ...itemsErrors(schema, field, place),
    ...preserveErrors(schema, field),
    ...mapTypeErrors(schema, field),
    ...listTypeErrors(schema, field),
    ...listKeyErrors(schema, field),
    ...keyedItemErrors(schema, field),
    ...ruleErrors(schema, field),
  ];
}

function unsupportedErrors(schema: JsonObject, field: string, place: Place): FieldError[] {
  const type = text(schema.get('type'));
  const errors: FieldError[] = [];
  if (type !== '' && !TYPES.includes(type)) errors.push(unsupportedValue(`${field}.type`, type, TYPES));
  if (place.noDefaults !== undefined && schema.has('default')) {
    errors.push(forbiddenValue(`${field}.default`, `must not be set ${place.noDefaults}`));
  }
  for (const keyword of UNSUPPORTED) {
    if (isPresent(schema.get(keyword)))
      errors.push(forbiddenValue(`${field}.${keyword}`, `${keyword} is not supported`));
  }
  if (type === 'null') {
    errors.push(
      forbiddenValue(`${field}.type`, 'type cannot be set to null, use nullable as an alternative'),
    );
  }
  if (Array.isArray(schema.get('items'))) {
    errors.push(forbiddenValue(`${field}.items`, 'items must be a schema object and not an array'));
  }
  if (place.isObjectField && schema.get('x-kubernetes-embedded-resource') === true) {
    errors.push(
      forbiddenValue(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'),
    );
  }
  if (schema.get('uniqueItems') === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${field}.uniqueItems`, detail));
  }
  return errors;
}

function isPresent(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(value instanceof Map) || value.size > 0;
}

function additionalErrors(schema: JsonObject, field: string, place: Place): FieldError[] {
  const additional = schema.get('additionalProperties');
  const own = `${field}.additionalProperties`;
  const hasProperties = members(schema.get('properties')).size > 0;
  const errors: FieldError[] = [];
  if (hasProperties && (additional instanceof Map || additional === false)) {
    errors.push(forbiddenValue(own, 'additionalProperties and properties are mutual exclusive'));
  }
  if (additional instanceof Map) {
    const reason = 'inside additionalProperties applying to object metadata';
    const noDefaults = place.isObjectField ? reason : place.noDefaults;
    errors.push(...ofSchema(additional, own, { ...place, isRoot: false, noDefaults }));
  }
  return errors;
}

function propertiesErrors(schema: JsonObject, field: string, place: Place): FieldError[] {
  const isObject = place.isRoot || schema.get('x-kubernetes-embedded-resource') === true;
  return [...members(schema.get('properties'))].flatMap(([name, property]) => {
    const isObjectField = place.isObjectField || (isObject && OBJECT_FIELDS.includes(name));
    const noDefaults = place.isRoot && isObjectField ? `in top-level ${name}` : place.noDefaults;
    return ofSchema(members(property), `${field}.properties[${name}]`, {
      isRoot: false,
      isObjectField,
      noDefaults,
    });
  });
}

function junctorErrors(schema: JsonObject, field: string, place: Place): FieldError[] {
  const inner = { ...place, isRoot: false };
  const not = schema.get('not');
  const inLists = ['allOf', 'oneOf', 'anyOf'].flatMap((junctor) =>
    list(schema.get(junctor)).flatMap((item, index) =>
      ofSchema(members(item), `${field}.${junctor}[${index}]`, inner),
    ),
  );
  return [...(not instanceof Map ? ofSchema(not, `${field}.not`, inner) : []), ...inLists];
}

function itemsErrors(schema: JsonObject, field: string, place: Place): FieldError[] {
  const items = schema.get('items');
  return items instanceof Map ? ofSchema(items, `${field}.items`, { ...place, isRoot: false }) : [];
}

function preserveErrors(schema: JsonObject, field: string): FieldError[] {
  const keyword = 'x-kubernetes-preserve-unknown-fields';
  return schema.get(keyword) === false
    ? [invalidValue(`${field}.${keyword}`, false, 'must be true or undefined')]
    : [];
}

function mapTypeErrors(schema: JsonObject, field: string): FieldError[] {
  const keyword = 'x-kubernetes-map-type';
  return fixedTypeErrors(schema, field, keyword, 'object').concat(
    oneOfErrors(schema, field, keyword, MAP_TYPES),
  );
}

function listTypeErrors(schema: JsonObject, field: string): FieldError[] {
  const keyword = 'x-kubernetes-list-type';
  const wrongType = fixedTypeErrors(schema, field, keyword, 'array');
  const isSet = wrongType.length === 0 && schema.get(keyword) === 'set';
  const notAtomic = isSet ? setItemErrors(schema.get('items'), `${field}.items`) : [];
  return [...wrongType, ...notAtomic, ...oneOfErrors(schema, field, keyword, LIST_TYPES)];
}

function fixedTypeErrors(schema: JsonObject, field: string, keyword: string, wanted: string): FieldError[] {
  const type = text(schema.get('type'));
  if (!schema.has(keyword) || type === wanted) return [];
  const detail = `must be ${wanted} if ${keyword} is specified`;
  return [type === '' ? requiredValue(`${field}.type`, detail) : invalidValue(`${field}.type`, type, detail)];
}

function oneOfErrors(
  schema: JsonObject,
  field: string,
  keyword: string,
  supported: readonly string[],
): FieldError[] {
  const value = schema.get(keyword);
  if (typeof value !== 'string' || supported.includes(value)) return [];
  return [unsupportedValue(`${field}.${keyword}`, value, supported)];
}

/** The reference prints the list type for both. */
function setItemErrors(items: JsonValue | undefined, field: string): FieldError[] {
  if (!(items instanceof Map)) return [];
  const listType = items.get('x-kubernetes-list-type') ?? null;
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.get('type') === 'array' && listType !== null && listType !== 'atomic') {
    return [invalidValue(`${field}.x-kubernetes-list-type`, listType, detail)];
  }
  if (items.get('type') === 'object' && items.get('x-kubernetes-map-type') !== 'atomic') {
    return [invalidValue(`${field}.x-kubernetes-map-type`, listType, detail)];
  }
  return [];
}

function listKeyErrors(schema: JsonObject, field: string): FieldError[] {
  const keys = texts(schema.get('x-kubernetes-list-map-keys'));
  const listType = text(schema.get('x-kubernetes-list-type'));
  const own = `${field}.x-kubernetes-list-map-keys`;
  if (listType !== 'map') {
    if (keys.length === 0) return [];
    const place = `${field}.x-kubernetes-list-type`;
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    return [listType === '' ? requiredValue(place, detail) : invalidValue(place, listType, detail)];
  }
  const items = schema.get('items');
  const errors =
    keys.length === 0 ? [requiredValue(own, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (items === undefined) {
    errors.push(requiredValue(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  }
  if (!(items instanceof Map)) return errors;
  const type = text(items.get('type'));
  if (type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(`${field}.items.type`, type, detail)];
  }
  return [...errors, ...keys.flatMap((key, index) => keyErrors(key, index, keys, items, field))];
}

function keyErrors(
  key: string,
  index: number,
  keys: string[],
  items: JsonObject,
  field: string,
): FieldError[] {
  const property = members(items.get('properties')).get(key);
  const own = `${field}.x-kubernetes-list-map-keys`;
  const errors: FieldError[] = [];
  const type = text(members(property).get('type'));
  if (property === undefined)
    errors.push(invalidValue(own, keys, 'entries must all be names of item properties'));
  else if (type === 'array' || type === 'object') {
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(`${field}.items.properties[${key}].type`, 'object', detail));
  }
  if (keys.indexOf(key) < index) errors.push(invalidValue(own, keys, 'must not contain duplicate entries'));
  return errors;
}

function keyedItemErrors(schema: JsonObject, field: string): FieldError[] {
  const items = schema.get('items');
  const listType = text(schema.get('x-kubernetes-list-type'));
  if (!(items instanceof Map) || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.get('nullable') === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenValue(`${field}.items.nullable`, detail));
  }
  if (listType === 'set') return errors;
  const required = texts(items.get('required'));
  for (const key of texts(schema.get('x-kubernetes-list-map-keys'))) {
    const property = members(items.get('properties')).get(key);
    if (!(property instanceof Map)) continue;
    const own = `${field}.items.properties[${key}]`;
    const isKey = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!required.includes(key) && !property.has('default')) {
      errors.push(requiredValue(`${own}.default`, `${isKey} must have a default or be a required property`));
    }
    if (property.get('nullable') === true)
      errors.push(forbiddenValue(`${own}.nullable`, `${isKey} cannot be nullable`));
  }
  return errors;
}

/** The frame of rules; their CEL is not compiled here. */
function ruleErrors(schema: JsonObject, field: string): FieldError[] {
  return list(schema.get('x-kubernetes-validations')).flatMap((item, index) => {
    const place = `${field}.x-kubernetes-validations[${index}]`;
    const rule = text(members(item).get('rule'));
    const message = text(members(item).get('message'));
    if (rule.trim() === '') return [requiredValue(`${place}.rule`, 'rule is not specified')];
    if (message !== '' && message.trim() === '') {
      return [invalidValue(`${place}.message`, message, 'must be non-empty if specified')];
    }
    if (/[\n\r]/.test(message.trim()))
      return [invalidValue(`${place}.message`, message, 'must not contain line breaks')];
    if (/[\n\r]/.test(rule.trim()) && message === '') {
      return [requiredValue(`${place}.message`, 'message must be specified if rule contains line breaks')];
    }
    return [];
  });
}
