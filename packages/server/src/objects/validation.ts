// What an object must obey before it is stored: its metadata, and the rules of the few kinds that have some here.
import {
  type ApiObject,
  configKeyProblems,
  containerResourceErrors,
  definitionErrors,
  definitionUpdateErrors,
  type FieldError,
  forbiddenValue,
  invalid,
  invalidValue,
  type Kind,
  metadataErrors,
  metadataUpdateErrors,
  requiredValue,
  tooLong,
} from '@sluice/resources';
import { immutableFieldErrors } from './immutable-fields.ts';
import { equal, textAt, valueAt } from './tree.ts';

/** Values of a ConfigMap or a Secret together. */
const DATA_LIMIT_BYTES = 1024 * 1024;

/** @throws ApiError 422 that names all that is wrong. */
export function checkNew(kind: Kind, object: ApiObject): void {
  const errors = [
    ...typeErrors(kind, object),
    ...metadataErrors(kind, object),
    ...ownErrors(kind, object, undefined),
  ];
  refuse(kind, object, errors);
}

/** @throws ApiError 422 */
export function checkChanged(kind: Kind, object: ApiObject, old: ApiObject): void {
  const errors = [
    ...typeErrors(kind, object),
    ...metadataUpdateErrors(kind, object, old),
    ...immutableFieldErrors(kind, object, old),
    ...ownErrors(kind, object, old),
  ];
  refuse(kind, object, errors);
}

/** The error speaks of the kind that the body says it is. */
function refuse(kind: Kind, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const said = kind.custom ? textAt(object, 'kind') : kind.kind;
  throw invalid({ group: kind.group, kind: said }, textAt(object, 'metadata', 'name'), errors);
}

/** Bodies of built-in kinds were refused when they were read. */
function typeErrors(kind: Kind, object: ApiObject): FieldError[] {
  const said = textAt(object, 'kind');
  if (!kind.custom || said === kind.kind) return [];
  return [invalidValue('kind', said, `must be ${kind.kind}`)];
}

function ownErrors(kind: Kind, object: ApiObject, old: ApiObject | undefined): FieldError[] {
  switch (kind.custom ? '' : `${kind.group}/${kind.plural}`) {
    case '/configmaps':
      return [
        ...configMapErrors(object),
        ...(old ? immutableErrors(object, old, ['data', 'binaryData']) : []),
      ];
    case '/secrets':
      return [...secretErrors(object), ...(old ? secretUpdateErrors(object, old) : [])];
    case 'apiextensions.k8s.io/customresourcedefinitions':
      return old ? definitionUpdateErrors(object, old) : definitionErrors(object);
    default:
      return containerResourceErrors(kind, object);
  }
}

function configMapErrors(object: ApiObject): FieldError[] {
  const [data, binary] = [entries(object, 'data'), entries(object, 'binaryData')];
  const binaryKeys = new Set(binary.map(([key]) => key));
  const errors: FieldError[] = [];
  for (const [key] of data) {
    errors.push(...keyErrors('data', key));
    if (binaryKeys.has(key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  for (const [key] of binary) errors.push(...keyErrors('binaryData', key));
  const bytes =
    sum(data.map(([, text]) => Buffer.byteLength(text))) + sum(binary.map(([, text]) => decodedBytes(text)));
  if (bytes > DATA_LIMIT_BYTES) errors.push(tooLong('[]', DATA_LIMIT_BYTES));
  return errors;
}

function secretErrors(object: ApiObject): FieldError[] {
  const data = entries(object, 'data');
  const errors = data.flatMap(([key]) => keyErrors('data', key));
  if (sum(data.map(([, text]) => decodedBytes(text))) > DATA_LIMIT_BYTES) {
    errors.push(tooLong('data', DATA_LIMIT_BYTES));
  }
  const keys = new Set(data.map(([key]) => key));
  for (const key of REQUIRED_KEYS.get(textAt(object, 'type')) ?? []) {
    if (!keys.has(key)) errors.push(requiredValue(`data[${key}]`));
  }
  return errors;
}

/** What Secrets of some types must hold. */
const REQUIRED_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
]);

function secretUpdateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const type = textAt(object, 'type');
  const changed = type !== textAt(old, 'type') ? [invalidValue('type', type, 'field is immutable')] : [];
  return [...changed, ...immutableErrors(object, old, ['data'])];
}

/** Once `immutable` is true, it stays, and so does the content. */
function immutableErrors(object: ApiObject, old: ApiObject, content: readonly string[]): FieldError[] {
  if (old.get('immutable') !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const errors = object.get('immutable') === true ? [] : [forbiddenValue('immutable', detail)];
  for (const name of content) {
    if (!equal(object.get(name), old.get(name))) errors.push(forbiddenValue(name, detail));
  }
  return errors;
}

function keyErrors(field: string, key: string): FieldError[] {
  return configKeyProblems(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem));
}

function entries(object: ApiObject, name: string): [string, string][] {
  const found = valueAt(object, name);
  if (!(found instanceof Map)) return [];
  return [...found].map(([key, value]) => [key, typeof value === 'string' ? value : '']);
}

function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
