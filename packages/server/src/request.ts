// Where a request goes, by method and path, exactly as kube-apiserver routes it: to a resource, a document, or one of three refusals.
import {
  type ApiError,
  badRequest,
  goQuote,
  type Kind,
  type Kinds,
  methodNotAllowed,
  noSuchResource,
  notFound,
  pathSegmentProblems,
  plainError,
  type Verb,
  verbNotSupported,
} from '@sluice/resources';
import type { ResourceTarget } from './api.ts';
import { type RequestInfo, trimSlashes } from './request-info.ts';

/**
 * | to | for |
 * |---|---|
 * | resource | objects of a kind |
 * | discovery | the documents that tell which kinds there are |
 * | root, health, version, metrics, openapi | the other paths that are served |
 * | error | a Status: 404 and 405 below a served group, a name that can't be one |
 * | nowhere | Go's plain text `404 page not found` |
 */
export type Route =
  | { to: 'resource'; target: ResourceTarget }
  | { to: 'discovery'; document: DiscoveryPath }
  | { to: 'root' | 'health' | 'version' | 'metrics' | 'openapi' | 'nowhere' }
  | { to: 'error'; error: ApiError };

/** `isRouted`: a built-in path, whose router looks at Accept before the document's own negotiation does. */
export type DiscoveryPath =
  | { of: 'core' | 'groups'; isRouted: boolean }
  | { of: 'group'; group: string; isRouted: boolean }
  | { of: 'version'; group: string; version: string; isRouted: boolean };

export function route(info: RequestInfo, method: string, kinds: Kinds): Route {
  if (!info.isResource) return routePath(info.path, method, kinds);
  const kind = kinds.find(info.group, info.version, info.plural);
  if (kind === undefined) return isBuiltIn(info.group, kinds) ? refused(noSuchResource()) : NOWHERE;
  const routed = kind.custom ? routeCustom(info, kind) : routeBuiltIn(info, method, kind);
  return routed.to === 'resource' ? checkedNames(routed) : routed;
}

const NOWHERE: Route = { to: 'nowhere' };

function refused(error: ApiError): Route {
  return { to: 'error', error };
}

function isBuiltIn(group: string, kinds: Kinds): boolean {
  return kinds
    .versionsOf(group)
    .some((version) => kinds.inVersion(group, version).some((kind) => !kind.custom));
}

/** What each method does on a path that ends in a collection, an object, or a subresource. */
const COLLECTION_VERBS: Readonly<Record<string, Verb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};
const OBJECT_VERBS: Readonly<Record<string, Verb>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const SUBRESOURCE_VERBS: Readonly<Record<string, Verb>> = { ...OBJECT_VERBS, POST: 'create' };

/** A path that has a route for no method is a 404; one that has for other methods is a 405. */
function routeBuiltIn(info: RequestInfo, method: string, kind: Kind): Route {
  const { name, subresource, inNamespace } = narrowed(info);
  if (info.verb === 'proxy' || (inNamespace && !kind.namespaced)) return refused(noSuchResource());
  if (info.onWatchPath) return routeWatchPath(info, method, kind);
  if (name === '') {
    const verbs = kind.namespaced && !inNamespace ? { GET: 'list' as const } : COLLECTION_VERBS;
    const routed = byMethod(method, verbs, kind.verbs, target(info, kind, '', ''));
    return info.verb === 'watch' && routed.to === 'resource' ? asWatch(routed.target) : routed;
  }
  if (kind.namespaced && !inNamespace) return refused(noSuchResource());
  if (subresource === '') return byMethod(method, OBJECT_VERBS, kind.verbs, target(info, kind, name, ''));
  const found = kind.subresources.find((candidate) => candidate.name === subresource);
  const isTooDeep = info.rest.length > 0 && subresource !== 'proxy';
  if (found === undefined || isTooDeep) return refused(noSuchResource());
  return byMethod(method, SUBRESOURCE_VERBS, found.verbs, target(info, kind, name, subresource));
}

/** Without the name that the field selector of a list may have put in. */
function narrowed(info: RequestInfo): RequestInfo {
  const isCollection = info.verb === 'list' || (info.verb === 'watch' && !info.onWatchPath);
  return isCollection ? { ...info, name: '' } : info;
}

function routeWatchPath(info: RequestInfo, method: string, kind: Kind): Route {
  const isDeeper = info.subresource !== '' || (info.name !== '' && kind.namespaced && !info.inNamespace);
  if (!kind.verbs.includes('watch') || isDeeper) return refused(noSuchResource());
  if (method !== 'GET') return refused(methodNotAllowed());
  return { to: 'resource', target: { ...target(info, kind, info.name, ''), verb: 'watch' } };
}

