// Who asks: a client certificate of our authority, a bearer token of the token file, or nobody in particular.
import { unauthorized } from '@sluice/resources';
import type { User } from './api.ts';

/** Token to user. */
export type Tokens = ReadonlyMap<string, User>;

/** What the handshake says of the client; the authority has signed it. */
export type ClientCertificate = { commonName: string; organizations: readonly string[] };

/** What a request brings to be known by. */
export type Credentials = { certificate: ClientCertificate | undefined; authorization: string | undefined };

export const ANONYMOUS: User = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] };

const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * A certificate counts before a token. A token that isn't known ends the request, even one for /healthz; no token, an
 * empty one, or another scheme is nobody.
 * @throws ApiError 401
 */
export function authenticate(credentials: Credentials, tokens: Tokens, warnings: string[]): User {
  const { certificate } = credentials;
  if (certificate !== undefined && certificate.commonName !== '') {
    return authenticated({ name: certificate.commonName, uid: '', groups: certificate.organizations });
  }
  const token = bearerToken(credentials.authorization, warnings);
  if (token === '') return ANONYMOUS;
  const user = tokens.get(token);
  if (user === undefined) throw unauthorized();
  return authenticated(user);
}

const AUTHENTICATED = 'system:authenticated';

export function authenticated(user: User): User {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

function bearerToken(authorization: string | undefined, warnings: string[]): string {
  const parts = (authorization ?? '').trim().split(' ');
  if (parts.length < 2 || parts[0]?.toLowerCase() !== 'bearer') return '';
  const token = parts[1] ?? '';
  if (token === '' && parts.length > 2) warnings.push(EXTRA_SPACE);
  return token;
}

/** The peer certificate as node:tls tells it. A subject may name several organizations; of common names the last counts. */
export function readPeerSubject(
  subject: { CN?: string | string[]; O?: string | string[] } | undefined,
): ClientCertificate {
  return { commonName: texts(subject?.CN).at(-1) ?? '', organizations: texts(subject?.O) };
}

function texts(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
