// Discovery documents, byte for byte against those recorded from kube-apiserver.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { WholeAnswer } from './api.ts';
import { answerIndex, openDiscovery } from './discovery.ts';
import { DEFAULT_GATES } from './gates.ts';
import { kindsWithCustom } from './kinds.fixture.ts';
import { producible } from './negotiation.ts';
import { parseQuery } from './query.ts';
import { route } from './request.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../testdata/discovery.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const PRODUCIBLE = producible({ ...DEFAULT_GATES, CBORServingAndStorage: true });
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('openDiscovery() writes every older document as kube-apiserver does', () => {
  const { ask } = opened();
  const paths = Object.keys(recorded).filter(
    (path) => path.startsWith('/api') && !path.endsWith(' aggregated'),
  );
  assert.ok(paths.length > 40);
  for (const path of paths) {
    // The reference takes custom resources of a version in no order.
    const inOrder = path === '/apis/d.example.test/v1' ? sortedResources : (text: string): string => text;
    assert.equal(inOrder(text(ask(path))), inOrder(recorded[path] ?? ''), path);
  }
});

test('openDiscovery() writes the aggregated documents as kube-apiserver does', () => {
  const { ask } = opened();
  for (const path of ['/api', '/apis']) {
    const answer = ask(path, AGGREGATED);
    assert.equal(text(answer), recorded[`${path} aggregated`], path);
    assert.equal(answer.mediaType, AGGREGATED);
    assert.equal(answer.headers?.Vary, 'Accept');
    assert.equal(answer.headers?.['Cache-Control'], 'public');
  }
});

test('openDiscovery() answers 304 to exactly the tag of the aggregated document', () => {
  const { ask } = opened();
  const etag = ask('/api', AGGREGATED).headers?.ETag ?? '';
  assert.match(etag, /^"[0-9A-F]{128}"$/);
  const same = ask('/api', AGGREGATED, etag);
  assert.deepEqual([same.code, same.body.length, same.headers?.ETag], [304, 0, etag]);
  for (const other of [`W/${etag}`, '"x"', '*', `"x", ${etag}`]) {
    assert.equal(ask('/api', AGGREGATED, other).code, 200, other);
  }
});

test('openDiscovery() makes documents anew when kinds come and go', () => {
  const { ask, kinds } = opened();
  const before = ask('/apis', AGGREGATED);
  kinds.removeCustom('gizmos.d.example.test');
  kinds.removeCustom('widgets.d.example.test');
  const after = ask('/apis', AGGREGATED);
  assert.notEqual(after.headers?.ETag, before.headers?.ETag);
  assert.ok(text(before).includes('d.example.test') && !text(after).includes('d.example.test'));
});

test('answerIndex() names every path that the recorded index names of the API', () => {
  const { paths } = JSON.parse(text(answerIndex(opened().discovery.paths()))) as { paths: string[] };
  const expected = (JSON.parse(recorded['/'] ?? '') as { paths: string[] }).paths;
  assert.deepEqual(
    paths,
    expected.filter((path) => path.startsWith('/api')),
  );
});

test('openDiscovery() writes every document in every encoding', () => {
  const { ask } = opened();
  const aggregated = (type: string): string => AGGREGATED.replace('application/json', type);
  for (const type of ['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor']) {
    for (const [path, accept] of [
      ['/api', type],
      ['/apis', type],
      ['/apis/apps', type],
      ['/api/v1', type],
      ['/apis/apps/v1', type],
      ['/api', aggregated(type)],
      ['/apis', aggregated(type)],
    ] as const) {
      const answer = ask(path, accept);
      assert.deepEqual([answer.code, answer.mediaType], [200, accept], path);
      const json = ask(path, accept === type ? undefined : AGGREGATED);
      assert.equal(text(answer).slice(0, 4), STARTS[type] ?? text(answer).slice(0, 4));
      assert.equal(answer.headers?.ETag, json.headers?.ETag, 'one tag whatever the encoding');
      assert.equal(ask(path, accept).body, answer.body, 'kept');
    }
  }
  assert.equal(
    text(ask('/apis/apps', 'application/yaml')),
    'apiVersion: v1\nkind: APIGroup\nname: apps\npreferredVersion:\n  groupVersion: apps/v1\n  version: v1\nversions:\n- groupVersion: apps/v1\n  version: v1\n',
  );
});

const STARTS: Readonly<Record<string, string>> = { 'application/vnd.kubernetes.protobuf': 'k8s\0' };

test('openDiscovery() indents for a browser', () => {
  const { discovery } = opened();
  const wishes = { accept: '*/*', userAgent: 'curl/8', query: parseQuery('') };
  const request = { wishes, ifNoneMatch: undefined };
  const { body } = discovery.answer({ of: 'group', group: 'apps', isRouted: false }, request, PRODUCIBLE);
  assert.equal(
    Buffer.from(body).toString(),
    JSON.stringify(JSON.parse(recorded['/apis/apps'] ?? ''), null, 2),
  );
});

function opened(): {
  kinds: ReturnType<typeof kindsWithCustom>;
  discovery: ReturnType<typeof openDiscovery>;
  ask: Ask;
} {
  const kinds = kindsWithCustom();
  const discovery = openDiscovery(kinds, () => '192.0.2.2:17443');
  const ask: Ask = (path, accept, ifNoneMatch) => {
    const wishes = { accept, userAgent: undefined, query: parseQuery('') };
    const routed = route(readRequestInfo('GET', path, wishes.query) as RequestInfo, 'GET', kinds);
    assert.ok(routed.to === 'discovery', path);
    return discovery.answer(routed.document, { wishes, ifNoneMatch }, PRODUCIBLE);
  };
  return { kinds, discovery, ask };
}

type Ask = (path: string, accept?: string, ifNoneMatch?: string) => WholeAnswer;

function text({ body }: WholeAnswer): string {
  return Buffer.from(body).toString();
}

function sortedResources(json: string): string {
  const document = JSON.parse(json) as { resources: { name: string }[] };
  document.resources.sort((a, b) => (a.name < b.name ? -1 : 1));
  return JSON.stringify(document);
}