function byMethod(
  method: string,
  verbs: Readonly<Record<string, Verb>>,
  supported: readonly Verb[],
  found: ResourceTarget,
): Route {
  const verb = verbs[method];
  if (verb !== undefined && supported.includes(verb)) return { to: 'resource', target: { ...found, verb } };
  const hasRoute = Object.values(verbs).some((candidate) => supported.includes(candidate));
  return refused(hasRoute ? methodNotAllowed() : noSuchResource());
}

function asWatch(found: ResourceTarget): Route {
  if (found.verb !== 'list') return { to: 'resource', target: found };
  if (!found.kind.verbs.includes('watch')) return refused(verbNotSupported(found.kind, 'watch'));
  return { to: 'resource', target: { ...found, verb: 'watch' } };
}

const CUSTOM_VERBS: ReadonlySet<string> = new Set([
  ...Object.values(COLLECTION_VERBS),
  ...Object.values(OBJECT_VERBS),
  'watch',
]);

/** Custom resources are told apart by the verb, not by a router: methods without one, and deeper paths, end differently. */
function routeCustom(info: RequestInfo, kind: Kind): Route {
  const { verb, namespace, name, subresource } = narrowed(info);
  const spansNamespaces = verb === 'list' || verb === 'watch';
  if (namespace === '' ? kind.namespaced && !spansNamespaces : !kind.namespaced) return NOWHERE;
  const found = kind.subresources.find((candidate) => candidate.name === subresource);
  if (subresource !== '' && found === undefined) return refused(notFound(kind, name));
  const isSupported =
    subresource === '' ? CUSTOM_VERBS.has(verb) : found?.verbs.some((other) => other === verb);
  if (!isSupported) return refused(verbNotSupported(kind, verb));
  if (name === '' && (verb === 'update' || verb === 'patch'))
    return refused(badRequest('name must be provided'));
  const nameUsed = verb === 'create' ? '' : name;
  return {
    to: 'resource',
    target: { ...target(info, kind, nameUsed, subresource), verb: verb as ResourceTarget['verb'] },
  };
}

function target(info: RequestInfo, kind: Kind, name: string, subresource: string): ResourceTarget {
  return { kind, verb: 'get', namespace: kind.namespaced ? info.namespace : '', name, subresource };
}

/** Names become parts of storage keys: those that would lead out of their place are refused here. */
function checkedNames(routed: Route & { to: 'resource' }): Route {
  const { kind, verb, namespace, name } = routed.target;
  if (namespace === '.' || namespace === '..') {
    const key = kind.storagePrefix.replace(/^\/registry/, '') + namespace + (name === '' ? '' : `/${name}`);
    return refused(plainError(`invalid key: ${goQuote(key)}`));
  }
  const problems = verb === 'watch' ? [] : pathSegmentProblems(name);
  if (problems.length === 0) return routed;
  return refused(badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(', ')}`));
}

/** Paths that name no resource. */
function routePath(path: string, method: string, kinds: Kinds): Route {
  if (path === '/' || path === '') return { to: 'root' };
  if (path.startsWith('//')) return NOWHERE;
  const parts = trimSlashes(path).split('/');
  switch (parts[0]) {
    case 'api':
      return routeCoreDocument(parts, method, kinds);
    case 'apis':
      return routeGroupDocument(parts, method, kinds);
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { to: 'health' };
    case 'version':
      if (parts.length > 1) return refused(noSuchResource());
      return method === 'GET' ? { to: 'version' } : refused(methodNotAllowed());
    case 'metrics':
      return path === '/metrics' ? { to: 'metrics' } : NOWHERE;
    case 'openapi':
      return path === '/openapi/v2' || parts[1] === 'v3' ? { to: 'openapi' } : NOWHERE;
    default:
      return NOWHERE;
  }
}

function routeCoreDocument(parts: readonly string[], method: string, kinds: Kinds): Route {
  const version = parts[1];
  if (version !== undefined && kinds.inVersion('', version).length === 0) return refused(noSuchResource());
  if (method !== 'GET') return refused(methodNotAllowed());
  if (version === undefined) return { to: 'discovery', document: { of: 'core', isRouted: true } };
  return { to: 'discovery', document: { of: 'version', group: '', version, isRouted: true } };
}

/** Only the documents of built-in versions look at the method. */
function routeGroupDocument(parts: readonly string[], method: string, kinds: Kinds): Route {
  const [, group, version] = parts;
  if (group === undefined) return { to: 'discovery', document: { of: 'groups', isRouted: false } };
  if (group === '' || !kinds.hasGroup(group)) return NOWHERE;
  if (version === undefined) return { to: 'discovery', document: { of: 'group', group, isRouted: false } };
  const isRouted = isBuiltIn(group, kinds);
  if (kinds.inVersion(group, version).length === 0) return isRouted ? refused(noSuchResource()) : NOWHERE;
  if (isRouted && method !== 'GET') return refused(methodNotAllowed());
  return { to: 'discovery', document: { of: 'version', group, version, isRouted } };
}
