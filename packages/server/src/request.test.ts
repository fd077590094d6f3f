// Routing against kube-apiserver: its own table of paths and methods, and answers recorded for odd ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kindsWithCustom } from './kinds.fixture.ts';
import { parseQuery } from './query.ts';
import { type Route, route } from './request.ts';
import { readRequestInfo } from './request-info.ts';

const kinds = kindsWithCustom();
const L = '/api/v1/namespaces/x/configmaps';
const W = '/apis/d.example.test/v1';

test('route() knows the paths and methods that kube-apiserver publishes, and no others', () => {
  const file = new URL('../testdata/openapi-v3-paths.json', import.meta.url);
  const documents = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  let checked = 0;
  for (const [document, paths] of Object.entries(documents)) {
    if (!/^apis?\//.test(document)) continue;
    for (const [template, methods] of Object.entries(paths)) {
      const path = template.replaceAll(/\{[a-z]+\}/g, 'x');
      const published = methods.split(' ');
      for (const method of ['get', 'put', 'post', 'delete', 'patch']) {
        const expected = published.includes(method) ? /^(resource|discovery)/ : /^405|^discovery/;
        assert.match(outcome(method.toUpperCase(), path), expected, `${method} ${path}`);
        checked++;
      }
    }
  }
  assert.ok(checked > 1500, String(checked));
});

/** Method, path with query, and what comes of it. */
const TABLE: readonly (readonly [string, string, string])[] = [
  ['GET', L, 'resource list configmaps x'],
  ['GET', `${L}/`, 'resource list configmaps x'],
  ['GET', `${L}//`, 'resource list configmaps x'],
  ['GET', `${L}?watch=1`, 'resource watch configmaps x'],
  ['GET', `${L}?watch=false`, 'resource list configmaps x'],
  ['GET', `${L}?watch`, 'resource watch configmaps x'],
  ['GET', `${L}?fieldSelector=metadata.name%3Da`, 'resource list configmaps x'],
  ['GET', `${L}/a?watch=1`, 'resource get configmaps x a'],
  ['GET', '/api/v1/configmaps', 'resource list configmaps '],
  ['GET', '/api/v1/namespaces//configmaps', 'resource list configmaps '],
  ['GET', '/api/v1/%6eamespaces/x/configmaps/zz', 'resource get configmaps x zz'],
  ['GET', `${L}/%3Cb%3E`, 'resource get configmaps x <b>'],
  ['GET', `${L}/a%20b`, 'resource get configmaps x a b'],
  ['POST', L, 'resource create configmaps x'],
  ['DELETE', L, 'resource deletecollection configmaps x'],
  ['DELETE', `${L}/a`, 'resource delete configmaps x a'],
  ['GET', '/api/v1/namespaces', 'resource list namespaces '],
  ['GET', '/api/v1/namespaces/x', 'resource get namespaces  x'],
  ['GET', '/api/v1/namespaces/x/status', 'resource get namespaces  x status'],
  ['PUT', '/api/v1/namespaces/x/finalize', 'resource update namespaces  x finalize'],
  ['GET', '/api/v1/nodes/x/proxy/a/b', 'resource get nodes  x proxy'],
  ['GET', '/api/v1/watch/configmaps', 'resource watch configmaps '],
  ['GET', '/api/v1/watch/namespaces/x/configmaps?watch=false', 'resource watch configmaps x'],
  ['GET', '/api/v1/watch/namespaces/x/configmaps/a', 'resource watch configmaps x a'],
  ['GET', '/api/v1/watch/namespaces/x', 'resource watch namespaces  x'],
  ['OPTIONS', L, '405 the server does not allow this method on the requested resource'],
  ['PUT', L, '405 the server does not allow this method on the requested resource'],
  ['PATCH', L, '405 the server does not allow this method on the requested resource'],
  ['FOO', L, '405 the server does not allow this method on the requested resource'],
  ['HEAD', L, '405 the server does not allow this method on the requested resource'],
  ['HEAD', `${L}/a`, '405 the server does not allow this method on the requested resource'],
  ['POST', '/api/v1/configmaps', '405 the server does not allow this method on the requested resource'],
  ['DELETE', '/api/v1/configmaps', '405 the server does not allow this method on the requested resource'],
  ['DELETE', '/api/v1/namespaces', '405 the server does not allow this method on the requested resource'],
  ['POST', '/api/v1/watch/configmaps', '405 the server does not allow this method on the requested resource'],
  [
    'GET',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    '405 the server does not allow this method on the requested resource',
  ],
  [
    'GET',
    '/api/v1/namespaces/x/bindings',
    '405 the server does not allow this method on the requested resource',
  ],
  [
    'GET',
    '/api/v1/namespaces/x/bindings?watch=1',
    '405 the server does not allow this method on the requested resource',
  ],
  [
    'GET',
    '/api/v1/namespaces/x/finalize',
    '405 the server does not allow this method on the requested resource',
  ],
  [
    'GET',
    '/api/v1/componentstatuses?watch=1',
    '405 watch is not supported on resources of kind "componentstatuses"',
  ],
  ['POST', '/api/v1/bindings', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/watch/bindings', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/watch/nope', '404 the server could not find the requested resource'],
  [
    'GET',
    '/apis/apps/v1/watch/namespaces/x/deployments/x/y',
    '404 the server could not find the requested resource',
  ],
  ['GET', '/api/v1/proxy/x', '404 the server could not find the requested resource'],
  ['GET', '/api/v1//namespaces/x/configmaps', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/./namespaces/x/configmaps', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/x/../x/configmaps', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/nopes', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/configmap', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/ConfigMaps', '404 the server could not find the requested resource'],
  ['GET', '/api/v2/configmaps', '404 the server could not find the requested resource'],
  ['GET', '/apis/apps/v9/deployments', '404 the server could not find the requested resource'],
  ['GET', '/apis/apps/v9', '404 the server could not find the requested resource'],
  ['GET', '/api/v9', '404 the server could not find the requested resource'],
  ['GET', '/apis/apps//v1', '404 the server could not find the requested resource'],
  ['GET', `${L}/zz/nope`, '404 the server could not find the requested resource'],
  ['GET', `${L}/b/c/d`, '404 the server could not find the requested resource'],
  ['GET', `${L}/a%2Fb`, '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/a%2Fb/configmaps', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/pods/status', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/configmaps/zz', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/x/nodes', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/x/namespaces', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/x/namespaces/x', '404 the server could not find the requested resource'],
  ['GET', '/apis/apps/v1/namespaces/x', '404 the server could not find the requested resource'],
  ['GET', '/version/x', '404 the server could not find the requested resource'],
  ['GET', '/api/v1/namespaces/../configmaps', '500 invalid key: "/configmaps/.."'],
  ['GET', '/api/v1/namespaces/%2e%2e/configmaps/x', '500 invalid key: "/configmaps/../x"'],
  ['GET', `${L}/..`, `400 Name parameter invalid: "..": may not be '..'`],
  ['GET', `${W}/widgets`, 'resource list widgets '],
  ['HEAD', `${W}/namespaces/x/widgets`, 'resource list widgets x'],
  ['GET', `${W}/namespaces//widgets`, 'resource list widgets '],
  ['GET', `${W}/watch/widgets`, 'resource watch widgets '],
  ['POST', `${W}/watch/widgets`, 'resource watch widgets '],
  ['GET', `${W}/namespaces/x/widgets/a/status/x/y`, 'resource get widgets x a status'],
  ['PATCH', `${W}/namespaces/x/widgets/a/scale`, 'resource patch widgets x a scale'],
  ['POST', `${W}/namespaces/x/widgets/a`, 'resource create widgets x'],
  ['PUT', `${W}/gizmos`, '400 name must be provided'],
  ['PATCH', `${W}/gizmos`, '400 name must be provided'],
  ['OPTIONS', `${W}/gizmos`, '405  is not supported on resources of kind "gizmos.d.example.test"'],
  ['FOO', `${W}/gizmos/a`, '405  is not supported on resources of kind "gizmos.d.example.test"'],
  [
    'POST',
    `${W}/namespaces/x/widgets/a/status`,
    '405 create is not supported on resources of kind "widgets.d.example.test"',
  ],
  [
    'DELETE',
    `${W}/namespaces/x/widgets/a/status`,
    '405 delete is not supported on resources of kind "widgets.d.example.test"',
  ],
  ['GET', `${W}/namespaces/x/widgets/a/nope`, '404 widgets.d.example.test "a" not found'],
  ['GET', `${W}/gizmos/a/status`, '404 gizmos.d.example.test "a" not found'],
  ['GET', `${W}/widgets/a`, 'nowhere'],
  ['PUT', `${W}/widgets`, 'nowhere'],
  ['POST', `${W}/widgets`, 'nowhere'],
  ['DELETE', `${W}/widgets`, 'nowhere'],
  ['GET', `${W}/namespaces/x/gizmos`, 'nowhere'],
  ['GET', `${W}/namespaces/x`, 'nowhere'],
  ['GET', `${W}/nope`, 'nowhere'],
  ['GET', `${W}//widgets`, 'nowhere'],
  ['GET', '/apis/d.example.test/v9', 'nowhere'],
  ['GET', '/apis/d.example.test/v9/widgets', 'nowhere'],
  ['GET', '/apis/nope.example.test', 'nowhere'],
  ['GET', '/apis/nope.example.test/v1', 'nowhere'],
  ['GET', '/apis/nope.example.test/v1/foos', 'nowhere'],
  ['GET', '/apis//apps', 'nowhere'],
  ['GET', '//api/v1', 'nowhere'],
  ['GET', '/API/v1', 'nowhere'],
  ['GET', '/nope', 'nowhere'],
  ['GET', '/metrics/', 'nowhere'],
  ['GET', '/openapi', 'nowhere'],
  ['GET', '/api', 'discovery core routed'],
  ['GET', '/api/', 'discovery core routed'],
  ['HEAD', '/api', '405 the server does not allow this method on the requested resource'],
  ['GET', '/api/v1/', 'discovery version /v1 routed'],
  ['POST', '/api/v1', '405 the server does not allow this method on the requested resource'],
  ['POST', '/apis', 'discovery groups'],
  ['GET', '/apis/', 'discovery groups'],
  ['POST', '/apis/apps', 'discovery group apps'],
  ['GET', '/apis/apps/v1/', 'discovery version apps/v1 routed'],
  ['DELETE', '/apis/apps/v1', '405 the server does not allow this method on the requested resource'],
  ['POST', W, 'discovery version d.example.test/v1'],
  ['GET', '/apis/d.example.test/', 'discovery group d.example.test'],
  ['POST', '/', 'root'],
  ['GET', '/livez/ping', 'health'],
  ['GET', '/version/', 'version'],
  ['POST', '/version', '405 the server does not allow this method on the requested resource'],
  ['POST', '/metrics', 'metrics'],
  ['GET', '/openapi/v2', 'openapi'],
  ['GET', '/openapi/v3/apis/apps/v1', 'openapi'],
];

test('route() sends each path where kube-apiserver sends it', () => {
  for (const [method, path, expected] of TABLE)
    assert.equal(outcome(method, path), expected, `${method} ${path}`);
});

test('readRequestInfo() knows nothing of a watch without a resource', () => {
  for (const path of ['/api/v1/watch', '/api/v1/watch/', `${W}/watch`]) {
    assert.equal(readRequestInfo('GET', path, parseQuery('')), undefined);
  }
});

test('readRequestInfo() names the object that a list is narrowed to, unless an option is unreadable', () => {
  const named = (query: string): string => readRequestInfo('GET', L, parseQuery(query))?.name ?? 'none';
  assert.equal(named('fieldSelector=metadata.name%3Da'), 'a');
  assert.equal(named('fieldSelector=metadata.name%3Da,spec.x%3D1'), 'a');
  assert.equal(named('fieldSelector=metadata.name%3Da%2Fb'), '');
  assert.equal(named('fieldSelector=metadata.name%3Da&limit=x'), '');
  assert.equal(named('fieldSelector=metadata.name'), '');
});

function outcome(method: string, target: string): string {
  const [path = '', query = ''] = target.split('?');
  const parsed = parseQuery(query);
  const info = readRequestInfo(method, decodeURIComponent(path), parsed);
  assert.ok(info, target);
  return shown(route(info, method, kinds));
}

function shown(routed: Route): string {
  switch (routed.to) {
    case 'resource': {
      const { kind, verb, namespace, name, subresource } = routed.target;
      return ['resource', verb, kind.plural, namespace, ...[name, subresource].filter(Boolean)].join(' ');
    }
    case 'discovery': {
      const { document } = routed;
      const of =
        document.of === 'version'
          ? `${document.group}/${document.version}`
          : document.of === 'group'
            ? document.group
            : '';
      return ['discovery', document.of, of, document.isRouted ? 'routed' : ''].filter(Boolean).join(' ');
    }
    case 'error':
      return `${routed.error.code} ${routed.error.message}`;
    default:
      return routed.to;
  }
}
