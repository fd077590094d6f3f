// A kind is served from the moment its definition is seen to be established: who waits for that need not wait for more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, connect, startRunning } from './running.fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** A second is what is promised; the rest is room for a busy machine. */
const SERVED_WITHIN_MS = 5000;

test('a kind serves discovery, list, create and watch as soon as a watch shows its definition established', async (t) => {
  const running = await startRunning();
  const client = connect('HTTP/2', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  const watch = await client.open(`${DEFINITIONS}?watch=true`);
  const created = performance.now();
  const type = { 'content-type': 'application/json' };
  const answer = await client.ask(DEFINITIONS, { method: 'POST', headers: type, body: DEFINITION });
  assert.equal(answer.status, 201);
  let events = '';
  for await (const chunk of watch.body) {
    events += chunk;
    if (events.split('\n').some(isEstablished)) break;
  }
  assert.ok(performance.now() - created < SERVED_WITHIN_MS);
  const group = await json(client, '/apis/example.com/v1');
  assert.deepEqual(
    group.resources.map(({ name }: { name: string }) => name),
    ['widgets'],
  );
  assert.ok(
    (await json(client, '/apis')).groups.some(({ name }: { name: string }) => name === 'example.com'),
  );
  const path = '/apis/example.com/v1/namespaces/default/widgets';
  assert.equal((await json(client, path)).kind, 'WidgetList');
  const body = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}';
  assert.equal((await client.ask(path, { method: 'POST', headers: type, body })).status, 201);
  assert.equal((await client.ask(`${path}?watch=true&timeoutSeconds=1`)).status, 200);
});

const DEFINITION = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,
"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`;

function isEstablished(line: string): boolean {
  if (!line.endsWith('}')) return false;
  const conditions = JSON.parse(line).object.status?.conditions ?? [];
  return conditions.some(
    (one: { type: string; status: string }) => one.type === 'Established' && one.status === 'True',
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of any shape.
async function json(client: Client, path: string): Promise<any> {
  const { status, body } = await client.ask(path);
  assert.equal(status, 200, path);
  return JSON.parse(body.toString());
}
