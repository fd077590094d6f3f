// OpenAPI documents: the reference's paths and methods, the parameters kubectl looks for, hashes and their caching.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { WholeAnswer } from './api.ts';
import { kindsWithCustom } from './kinds.fixture.ts';
import { openOpenApi } from './openapi.ts';
import { parseQuery } from './query.ts';

const kinds = kindsWithCustom();
const openApi = openOpenApi(kinds);

type Operation = { parameters?: { name: string; in: string }[]; 'x-kubernetes-group-version-kind'?: object };
type OpenApiDocument = {
  openapi: string;
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
};

test('openOpenApi() describes the paths and methods that kube-apiserver describes', async () => {
  const file = new URL('../testdata/openapi-v3-paths.json', import.meta.url);
  const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  const { paths } = JSON.parse(text(await ask('/openapi/v3'))) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  for (const [name, expected] of Object.entries(published)) {
    if (!/^api\/v|^apis\/.*\/v/.test(name)) continue;
    const document = await read(paths[name]?.serverRelativeURL ?? name);
    for (const [path, methods] of Object.entries(expected)) {
      if (path.includes('/proxy')) continue;
      const described = Object.keys(document.paths[path] ?? {}).filter((key) => key !== 'parameters');
      assert.equal(described.sort().join(' '), methods, path);
    }
    const own = Object.keys(document.paths).filter((path) => !path.includes('/proxy'));
    assert.equal(own.length, Object.keys(expected).filter((path) => !path.includes('/proxy')).length, name);
  }
});

test('openOpenApi() lets kubectl find the PATCH of a kind and its parameters', async () => {
  const apps = await read('/openapi/v3/apis/apps/v1');
  const patch = apps.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.patch;
  assert.deepEqual(patch?.['x-kubernetes-group-version-kind'], {
    group: 'apps',
    kind: 'Deployment',
    version: 'v1',
  });
  const names = patch?.parameters?.map(({ name }) => name) ?? [];
  for (const name of ['dryRun', 'fieldManager', 'fieldValidation', 'force'])
    assert.ok(names.includes(name), name);
  const custom = await read('/openapi/v3/apis/d.example.test/v1');
  assert.ok(custom.paths['/apis/d.example.test/v1/gizmos/{name}']?.patch);
});

test('openOpenApi() lets an address with the right hash be kept, and sends others there', async () => {
  const { ETag = '' } = (await ask('/openapi/v3/apis/apps/v1')).headers ?? {};
  const hash = ETag.slice(1, -1);
  const right = await ask('/openapi/v3/apis/apps/v1', `hash=${hash}`);
  assert.equal(right.headers?.['Cache-Control'], 'public, immutable');
  assert.ok(Date.parse(right.headers?.Expires ?? '') > Date.now() + 300 * 24 * 3600 * 1000);
  const wrong = await ask('/openapi/v3/apis/apps/v1', 'hash=X');
  assert.deepEqual([wrong.code, wrong.headers?.Location], [301, `/openapi/v3/apis/apps/v1?hash=${hash}`]);
  assert.equal((await ask('/openapi/v3/apis/apps/v1', '', undefined, ETag)).code, 304);
});

test('openOpenApi() gives the old document as JSON or protobuf, and nothing else', async () => {
  const json = await ask('/openapi/v2');
  assert.match(text(json), /^\{"swagger":"2\.0","info":\{"title":"Kubernetes","version":"1\.37/);
  const protobuf = await ask('/openapi/v2', '', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
  assert.equal(protobuf.mediaType, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  assert.equal(
    Buffer.from(protobuf.body).toString('hex'),
    '0a03322e3012120a0a4b756265726e657465731204312e33374200',
  );
  const refused = await ask('/openapi/v2', '', 'text/html');
  assert.deepEqual(
    [refused.code, refused.body.length, refused.headers?.Vary],
    [406, 0, 'Accept-Encoding, Accept'],
  );
});

test('openOpenApi() has no document for what is not served', async () => {
  for (const path of [
    '/openapi/v3/apis/nope/v1',
    '/openapi/v3/',
    '/openapi/v3/api/v9',
    '/openapi/v3/apis/apps/v1/x',
  ]) {
    assert.equal((await ask(path)).code, 404, path);
  }
});

test('openOpenApi() follows kinds that come and go', async () => {
  const changing = kindsWithCustom();
  const following = openOpenApi(changing);
  const index = async (): Promise<string> => text(await following.answer(request('/openapi/v3')));
  const before = await index();
  changing.removeCustom('gizmos.d.example.test');
  changing.removeCustom('widgets.d.example.test');
  const after = await index();
  assert.ok(before.includes('d.example.test') && !after.includes('d.example.test'));
  const hash = (of: string): string | undefined => /api\/v1\?hash=(\w+)/.exec(of)?.[1];
  assert.equal(hash(after), hash(before));
});

function request(
  path: string,
  query = '',
  accept?: string,
  ifNoneMatch?: string,
): Parameters<typeof openApi.answer>[0] {
  return { path, query: parseQuery(query), accept, ifNoneMatch };
}

function ask(path: string, query = '', accept?: string, ifNoneMatch?: string): Promise<WholeAnswer> {
  return openApi.answer(request(path, query, accept, ifNoneMatch));
}

async function read(url: string): Promise<OpenApiDocument> {
  const [path = '', query = ''] = url.split('?');
  const answer = await ask(path, query);
  assert.equal(answer.code, 200, url);
  return JSON.parse(text(answer)) as OpenApiDocument;
}

function text({ body }: WholeAnswer): string {
  return Buffer.from(body).toString();
}
