// CBOR from outside, with its gate on: what is sent in it is read, and what is answered in it reads back as the JSON answer does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeCbor, parseCbor, printJson } from '@sluice/encoding';
import { DEFAULT_GATES } from './gates.ts';
import { type Client, connect, type Received, type Running, startRunning } from './running.fixture.ts';

const CBOR = 'application/cbor';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let running: Running;
let client: Client;

before(async () => {
  running = await startRunning({ gates: { ...DEFAULT_GATES, CBORServingAndStorage: true } });
  client = connect('HTTP/2', running.server.port);
});

after(async () => {
  client.close();
  await running.close();
});

test('startServer() takes objects in CBOR, and shows them in it, alone, in lists and as they are deleted', async () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v', 1: '' } };
  const created = await send('POST', CONFIG_MAPS, cbor(object));
  assert.deepEqual([created.status, created.headers['content-type']], [201, CBOR]);
  assert.deepEqual(read(created).data, object.data);
  for (const path of [
    CONFIG_MAPS,
    `${CONFIG_MAPS}/a`,
    `${CONFIG_MAPS}?limit=1`,
    `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dx`,
  ])
    assert.deepEqual(read(await send('GET', path)), await inJson(path), path);
  const deleted = await send('DELETE', CONFIG_MAPS, cbor({ kind: 'DeleteOptions', apiVersion: 'v1' }));
  assert.equal(deleted.headers['content-type'], CBOR);
  assert.equal(read(deleted).items.length, 1);
  assert.equal((await send('GET', `${CONFIG_MAPS}/a`)).status, 404);
});

test('startServer() tells what is wrong with options of a DELETE in CBOR as kube-apiserver does', async () => {
  const cannot = 'unable to determine group/version/kind';
  for (const [body, message] of [
    [
      bytes('80'),
      `${cannot}: cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)`,
    ],
    [bytes('4161'), `${cannot}: cbor: cannot unmarshal byte string into Go value of type v1.TypeMeta`],
    [bytes('a1'), `${cannot}: unexpected EOF`],
    [bytes('a2416101416102'), `${cannot}: cbor: found duplicate map key "a" at map element index 1`],
    [
      cbor({ dryRun: ['X'] }),
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["X"]: supported values: "All"',
    ],
    [cbor({ z: 'a' }), 'configmaps "none" not found'],
    [bytes('f6'), 'configmaps "none" not found'],
    [bytes('d9d9f7a0'), 'configmaps "none" not found'],
  ] as const) {
    assert.equal(read(await send('DELETE', `${CONFIG_MAPS}/none`, body)).message, message);
  }
});

test('startServer() writes what is negotiated outside of resources in CBOR too', async () => {
  for (const path of ['/api', '/apis/apps', '/apis/apps/v1', '/api/v1/nothing'])
    assert.deepEqual(read(await send('GET', path)), await inJson(path), path);
});

async function send(method: string, path: string, body?: Uint8Array): Promise<Received> {
  const headers = { accept: CBOR, ...(body && { 'content-type': CBOR }) };
  return client.ask(path, { method, headers, ...(body && { body }) });
}

async function inJson(path: string): Promise<unknown> {
  return JSON.parse(String((await client.ask(path)).body));
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of any shape.
function read({ body }: Received): any {
  assert.equal(body.subarray(0, 3).toString('hex'), 'd9d9f7');
  return JSON.parse(Buffer.from(printJson(parseCbor(body))).toString());
}

function cbor(value: unknown): Uint8Array {
  return encodeCbor(Buffer.from(JSON.stringify(value)));
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
