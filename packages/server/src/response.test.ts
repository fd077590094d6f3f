// Answers on real connections of both protocols: every pattern of writes, an error after each of them, and readers that take headers only.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Sendable, Sink, StreamAnswer } from './api.ts';
import { Deadline } from './deadline.ts';
import { CutError, type Response, type SendOptions, send } from './response.ts';
import { PROTOCOLS, type Protocol, readAll } from './running.fixture.ts';

const GZIP_ABOVE_BYTES = 131_072;
const LONG_MS = 60_000;
const deadline = new Deadline(LONG_MS);
deadline.end();
const OPTIONS: SendOptions = { gzip: false, headersOnly: false, headers: {}, warnings: [], deadline };
const FAILURE: Sendable = {
  type: 'whole',
  code: 500,
  mediaType: 'application/json',
  body: Buffer.from('{"kind":"Status"}'),
};

type Opened = { status: number; headers: http.IncomingHttpHeaders; body: Readable };
type Reader = (method?: string) => Promise<Opened>;

for (const protocol of PROTOCOLS) {
  test(`send() sends whatever pieces a body comes in, ${protocol}`, async (t) => {
    let current: { answer: Sendable; options: SendOptions } = { answer: FAILURE, options: OPTIONS };
    const read = await served(t, protocol, (response) => send(response, current.answer, current.options));
    const sizes = fc.array(fc.oneof(fc.nat(300), fc.nat(40_000), fc.nat(200_000)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), fc.boolean(), async (pieces, gzip, isKnown) => {
        const bodies = pieces.map((size, i) => Buffer.alloc(size, `${i} and `));
        const whole = Buffer.concat(bodies);
        const answer = stream((sink) => writeAll(sink, bodies), isKnown ? whole.length : undefined);
        current = { answer, options: { ...OPTIONS, gzip } };
        const { status, headers, body } = await read();
        const received = await readAll(body);
        const isGzip = gzip && whole.length > GZIP_ABOVE_BYTES;
        assert.equal(status, 200);
        assert.equal(headers['content-encoding'], isGzip ? 'gzip' : undefined);
        assert.equal(headers.vary, isGzip ? 'Accept-Encoding' : undefined);
        if (isKnown && !isGzip) assert.equal(headers['content-length'], String(whole.length));
        assert.ok((isGzip ? gunzipSync(received) : received).equals(whole));
      }),
      { numRuns: 60 },
    );
  });

  for (const gzip of [false, true]) {
    for (const isKnown of [false, true]) {
      const form = `${protocol}, ${gzip ? 'gzip' : 'plain'}${isKnown ? ', of known length' : ''}`;

      test(`send() tells an error cleanly or cuts the body, ${form}`, async (t) => {
        for (const pieceBytes of [500, 20_000, 60_000]) {
          let failsAfter = 0;
          const pieces = Array.from({ length: 12 }, () => randomBytes(pieceBytes));
          const answer = stream(
            async (sink) => {
              await writeAll(sink, pieces.slice(0, failsAfter));
              throw new Error('the encoder failed');
            },
            isKnown ? pieces.length * pieceBytes : undefined,
          );
          const read = await served(t, protocol, async (response) => {
            await send(response, answer, { ...OPTIONS, gzip }).catch(async (error) => {
              if (!(error instanceof CutError)) await send(response, FAILURE, OPTIONS);
            });
          });
          let wasCut = false;
          for (; failsAfter <= pieces.length; failsAfter++) {
            const what = `${failsAfter} pieces of ${pieceBytes} bytes`;
            const { status, headers, bytes, error } = await readUntilError(read);
            if (status === 500) {
              assert.equal(bytes.toString(), '{"kind":"Status"}', what);
              assert.equal(error, undefined, what);
              assert.equal(wasCut, false, `${what}: a Status after more was sent`);
              continue;
            }
            wasCut = true;
            assert.ok(status === 200 || (status === 0 && protocol === 'HTTP/1.1'), what);
            assert.equal(error?.code, protocol === 'HTTP/2' ? 'ERR_HTTP2_STREAM_ERROR' : 'ECONNRESET', what);
            assert.ok(failsAfter > 0, what);
            if (headers['content-encoding'] === 'gzip') assert.throws(() => gunzipSync(bytes), what);
            // What is held until it is known whether it is worth compressing can be taken back.
            const isHeld = gzip && !isKnown && failsAfter * pieceBytes <= GZIP_ABOVE_BYTES;
            assert.ok(!isHeld, `${what} should have been held`);
          }
          assert.ok(wasCut || pieceBytes === 500);
        }
      });
    }
  }

  test(`send() cuts a body that is not as long as it was said to be, ${protocol}`, async (t) => {
    let bytes = 0;
    const read = await served(t, protocol, async (response) => {
      const answer = stream((sink) => writeAll(sink, [Buffer.alloc(bytes, 'x')]), 100_000);
      await assert.rejects(send(response, answer, OPTIONS), CutError);
    });
    for (bytes of [1, 99_999, 100_001, 400_000]) {
      const outcome = await readUntilError(read);
      assert.ok(outcome.error, `${bytes} bytes`);
      assert.ok(outcome.bytes.length < 100_000, `${bytes} bytes`);
    }
  });

  test(`send() answers HEAD with the headers of GET and nothing else, ${protocol}`, async (t) => {
    let answer: Sendable = FAILURE;
    const read = await served(t, protocol, (response, method) =>
      send(response, answer, { ...OPTIONS, headersOnly: method === 'HEAD' }),
    );
    for (answer of [FAILURE, stream((sink) => writeAll(sink, [Buffer.alloc(300_000)]), 300_000)]) {
      const [head, get] = [await read('HEAD'), await read()];
      assert.equal(head.status, get.status);
      assert.equal(head.headers['content-type'], get.headers['content-type']);
      assert.equal((await readAll(head.body)).length, 0);
      await readAll(get.body);
    }
  });

  test(`send() shows a live answer's headers before it has anything to say, ${protocol}`, async (t) => {
    let end: () => void = () => {};
    const answer: StreamAnswer = {
      ...stream(async (sink) => {
        await sink.flush();
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        await sink.write(Buffer.from('{"type":"ADDED"}\n'));
        await sink.flush();
      }),
      live: true,
    };
    const read = await served(t, protocol, (response) => send(response, answer, { ...OPTIONS, gzip: true }));
    const { status, headers, body } = await read();
    assert.deepEqual([status, headers['content-encoding']], [200, undefined]);
    end();
    assert.equal((await readAll(body)).toString(), '{"type":"ADDED"}\n');
  });
}

