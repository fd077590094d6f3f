// Who is who and may do what: tokens, certificates, impersonation, and the words of each refusal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@sluice/resources';
import type { User } from './api.ts';
import { ANONYMOUS, authenticate, readPeerSubject } from './authentication.ts';
import { refusal } from './authorization.ts';
import { impersonated } from './impersonation.ts';
import { parseQuery } from './query.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';
import { parseTokenFile } from './token-file.ts';

const TOKENS = parseTokenFile('admintoken,admin,admin-uid,"system:masters"\njanes,jane,2\n');
const ADMIN: User = { name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] };
const JANE: User = { name: 'jane', uid: '2', groups: ['system:authenticated'] };

test('authenticate() knows certificates, tokens and nobody', () => {
  const by = (authorization?: string): string =>
    told(() => authenticate({ certificate: undefined, authorization }, TOKENS, []).name);
  assert.deepEqual(
    authenticate({ certificate: undefined, authorization: 'Bearer admintoken' }, TOKENS, []),
    ADMIN,
  );
  for (const header of ['bearer admintoken', 'BEARER admintoken', 'Bearer admintoken x'])
    assert.equal(by(header), 'admin', header);
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Token admintoken',
    'Bearer  admintoken',
  ]) {
    assert.equal(by(header), 'system:anonymous', header);
  }
  assert.equal(by('Bearer wrong'), '401 Unauthorized');
  const certificate = readPeerSubject({ CN: 'kate', O: ['a', 'b'] });
  const kate = authenticate({ certificate, authorization: 'Bearer wrong' }, TOKENS, []);
  assert.deepEqual(kate, { name: 'kate', uid: '', groups: ['a', 'b', 'system:authenticated'] });
});

test('authenticate() warns of a space too many', () => {
  const warnings: string[] = [];
  authenticate({ certificate: undefined, authorization: 'Bearer  admintoken' }, TOKENS, warnings);
  assert.equal(warnings.length, 1);
});

test('parseTokenFile() reads quoted groups and names what is wrong with a line', () => {
  const user = parseTokenFile('t,u,1,"a, b"\r\n').get('t');
  assert.deepEqual(user, { name: 'u', uid: '1', groups: ['a', 'b'] });
  assert.equal(parseTokenFile('"t""x", u,1').get('t"x')?.name, 'u');
  for (const [text, problem] of [
    ['a,b', 'line 1: has 2 columns, and at least token, user, uid are needed'],
    ['a,b,c\n,b,c', 'line 2: the token is empty'],
    ['a,,c', 'line 1: the user is empty'],
    ['a,b,c,"d', 'line 1: a quote is not closed, or stands inside a field'],
    ['a,b,c"d"', 'line 1: a quote is not closed, or stands inside a field'],
  ] as const) {
    assert.throws(() => parseTokenFile(text), { message: problem }, text);
  }
});

test('refusal() lets administrators do everything', () => {
  for (const path of ['/metrics', '/nope', '/api/v1/pods'])
    assert.equal(refused(ADMIN, 'DELETE', path), 'fine');
});

test('refusal() lets everybody read health pages and the version, and known users the discovery', () => {
  for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
    assert.equal(refused(ANONYMOUS, 'GET', path), 'fine');
  for (const path of ['/api', '/apis', '/api/v1', '/apis/apps/v1', '/openapi/v3'])
    assert.equal(refused(JANE, 'GET', path), 'fine');
});

