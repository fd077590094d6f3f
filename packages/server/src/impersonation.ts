// Acting as somebody else: an administrator's request with `Impersonate-…` headers counts as that user's.
import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, goQuote } from '@sluice/resources';
import type { User } from './api.ts';
import { ANONYMOUS, authenticated } from './authentication.ts';
import { mayImpersonate, Refusal, refused } from './authorization.ts';
import type { RequestInfo } from './request-info.ts';

/**
 * The user the request is to be handled as; most often the one who asks.
 * @throws ApiError 400 for a group without a user, 403
 */
export function impersonated(user: User, headers: IncomingHttpHeaders, info: RequestInfo): User {
  const name = headerValues(headers, 'impersonate-user')[0] ?? '';
  const uid = headerValues(headers, 'impersonate-uid')[0] ?? '';
  const groups = headerValues(headers, 'impersonate-group');
  if (name === '') {
    if (uid === '' && groups.length === 0) return user;
    throw new Refusal(badRequest(`requested ${goUser(uid, groups)} without impersonating a user name`));
  }
  if (!mayImpersonate(user)) throw refused(user, info, `impersonate-on:user-info:${info.verb}`);
  if (name === ANONYMOUS.name) return ANONYMOUS;
  return authenticated({ name, uid, groups: groups.length > 0 ? groups : serviceAccountGroups(name) });
}

/** `system:serviceaccount:<namespace>:<name>` is in two groups by its name alone. */
function serviceAccountGroups(name: string): string[] {
  const [system, type, namespace, account, ...more] = name.split(':');
  if (system !== 'system' || type !== 'serviceaccount' || !namespace || !account || more.length > 0)
    return [];
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Node joins repeated headers it doesn't know with a comma. */
function headerValues(headers: IncomingHttpHeaders, name: string): string[] {
  const value = headers[name];
  const lines = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return lines.flatMap((line) => line.split(',').map((text) => text.trim())).filter(Boolean);
}

/** The reference shows its own data structure. */
function goUser(uid: string, groups: readonly string[]): string {
  const list = groups.length === 0 ? '(nil)' : `{${groups.map(goQuote).join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:[]string${list}, Extra:map[string][]string(nil)}`;
}
