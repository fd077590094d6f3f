// What clients read out of lists besides the items: how many are left, whose namespace they are of, and that the future isn't now.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Client, connect, type Received, startRunning } from './running.fixture.ts';

test('remainingItemCount is exact without a selector and absent with one', async (t) => {
  const client = await start(t);
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await create(client, 'one', name, name === 'a' ? {} : { x: '1' });
  for (const [query, counts] of [
    ['limit=2', [3, 1, undefined]],
    ['limit=2&labelSelector=x%3D1', [undefined, undefined]],
    ['limit=2&fieldSelector=metadata.name%21%3Dzz', [undefined, undefined, undefined]],
  ] as const) {
    const pages = await walk(client, `${maps('one')}?${query}`);
    assert.deepEqual(
      pages.map(({ metadata }) => metadata.remainingItemCount),
      counts,
      query,
    );
    assert.equal(pages.at(-1)!.metadata.continue, undefined, query);
    assert.equal(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size, 1, query);
  }
});

test('a namespace is no prefix of another, and a name no pattern', async (t) => {
  const client = await start(t);
  for (const namespace of ['ns1', 'ns11', 'ns-1']) await create(client, namespace, 'kube-root');
  for (const name of ['w.1', 'wx1']) await create(client, 'ns1', name);
  const [list] = await walk(client, maps('ns1'));
  assert.deepEqual(
    list!.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ['ns1/kube-root', 'ns1/w.1', 'ns1/wx1'],
  );
  const { body } = await client.ask(`${maps('ns1')}?watch=1&timeoutSeconds=1&resourceVersion=1`);
  for (const line of body.toString().trim().split('\n')) {
    assert.equal(JSON.parse(line).object.metadata.namespace, 'ns1');
  }
  for (const [name, status] of [
    ['kube_root', 404],
    ['w.1', 200],
    ['wx1', 200],
    ['w_1', 404],
  ] as const) {
    assert.equal((await client.ask(`${maps('ns1')}/${name}`)).status, status, name);
  }
});

test('a resourceVersion of the future is 504 with a cause, and a hint to come again where a cache could catch up', async (t) => {
  const client = await start(t);
  const future = 'resourceVersion=999999';
  const exact = `${future}&resourceVersionMatch=Exact`;
  for (const path of ['configmaps', 'configmaps/a', 'events', 'events/a']) {
    const isList = !path.includes('/');
    for (const query of isList ? [future, `${future}&limit=5`, exact] : [future]) {
      const { status, headers, body } = await client.ask(`/api/v1/namespaces/default/${path}?${query}`);
      const { message, reason, details } = JSON.parse(body.toString());
      assert.deepEqual([status, reason], [504, 'Timeout'], path);
      assert.match(message, /^Timeout: Too large resource version: 999999, current: [0-9]+$/);
      const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
      const hints = path.startsWith('events') ? {} : { retryAfterSeconds: 1 };
      assert.deepEqual(details, { causes, ...hints }, path);
      assert.equal(headers['retry-after'], path.startsWith('events') ? undefined : '1', path);
    }
  }
});

test('a list of all namespaces that is narrowed to one has tokens that are read as those of all', async (t) => {
  const client = await start(t);
  for (const name of ['a', 'b', 'c']) await create(client, 'one', name);
  const narrowed = '/api/v1/configmaps?limit=2&fieldSelector=metadata.namespace%3Done';
  const { metadata, items } = parsed(await client.ask(narrowed));
  assert.equal(items.length, 2);
  assert.match(Buffer.from(metadata.continue!, 'base64url').toString(), /"start":"\/b\\u0000"/);
  const next = parsed(await client.ask(`${narrowed}&continue=${metadata.continue}`));
  assert.deepEqual(
    next.items.map((item) => item.metadata.name),
    ['a', 'b'],
    'kube-apiserver begins anew',
  );
});

test('a limit counts unless the resourceVersion is spelled 0, and makes one object alone no exact list', async (t) => {
  const client = await start(t);
  for (const name of ['a', 'b', 'c']) await create(client, 'one', name);
  const first = parsed(await client.ask(`${maps('one')}?limit=1`));
  const token = first.metadata.continue!;
  const b = 'limit=1&fieldSelector=metadata.name%3Db';
  for (const [query, names, remaining] of [
    ['limit=1&resourceVersion=0', 'abc', undefined],
    ['limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan', 'abc', undefined],
    ['limit=1&resourceVersion=00', 'a', 2],
    ['limit=1&resourceVersion=00&resourceVersionMatch=Exact', 'a', 2],
    ['limit=1&resourceVersion=00&resourceVersionMatch=NotOlderThan', 'a', 2],
    [`limit=1&continue=${token}`, 'b', 1],
    [`limit=1&resourceVersion=0&continue=${token}`, 'bc', undefined],
    [`${b}&resourceVersion=1`, 'b', undefined],
    [`${b}&resourceVersion=${first.metadata.resourceVersion}`, 'b', undefined],
  ] as const) {
    const { metadata, items } = parsed(await client.ask(`${maps('one')}?${query}`));
    assert.equal(items.map((item) => item.metadata.name).join(''), names, query);
    assert.equal(metadata.remainingItemCount, remaining, query);
    assert.equal(metadata.continue !== undefined, remaining !== undefined, query);
  }
});

type List = {
  metadata: { continue?: string; remainingItemCount?: number; resourceVersion: string };
  items: { metadata: { name: string; namespace: string } }[];
};

async function start(t: TestContext): Promise<Client> {
  const running = await startRunning();
  const client = connect('HTTP/2', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  for (const name of ['one', 'ns1', 'ns11', 'ns-1']) {
    await post(client, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return client;
}

/** Page after page. */
async function walk(client: Client, path: string): Promise<List[]> {
  const pages: List[] = [];
  let token: string | undefined = '';
  do {
    const page: List = parsed(await client.ask(token === '' ? path : `${path}&continue=${token}`));
    pages.push(page);
    token = page.metadata.continue;
  } while (token !== undefined);
  return pages;
}

function parsed({ status, body }: Received): List {
  assert.equal(status, 200, body.toString());
  return JSON.parse(body.toString());
}

function maps(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function create(
  client: Client,
  namespace: string,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  return post(client, maps(namespace), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
}

async function post(client: Client, path: string, object: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await client.ask(path, { method: 'POST', headers, body: JSON.stringify(object) });
  assert.equal(status, 201, body.toString());
}
