// One version's OpenAPI document, made from its kinds: paths, methods and query parameters, without schemas.
import { type JsonObject, type JsonValue, printJson } from '@sluice/encoding';
import type { Kind, Verb } from '@sluice/resources';

/** What kubectl looks for before it applies, creates or tries a change: does the PATCH of this kind know `fieldValidation`, `dryRun`. */
export function versionDocument(prefix: string, kinds: readonly Kind[]): Uint8Array {
  const paths: [string, JsonObject][] = [
    [`${prefix}/`, object({ get: operation(undefined, undefined, []) })],
  ];
  for (const kind of kinds) paths.push(...kindPaths(prefix, kind));
  paths.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const info = object({ title: 'Kubernetes', version: OPENAPI_INFO_VERSION });
  return printJson(object({ openapi: '3.0.0', info, paths: new Map(paths) }));
}

/** The API's version, as the reference's documents name it. */
export const OPENAPI_INFO_VERSION = '1.37';

function* kindPaths(prefix: string, kind: Kind): Generator<[string, JsonObject]> {
  const scope = kind.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `${prefix}${scope}/${kind.plural}`;
  if (kind.namespaced) yield* pathItem(`${prefix}/${kind.plural}`, kind, ['list'], kind.verbs);
  yield* pathItem(collection, kind, ['list', 'create', 'deletecollection'], kind.verbs);
  yield* pathItem(`${collection}/{name}`, kind, ['get', 'update', 'patch', 'delete'], kind.verbs);
  for (const subresource of kind.subresources) {
    const path = `${collection}/{name}/${subresource.name}`;
    yield* pathItem(path, subresource, ['get', 'create', 'update', 'patch', 'delete'], subresource.verbs);
  }
  if (!kind.custom) yield* watchPaths(prefix, scope, kind);
}

function* watchPaths(prefix: string, scope: string, kind: Kind): Generator<[string, JsonObject]> {
  const watched = `${prefix}/watch${scope}/${kind.plural}`;
  if (kind.namespaced) yield* pathItem(`${prefix}/watch/${kind.plural}`, kind, ['watch'], kind.verbs);
  yield* pathItem(watched, kind, ['watch'], kind.verbs);
  yield* pathItem(`${watched}/{name}`, kind, ['watch'], kind.verbs);
}

type NamedKind = { group: string; version: string; kind: string };

function* pathItem(
  path: string,
  shown: NamedKind,
  possible: readonly Verb[],
  supported: readonly Verb[],
): Generator<[string, JsonObject]> {
  const verbs = possible.filter((verb) => supported.includes(verb));
  if (verbs.length === 0) return;
  const item: Record<string, JsonValue> = {};
  for (const verb of verbs) item[METHODS[verb]] = operation(verb, shown, QUERY_PARAMETERS[verb]);
  const inPath = ['name', 'namespace'].filter((name) => path.includes(`{${name}}`));
  const common = [...inPath.map((name) => parameter(name, 'path')), parameter('pretty', 'query')];
  yield [path, object({ ...item, parameters: common })];
}

const METHODS: Readonly<Record<Verb, string>> = {
  list: 'get',
  watch: 'get',
  get: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

const LIST_PARAMETERS = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
] as const;
const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'] as const;
const DELETE_PARAMETERS = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'] as const;

const QUERY_PARAMETERS: Readonly<Record<Verb, readonly string[]>> = {
  list: LIST_PARAMETERS,
  watch: LIST_PARAMETERS,
  get: [],
  create: WRITE_PARAMETERS,
  update: WRITE_PARAMETERS,
  patch: [...WRITE_PARAMETERS, 'force'],
  delete: DELETE_PARAMETERS,
  deletecollection: [
    ...DELETE_PARAMETERS,
    ...LIST_PARAMETERS.filter((name) => !/atch$|Bookmarks/.test(name)),
  ],
};

const ACTIONS: Partial<Record<Verb, string>> = { create: 'post', update: 'put', watch: 'watchlist' };

function operation(
  verb: Verb | undefined,
  shown: NamedKind | undefined,
  queryParameters: readonly string[],
): JsonObject {
  const parameters = queryParameters.map((name) => parameter(name, 'query'));
  return object({
    ...(parameters.length > 0 && { parameters }),
    responses: object({ '200': object({ description: 'OK' }) }),
    ...(verb !== undefined && { 'x-kubernetes-action': ACTIONS[verb] ?? verb }),
    ...(shown !== undefined && {
      'x-kubernetes-group-version-kind': object({
        group: shown.group,
        kind: shown.kind,
        version: shown.version,
      }),
    }),
  });
}

const INTEGERS: ReadonlySet<string> = new Set(['limit', 'timeoutSeconds', 'gracePeriodSeconds']);
const BOOLEANS: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'sendInitialEvents',
  'watch',
  'force',
  'orphanDependents',
]);

/** The same few in thousands of places: shared, which a tree that is only printed may be. */
const PARAMETERS = new Map<string, JsonObject>();

function parameter(name: string, place: 'path' | 'query'): JsonObject {
  const known = PARAMETERS.get(name);
  if (known !== undefined) return known;
  const made = newParameter(name, place);
  PARAMETERS.set(name, made);
  return made;
}

function newParameter(name: string, place: 'path' | 'query'): JsonObject {
  const type = INTEGERS.has(name) ? 'integer' : BOOLEANS.has(name) ? 'boolean' : 'string';
  const head = { name, in: place, ...(place === 'path' && { required: true }) };
  return object({ ...head, schema: object({ type }) });
}

function object(members: Record<string, JsonValue>): JsonObject {
  return new Map(Object.entries(members));
}
