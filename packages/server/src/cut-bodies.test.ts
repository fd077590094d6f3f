// Bodies that break off anywhere, in every format: refused, and nothing of them is stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enclose, encodeCbor } from '@sluice/encoding';
import { protobufCodec } from '@sluice/resources';
import { DEFAULT_GATES } from './gates.ts';
import { connect, startRunning } from './running.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_BODY = Buffer.from(
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"x":"y"}},"data":{"k":"some text"}}',
);
const codec = protobufCodec({ group: '', version: 'v1', kind: 'ConfigMap' })!;
/** Behind the message stand two empty fields, which nobody misses. */
const PROTOBUF_TAIL_BYTES = 4;
const YAML_BODY =
  'kind: ConfigMap\napiVersion: v1\ndata: {k: "some text"}\nmetadata: {labels: {x: z}, name: "a"}';

const BODIES: readonly [type: string, body: Uint8Array, until: number][] = [
  ['application/json', JSON_BODY, JSON_BODY.length],
  ['application/cbor', encodeCbor(JSON_BODY), encodeCbor(JSON_BODY).length],
  [
    'application/vnd.kubernetes.protobuf',
    Buffer.from(enclose({ kind: 'ConfigMap', apiVersion: 'v1' }, Buffer.from(codec.message(JSON_BODY)))),
    codec.encode(JSON_BODY).length - PROTOBUF_TAIL_BYTES,
  ],
  ['application/yaml', Buffer.from(YAML_BODY), YAML_BODY.length],
];

test('a body that breaks off anywhere is refused, in every format, and nothing is stored', async (t) => {
  const running = await startRunning({ gates: { ...DEFAULT_GATES, CBORServingAndStorage: true } });
  t.after(() => running.close());
  const client = connect('HTTP/2', running.server.port);
  t.after(() => client.close());
  const before = running.store.revision;
  const post = (type: string, body: Uint8Array) =>
    client.ask(MAPS, { method: 'POST', headers: { 'content-type': type }, body });
  for (const [type, body, until] of BODIES) {
    for (let size = 0; size < until; size++) {
      const { status, body: answer } = await post(type, body.subarray(0, size));
      // What is there may be a whole object, but one without a name.
      const isRefused =
        status === 400 || (status === 422 && answer.includes('name or generateName is required'));
      assert.ok(isRefused, `${type}, ${size} bytes: ${status} ${answer}`);
    }
  }
  assert.equal(running.store.revision, before);
  for (const [type, body] of BODIES) {
    assert.equal((await post(type, body)).status, 201, type);
    assert.equal((await client.ask(`${MAPS}/a`, { method: 'DELETE' })).status, 200);
  }
});
