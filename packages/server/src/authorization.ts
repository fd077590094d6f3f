// Who may do what: administrators everything, everybody the health pages, whoever is known the discovery pages and questions
// about himself. Nothing else.
import { ApiError, forbidden, forbiddenPath, goQuote } from '@sluice/resources';
import type { User } from './api.ts';
import type { RequestInfo } from './request-info.ts';

const ADMINISTRATORS = 'system:masters';

const AUTHENTICATED = 'system:authenticated';

/** Exact paths, for reading; kube-apiserver's bootstrap role `system:public-info-viewer`. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** Exact paths and prefixes, for reading; `system:discovery`. */
const DISCOVERY_PATHS: ReadonlySet<string> = new Set(['/api', '/apis', '/openapi']);
const DISCOVERY_PREFIXES = ['/api/', '/apis/', '/openapi/'] as const;

/** Resources that whoever is known may create, to ask about himself; `system:basic-user`. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
]);

/** What somebody wants to do: a path, or a resource. */
export type Wanted = Pick<RequestInfo, 'isResource' | 'verb' | 'path' | 'group' | 'plural' | 'subresource'>;

/** `reason` is in the words of kube-apiserver's roles; administrators need none. */
export type Permission = { allowed: boolean; reason: string };

/** Comes before routing: who may not look is not told what is there. Undefined: the request may go on. */
export function refusal(user: User, info: RequestInfo): ApiError | undefined {
  return permission(user, info).allowed ? undefined : refused(user, info);
}

export function permission({ groups }: User, wanted: Wanted): Permission {
  if (groups.includes(ADMINISTRATORS)) return { allowed: true, reason: '' };
  if (groups.includes(AUTHENTICATED)) {
    if (isBasic(wanted)) return byRole('system:basic-user', AUTHENTICATED);
    if (isPublic(wanted) || isDiscovery(wanted)) return byRole('system:discovery', AUTHENTICATED);
  }
  const group = PUBLIC_GROUPS.find((name) => groups.includes(name));
  if (group !== undefined && isPublic(wanted)) return byRole('system:public-info-viewer', group);
  return { allowed: false, reason: '' };
}

const PUBLIC_GROUPS = [AUTHENTICATED, 'system:unauthenticated'] as const;

function byRole(role: string, group: string): Permission {
  const subject = `Group ${goQuote(group)}`;
  const reason = `RBAC: allowed by ClusterRoleBinding ${goQuote(role)} of ClusterRole ${goQuote(role)} to ${subject}`;
  return { allowed: true, reason };
}

function isBasic({ isResource, verb, group, plural, subresource }: Wanted): boolean {
  return isResource && verb === 'create' && subresource === '' && BASIC_RESOURCES.has(`${plural}.${group}`);
}

function isPublic({ isResource, verb, path }: Wanted): boolean {
  return !isResource && verb === 'get' && PUBLIC_PATHS.has(path);
}

function isDiscovery({ isResource, verb, path }: Wanted): boolean {
  if (isResource || verb !== 'get') return false;
  return DISCOVERY_PATHS.has(path) || DISCOVERY_PREFIXES.some((prefix) => path.startsWith(prefix));
}

export function mayImpersonate(user: User): boolean {
  return user.groups.includes(ADMINISTRATORS);
}

/** `verb` is not the request's own one when it was refused on the way. */
export function refused(user: User, info: RequestInfo, verb: string = info.verb): ApiError {
  const subject = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!info.isResource) return new Refusal(forbiddenPath(`${subject} path ${goQuote(info.path)}`));
  const { group, plural, subresource, namespace } = info;
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  const why = `${subject} resource ${goQuote(resource)} in API group ${goQuote(group)} ${scope}`;
  return new Refusal(forbidden({ group, plural }, info.name, why));
}

/** What is refused before a handler is asked has a header of its own. */
export class Refusal extends ApiError {
  constructor(error: ApiError) {
    super(error.status);
  }

  override get headers(): Record<string, string> {
    return { ...super.headers, 'X-Content-Type-Options': 'nosniff' };
  }
}
