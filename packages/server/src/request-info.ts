// What kube-apiserver's request info says of any path, served or not: who may do it is decided by this, before routing.
import { parseFieldSelector, pathSegmentProblems } from '@sluice/resources';
import type { Query } from './api.ts';

export type RequestInfo = {
  /** Below /api or /apis and deep enough to name a resource. */
  isResource: boolean;
  /** `list`, `watch`, `deletecollection`, … or, of other paths, the method in lower case. Empty: no verb belongs to the method. */
  verb: string;
  /** As asked for, percent escapes undone. */
  path: string;
  group: string;
  version: string;
  namespace: string;
  /** The path names a namespace before the resource, if only an empty one. */
  inNamespace: boolean;
  /** The deprecated `/watch/…` form of the path. */
  onWatchPath: boolean;
  plural: string;
  /** Also that of a list or watch narrowed to one name by its field selector. */
  name: string;
  subresource: string;
  /** What follows the resource's name and subresource. */
  rest: readonly string[];
};

const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** `/api/v1/namespaces/x/status` is a namespace's own subresource, not a resource in it. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** What stands behind more segments than any resource has is not looked at. */
const SEGMENTS_MAX = 32;

/** Undefined: `/watch` and `/proxy` with nothing behind them, which the reference answers with 500. */
export function readRequestInfo(method: string, path: string, query: Query): RequestInfo | undefined {
  const parts = trimSlashes(path).split('/', SEGMENTS_MAX);
  const prefix = parts[0];
  const depth = prefix === 'api' ? 3 : 4;
  if ((prefix !== 'api' && prefix !== 'apis') || parts.length < depth) return pathInfo(method, path);
  const group = prefix === 'api' ? '' : (parts[1] ?? '');
  const version = parts[depth - 2] ?? '';
  let below = parts.slice(depth - 1);
  let verb = METHOD_VERBS.get(method) ?? '';
  const isSpecial = below[0] === 'watch' || below[0] === 'proxy';
  if (isSpecial) {
    if (below.length < 2) return undefined;
    verb = below[0] ?? '';
    below = below.slice(1);
  }
  let namespace = '';
  let inNamespace = false;
  if (below[0] === 'namespaces' && below.length > 1) {
    namespace = below[1] ?? '';
    inNamespace = below.length > 2 && !NAMESPACE_SUBRESOURCES.has(below[2] ?? '');
    if (inNamespace) below = below.slice(2);
  }
  const [plural = '', name = '', subresource = '', ...rest] = below;
  const onWatchPath = verb === 'watch';
  const place = { group, version, namespace, inNamespace, onWatchPath };
  const info = { isResource: true, verb, path, ...place, plural, name, subresource, rest };
  return name === '' ? collectionInfo(info, query) : info;
}

function pathInfo(method: string, path: string): RequestInfo {
  const verb = method.toLowerCase();
  const place = { group: '', version: '', namespace: '', inNamespace: false, onWatchPath: false };
  return { isResource: false, verb, path, ...place, plural: '', name: '', subresource: '', rest: [] };
}

function collectionInfo(info: RequestInfo, query: Query): RequestInfo {
  if (info.verb === 'delete') return { ...info, verb: 'deletecollection' };
  if (info.verb !== 'get') return info;
  return { ...info, verb: isTrue(query.first('watch')) ? 'watch' : 'list', name: selectedName(query) };
}

/** Query booleans: present, and neither `0` nor any spelling of `false`. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** A longer selector asks for no one name: it is read in slices, later. */
const NAMING_SELECTOR_MAX_LENGTH = 8 * 1024;

/** The name a list's field selector asks for. Options that can't be read select nothing: they are refused later. */
function selectedName(query: Query): string {
  const selector = query.first('fieldSelector');
  if (selector === undefined || !selector.includes('metadata.name')) return '';
  if (selector.length > NAMING_SELECTOR_MAX_LENGTH) return '';
  if (
    [query.first('limit'), query.first('timeoutSeconds')].some(
      (text) => text !== undefined && !isInteger(text),
    )
  ) {
    return '';
  }
  try {
    const name = parseFieldSelector(selector).exact('metadata.name') ?? '';
    return pathSegmentProblems(name).length === 0 ? name : '';
  } catch {
    return '';
  }
}

function isInteger(text: string): boolean {
  return /^[+-]?[0-9]+$/.test(text);
}

export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}
