// Who may do what: administrators everything, everybody the health pages, whoever is known the discovery pages. Nothing else.
import { ApiError, forbidden, forbiddenPath, goQuote } from '@sluice/resources';
import type { User } from './api.ts';
import type { RequestInfo } from './request-info.ts';

const ADMINISTRATORS = 'system:masters';

/** Exact paths, for reading; kube-apiserver's bootstrap role `system:public-info-viewer`. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** Exact paths and prefixes, for reading; `system:discovery`. */
const DISCOVERY_PATHS: ReadonlySet<string> = new Set(['/api', '/apis', '/openapi']);
const DISCOVERY_PREFIXES = ['/api/', '/apis/', '/openapi/'] as const;

/** Comes before routing: who may not look is not told what is there. Undefined: the request may go on. */
export function refusal(user: User, info: RequestInfo): ApiError | undefined {
  if (user.groups.includes(ADMINISTRATORS)) return undefined;
  if (!info.isResource && info.verb === 'get') {
    if (PUBLIC_PATHS.has(info.path)) return undefined;
    if (user.groups.includes('system:authenticated') && isDiscovery(info.path)) return undefined;
  }
  return refused(user, info);
}

export function mayImpersonate(user: User): boolean {
  return user.groups.includes(ADMINISTRATORS);
}

function isDiscovery(path: string): boolean {
  return DISCOVERY_PATHS.has(path) || DISCOVERY_PREFIXES.some((prefix) => path.startsWith(prefix));
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
