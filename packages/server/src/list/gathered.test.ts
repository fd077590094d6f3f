// Lists with the gates of streaming on and off: the same bytes, piece by piece or in one write.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Sink, StreamAnswer } from '../api.ts';
import { DEFAULT_GATES } from '../gates.ts';
import { readListOptions } from '../list-options.ts';
import { ENDPOINTS, negotiate, producible } from '../negotiation.ts';
import { type Client, openClient } from '../objects/handler.fixture.ts';
import { parseQuery } from '../query.ts';
import { connect, PROTOCOLS, startRunning } from '../running.fixture.ts';
import { gathered, isStreamed } from './gathered.ts';
import { list } from './list.ts';
import { listShape } from './shape.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const OFF = {
  ...DEFAULT_GATES,
  StreamingCollectionEncodingToJSON: false,
  StreamingCollectionEncodingToProtobuf: false,
};
/** Leaves hold about 200 KiB: these fill several. */
const OBJECTS = 60;
const OBJECT_BYTES = 20_000;

/** Rows of Tables tell ages. */
const NOW = new Date();

let client: Client;

before(async () => {
  client = await openClient();
  for (let i = 0; i < OBJECTS; i++) {
    const labels = { half: String(i % 2) };
    const body = { metadata: { name: `c${i}`, labels }, data: { k: String(i).repeat(OBJECT_BYTES / 2) } };
    assert.equal((await client.send('POST', '/api/v1/namespaces/default/configmaps', body)).code, 201);
  }
});

after(() => client.close());

test('gathered() writes the bytes of every list at once', async () => {
  const conversion = (as: string, type = 'application/json'): string => `${type};as=${as};g=meta.k8s.io;v=v1`;
  for (const [accept, query, namespace] of [
    ['application/json', '', 'default'],
    ['application/json', '', 'empty'],
    ['application/json', 'pretty=1', 'default'],
    ['application/json', 'limit=33', 'default'],
    ['application/json', 'labelSelector=half%3D1', ''],
    [conversion('Table'), '', 'default'],
    [conversion('Table'), 'limit=2', 'empty'],
    [conversion('PartialObjectMetadataList'), '', 'default'],
    [PROTOBUF, '', 'default'],
    [PROTOBUF, '', 'empty'],
    [PROTOBUF, 'limit=7', ''],
    [PROTOBUF, 'labelSelector=half%3D0', 'default'],
    [conversion('PartialObjectMetadataList', PROTOBUF), '', 'default'],
  ] as const) {
    const name = `${accept}?${query} in "${namespace}"`;
    const streamed = await piecesOf(await asked(accept, query, namespace));
    const whole = await piecesOf(gathered(await asked(accept, query, namespace)));
    assert.equal(whole.length, 1, name);
    assert.ok(Buffer.concat(streamed).equals(Buffer.concat(whole)), name);
    if (namespace === 'default' && query === '') assert.ok(streamed.length > 2, name);
  }
});

test('gathered() writes nothing of a list that fails', async () => {
  const answer = await asked('application/json', '', 'default');
  const failing = gathered({
    ...answer,
    async write(sink) {
      await sink.write(Buffer.from('{'));
      throw new Error('lost');
    },
  });
  const pieces: Uint8Array[] = [];
  await assert.rejects(failing.write(sinkOf(pieces)), /lost/);
  assert.equal(pieces.length, 0);
});

test('isStreamed() asks the gate of the encoding', () => {
  const streamed = (gates: typeof OFF): boolean[] =>
    (['json', 'protobuf', 'yaml', 'cbor'] as const).map((encoding) => isStreamed(encoding, gates));
  assert.deepEqual(streamed(DEFAULT_GATES), [true, true, true, true]);
  assert.deepEqual(streamed(OFF), [false, false, true, true]);
  assert.deepEqual(streamed({ ...OFF, StreamingCollectionEncodingToProtobuf: true }), [
    false,
    true,
    true,
    true,
  ]);
});

test('startServer() answers the same with the gates of streaming off, compressed and plain', async () => {
  const path = '/api/v1/configmaps';
  const answers: string[][] = [];
  const running = [await startRunning({ gates: DEFAULT_GATES }), await startRunning({ gates: OFF })];
  for (const { server, close } of running) {
    const told: string[] = [];
    for (const protocol of PROTOCOLS) {
      const asker = connect(protocol, server.port);
      const headers = { 'content-type': 'application/json' };
      for (const i of [0, 1, 2]) {
        const name = `${protocol === 'HTTP/2' ? 'h' : 'g'}${i}`;
        const body = JSON.stringify({ metadata: { name }, data: { k: `${i}`.repeat(100_000) } });
        await asker.ask('/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body });
      }
      for (const accept of ['application/json', PROTOBUF]) {
        const plain = await asker.ask(path, { headers: { accept } });
        const zipped = await asker.ask(path, { headers: { accept, 'accept-encoding': 'gzip' } });
        assert.equal(zipped.headers['content-encoding'], 'gzip');
        assert.ok(gunzipSync(zipped.body).equals(plain.body));
        const [length, type] = [plain.headers['content-length'], plain.headers['content-type']];
        told.push(`${plain.status} ${length} ${type} ${masked(plain.body)}`);
      }
      asker.close();
    }
    answers.push(told);
    await close();
  }
  assert.deepEqual(answers[1], answers[0]);
});

async function asked(accept: string, query: string, namespace: string): Promise<StreamAnswer> {
  const parts = { ...client.parts, now: () => NOW };
  const kind = parts.kinds.find('', 'v1', 'configmaps')!;
  const parsed = parseQuery(query);
  const wishes = { accept, userAgent: undefined, query: parsed };
  const representation = negotiate(wishes, ENDPOINTS.builtInList, producible(DEFAULT_GATES));
  const target = { kind, verb: 'list', namespace, name: '', subresource: '' } as const;
  const shape = listShape(parts, kind, representation, 'Metadata');
  return list(parts, kind, namespace, await readListOptions(parsed, target), shape);
}

async function piecesOf(answer: StreamAnswer): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  await answer.write(sinkOf(pieces));
  return pieces;
}

function sinkOf(pieces: Uint8Array[]): Sink {
  return {
    gzips: false,
    write(bytes) {
      pieces.push(bytes);
      return undefined;
    },
    writeDeflated: () => undefined,
    flush: () => undefined,
  };
}

/** Two servers give objects different identities. */
function masked(body: Buffer): string {
  return body
    .toString('latin1')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/"creationTimestamp":"[^"]*"/g, '"creationTimestamp":"<time>"')
    .replace(/B\x08\x08[\s\S]{5}\x10\x00/g, '<time>');
}