test('send() quotes warnings and adds to Vary', async (t) => {
  let next: [Sendable, Partial<SendOptions>] = [FAILURE, {}];
  const read = await served(t, 'HTTP/1.1', (response) => send(response, next[0], { ...OPTIONS, ...next[1] }));
  next = [FAILURE, { warnings: ['a "b" \\c', 'second'] }];
  assert.equal((await read()).headers.warning, '299 - "a \\"b\\" \\\\c", 299 - "second"');
  const list = Buffer.from(`{"items":["${'x'.repeat(200_000)}"],"n":[]}\n`);
  const answer: StreamAnswer = {
    ...stream((sink) => writeAll(sink, [list]), list.length),
    headers: { Vary: 'Accept' },
  };
  next = [answer, { gzip: true }];
  const { headers, body } = await read();
  assert.equal(headers.vary, 'Accept, Accept-Encoding');
  assert.ok(gunzipSync(await readAll(body)).equals(list));
});

function stream(write: (sink: Sink) => Promise<void>, length?: number): StreamAnswer {
  return {
    type: 'stream',
    code: 200,
    mediaType: 'application/json',
    ...(length !== undefined && { length }),
    write,
  };
}

async function writeAll(sink: Sink, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await sink.write(piece);
}

type Outcome = {
  /** 0: the connection ended before there were headers. */
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  error?: NodeJS.ErrnoException;
};

async function readUntilError(read: Reader): Promise<Outcome> {
  const outcome = { status: 0, headers: {} };
  const chunks: Buffer[] = [];
  try {
    const { status, headers, body } = await read();
    Object.assign(outcome, { status, headers });
    for await (const chunk of body) chunks.push(chunk);
    return { ...outcome, bytes: Buffer.concat(chunks) };
  } catch (error) {
    return { ...outcome, bytes: Buffer.concat(chunks), error: error as NodeJS.ErrnoException };
  }
}

async function served(
  t: TestContext,
  protocol: Protocol,
  handle: (response: Response, method: string) => Promise<unknown>,
): Promise<Reader> {
  const server = protocol === 'HTTP/2' ? http2.createServer() : http.createServer();
  server.on(
    'request',
    (request: { method: string }, response: Response) => void handle(response, request.method),
  );
  server.listen(0);
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return protocol === 'HTTP/2' ? http2Reader(t, port) : http1Reader(port);
}

function http1Reader(port: number): Reader {
  return async (method = 'GET') => {
    const request = http.request({ port, method, agent: false }).end();
    const [body] = (await once(request, 'response')) as [http.IncomingMessage];
    request.on('error', () => {});
    return { status: body.statusCode!, headers: body.headers, body };
  };
}

function http2Reader(t: TestContext, port: number): Reader {
  const session = http2.connect(`http://localhost:${port}`);
  t.after(() => session.destroy());
  return async (method = 'GET') => {
    const body = session.request({ ':method': method });
    const [headers] = (await once(body, 'response')) as [http2.IncomingHttpHeaders];
    return { status: Number(headers[':status']), headers, body };
  };
}
