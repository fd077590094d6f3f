// The parts of a definition that stand in each version or once for all of them: schema, subresources, columns,
// selectable fields.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { list, members, text } from '../tree.ts';
import { duplicateValue, type FieldError, invalidValue, requiredValue, tooMany } from '../validation.ts';
import { schemaErrors } from './schema-validation.ts';

const SELECTABLE_FIELDS_MAX = 8;
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** `schemaName` is what the reference calls the schema's holder here. */
export function versionPartErrors(
  part: JsonObject,
  field: string,
  schemaName: string,
  hasStatus: boolean,
): FieldError[] {
  const schema = members(part.get('schema')).get('openAPIV3Schema');
  const columns = list(part.get('additionalPrinterColumns'));
  const selectable = list(part.get('selectableFields'));
  return [
    ...(schema instanceof Map
      ? schemaErrors(schema, `${field}.${schemaName}.openAPIV3Schema`, hasStatus)
      : []),
    ...scaleErrors(members(part.get('subresources')).get('scale'), `${field}.subresources.scale`),
    ...columns.flatMap((column, index) =>
      columnErrors(members(column), `${field}.additionalPrinterColumns[${index}]`),
    ),
    ...selectableErrors(selectable, members(schema), `${field}.selectableFields`),
  ];
}

function scaleErrors(scale: JsonValue | undefined, field: string): FieldError[] {
  if (!(scale instanceof Map)) return [];
  const selector = text(scale.get('labelSelectorPath'));
  return [
    ...scalePathErrors(text(scale.get('specReplicasPath')), `${field}.specReplicasPath`, ['.spec']),
    ...scalePathErrors(text(scale.get('statusReplicasPath')), `${field}.statusReplicasPath`, ['.status']),
    ...(selector === '' ? [] : scalePathErrors(selector, `${field}.labelSelectorPath`, ['.spec', '.status'])),
  ];
}

function scalePathErrors(path: string, field: string, roots: readonly string[]): FieldError[] {
  if (path === '') return [requiredValue(field)];
  if (!path.startsWith('.')) return [notSimple(path, field)];
  if (roots.some((root) => path.startsWith(`${root}.`))) return [];
  const where = roots.length > 1 ? `either ${roots.join(' or ')}` : roots.join();
  return [invalidValue(field, path, `should be a json path under ${where}`)];
}

function columnErrors(column: JsonObject, field: string): FieldError[] {
  const type = text(column.get('type'));
  const format = text(column.get('format'));
  const path = text(column.get('jsonPath'));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  const errors: FieldError[] = [];
  if (text(column.get('name')) === '') errors.push(requiredValue(`${field}.name`));
  if (type === '') errors.push(requiredValue(`${field}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidValue(`${field}.type`, type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    errors.push(invalidValue(`${field}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  if (path === '') errors.push(requiredValue(`${field}.JSONPath`));
  else if (!path.startsWith('.')) errors.push(notSimple(path, `${field}.JSONPath`));
  return errors;
}

function notSimple(path: string, field: string): FieldError {
  return invalidValue(field, path, 'must be a simple json path starting with .');
}

function selectableErrors(fields: readonly JsonValue[], schema: JsonObject, parent: string): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap((selectable, index) => {
    const path = text(members(selectable).get('jsonPath'));
    const field = `${parent}[${index}].jsonPath`;
    if (path === '') return [requiredValue(field)];
    const found = schemaAt(path, schema);
    if (typeof found === 'string') return [invalidValue(field, path, `is an invalid path: ${found}`)];
    const problems: FieldError[] = [];
    if (/^\.metadata(\.|$)/.test(path)) {
      problems.push(invalidValue(field, path, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(text(found.get('type')))) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      problems.push(invalidValue(field, path, detail));
    }
    if (seen.has(path)) problems.push(duplicateValue(field, path));
    seen.add(path);
    return problems;
  });
  return seen.size > SELECTABLE_FIELDS_MAX
    ? [...errors, tooMany(parent, seen.size, SELECTABLE_FIELDS_MAX)]
    : errors;
}

/** The schema a path leads to, or why it leads nowhere. */
function schemaAt(path: string, root: JsonObject): JsonObject | string {
  let schema = root;
  for (const [index, token] of (path.match(/[.[\]]|[^.[\]]+/g) ?? []).entries()) {
    const isDot = token === '.';
    if (token === '[') return 'array notation is not allowed';
    if (index % 2 === 0) {
      if (!isDot) return `expected [ or . but got: ${token}`;
      continue;
    }
    const properties = schema.get('properties');
    const next = properties instanceof Map ? properties.get(token) : schema.get('additionalProperties');
    if (!(next instanceof Map)) return 'does not refer to a valid field';
    schema = next;
  }
  return path.endsWith('.') ? 'unexpected end of JSON path' : schema;
}
