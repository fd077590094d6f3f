// Lists of objects that indenting makes a thousand times as long: sent whole, in pieces, without being held.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ENCODED_LEAF_MAX_BYTES } from '@sluice/cache';
import { indented, WIDGET_DEFINITION, WIDGETS } from './list-model.fixture.ts';
import { connect, startRunning } from './running.fixture.ts';

/** Each level is a line of its own, two bytes longer than the one before, on the way down and up again. */
const DEPTH = Math.ceil(Math.sqrt(ENCODED_LEAF_MAX_BYTES / 2));

test('a list with an object too deep for a leaf of indented text is indented all the same', async (t) => {
  const running = await startRunning();
  const client = connect('HTTP/1.1', running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const headers = { 'content-type': 'application/json' };
  await client.ask(definitions, { method: 'POST', headers, body: JSON.stringify(WIDGET_DEFINITION) });
  while ((await client.ask(WIDGETS.path)).status !== 200);
  for (const [name, spec] of [
    ['a', '{"x":[1]}'],
    ['deep', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
    ['z', '{}'],
  ]) {
    const item = (revision: bigint): Buffer =>
      Buffer.from(
        `{"apiVersion":"example.test/v1","kind":"Widget","metadata":{"name":"${name}","namespace":"default","resourceVersion":"${revision}"},"spec":${spec}}`,
      );
    await running.store.commit({ key: `${WIDGETS.prefix}default/${name}`, expect: 0n, value: item });
  }
  const compact = (await client.ask(WIDGETS.path)).body.toString();
  const expected = Buffer.from(indented(compact));
  assert.ok(expected.length > ENCODED_LEAF_MAX_BYTES);
  for (const accepted of ['identity', 'identity', 'gzip']) {
    const asked = { headers: { 'accept-encoding': accepted } };
    const { status, body } = await client.ask(`${WIDGETS.path}?pretty=1`, asked);
    assert.equal(status, 200);
    const plain = accepted === 'gzip' ? gunzipSync(body) : body;
    assert.equal(plain.length, expected.length, accepted);
    assert.equal(hashOf(plain), hashOf(expected), accepted);
  }
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