test('refusal() speaks as kube-apiserver does', () => {
  const L = '/api/v1/namespaces/x/configmaps';
  const resource = (name: string, verb: string, rest: string): string =>
    `403 ${name} is forbidden: User "system:anonymous" cannot ${verb} resource ${rest}`;
  const at = 'in API group "" at the cluster scope';
  const within = 'in API group "" in the namespace "x"';
  for (const [method, target, expected] of [
    ['GET', L, resource('configmaps', 'list', `"configmaps" ${within}`)],
    ['GET', `${L}?watch=1`, resource('configmaps', 'watch', `"configmaps" ${within}`)],
    ['GET', `${L}?limit=x`, resource('configmaps', 'list', `"configmaps" ${within}`)],
    ['GET', `${L}/zz`, resource('configmaps "zz"', 'get', `"configmaps" ${within}`)],
    [
      'GET',
      `${L}?fieldSelector=metadata.name%3Da`,
      resource('configmaps "a"', 'list', `"configmaps" ${within}`),
    ],
    ['GET', `${L}/a/b/c/d`, resource('configmaps "a"', 'get', `"configmaps/b" ${within}`)],
    ['POST', L, resource('configmaps', 'create', `"configmaps" ${within}`)],
    ['DELETE', L, resource('configmaps', 'deletecollection', `"configmaps" ${within}`)],
    ['OPTIONS', L, resource('configmaps', '', `"configmaps" ${within}`)],
    [
      'GET',
      '/api/v1/watch/namespaces/x/configmaps',
      resource('configmaps', 'watch', `"configmaps" ${within}`),
    ],
    ['PATCH', '/api/v1/nodes/n/status', resource('nodes "n"', 'patch', `"nodes/status" ${at}`)],
    ['GET', '/api/v1/namespaces/x', resource('namespaces "x"', 'get', `"namespaces" ${within}`)],
    ['GET', '/api/v1/namespaces//configmaps', resource('configmaps', 'list', `"configmaps" ${at}`)],
    [
      'GET',
      '/apis/nope.example/v1/things',
      resource('things.nope.example', 'list', '"things" in API group "nope.example" at the cluster scope'),
    ],
    ['GET', '/', '403 forbidden: User "system:anonymous" cannot get path "/"'],
    ['POST', '/healthz', '403 forbidden: User "system:anonymous" cannot post path "/healthz"'],
    ['HEAD', '/healthz', '403 forbidden: User "system:anonymous" cannot head path "/healthz"'],
    ['GET', '/livez/ping', '403 forbidden: User "system:anonymous" cannot get path "/livez/ping"'],
    ['GET', '/apis/apps/v1/', '403 forbidden: User "system:anonymous" cannot get path "/apis/apps/v1/"'],
  ] as const) {
    assert.equal(refused(ANONYMOUS, method, target), expected, target);
  }
});

test('refusal() has the header that keeps browsers from guessing', () => {
  const error = refusal(ANONYMOUS, infoOf('GET', '/metrics'));
  assert.deepEqual(error?.headers, { 'X-Content-Type-Options': 'nosniff' });
});

test('impersonated() makes an administrator somebody else', () => {
  const info = infoOf('GET', '/api/v1/namespaces/x/configmaps');
  const as = (user: User, headers: Record<string, string>): string =>
    told(() => {
      const { name, groups } = impersonated(user, headers, info);
      return [name, ...groups].join(' ');
    });
  assert.equal(as(ADMIN, {}), 'admin system:masters system:authenticated');
  assert.equal(as(ADMIN, { 'impersonate-user': 'jane' }), 'jane system:authenticated');
  assert.equal(
    as(ADMIN, { 'impersonate-user': 'jane', 'impersonate-group': 'a, b' }),
    'jane a b system:authenticated',
  );
  assert.equal(
    as(ADMIN, { 'impersonate-user': 'system:anonymous' }),
    'system:anonymous system:unauthenticated',
  );
  assert.equal(
    as(ADMIN, { 'impersonate-user': 'system:serviceaccount:a:b' }),
    'system:serviceaccount:a:b system:serviceaccounts system:serviceaccounts:a system:authenticated',
  );
  assert.equal(
    as(ADMIN, { 'impersonate-group': 'g' }),
    '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
  assert.equal(
    as(ANONYMOUS, { 'impersonate-user': 'jane' }),
    '403 configmaps is forbidden: User "system:anonymous" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "x"',
  );
});

function infoOf(method: string, target: string): RequestInfo {
  const [path = '', query = ''] = target.split('?');
  return readRequestInfo(method, path, parseQuery(query)) as RequestInfo;
}

function refused(user: User, method: string, target: string): string {
  const error = refusal(user, infoOf(method, target));
  return error === undefined ? 'fine' : `${error.code} ${error.message}`;
}

function told(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return `${error.code} ${error.message}`;
  }
}
