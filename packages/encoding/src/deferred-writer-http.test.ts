// The deferred writer over real sockets, HTTP/1.1 and HTTP/2: slow readers, readers that vanish, errors before and after the first byte.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import zlib from 'node:zlib';
import { DeferredWriter, type Destination } from './deferred-writer.ts';

type Response = http.ServerResponse | http2.Http2ServerResponse;
type Handler = (writer: DeferredWriter, response: Response) => Promise<void>;
type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Readable };
/** One client for both protocols. */
type Client = (gzip: boolean) => Promise<Answer>;

const MIB = 1 << 20;
const items = Buffer.from(randomBytes(MIB).toString('base64'));
const failure = new Error('encoder failed');
const gone = new Error('the reader is gone');

/**
 * A response as the writer sees it. Two ways to wait forever are closed: a stream that is gone emits neither `drain` nor
 * `close` any more, and an HTTP/2 stream that its reader reset without an error code emits only `aborted`.
 */
function destinationOf(response: Response): Destination {
  const stream: Writable = 'stream' in response ? response.stream : response;
  stream.on('error', () => {});
  stream.on('aborted', () => stream.destroy());
  return {
    start: (gzip) =>
      void (response as http.ServerResponse).writeHead(200, gzip ? { 'content-encoding': 'gzip' } : {}),
    write(bytes, done) {
      if (stream.destroyed || stream.closed) return Promise.reject(gone);
      return stream.write(bytes, () => done()) ? undefined : room(stream);
    },
    end: () => void stream.end(),
    // Not stream.close(code): `aborted` comes before the code is sent, and the reader would see a stream without error.
    destroy: (error) => void stream.destroy(error),
  };
}

function room(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const drained = (): void => {
      stream.off('close', closed);
      resolve();
    };
    const closed = (): void => {
      stream.off('drain', drained);
      reject(gone);
    };
    stream.once('drain', drained);
    stream.once('close', closed);
  });
}

async function serve(t: TestContext, protocol: string, handle: Handler): Promise<Client> {
  const listener = (request: { headers: http.IncomingHttpHeaders }, response: Response): void => {
    const writer = new DeferredWriter(destinationOf(response), {
      gzip: request.headers['accept-encoding'] === 'gzip',
    });
    void handle(writer, response);
  };
  const server = protocol === 'HTTP/2' ? http2.createServer(listener) : http.createServer(listener);
  server.listen(0);
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return protocol === 'HTTP/2' ? http2Client(t, port) : http1Client(port);
}

function http1Client(port: number): Client {
  return async (gzip) => {
    const headers = gzip ? { 'accept-encoding': 'gzip' } : {};
    const request = http.get({ port, headers, agent: false });
    const [body] = (await once(request, 'response')) as [http.IncomingMessage];
    return { status: body.statusCode!, headers: body.headers, body };
  };
}

function http2Client(t: TestContext, port: number): Client {
  const session = http2.connect(`http://localhost:${port}`);
  t.after(() => session.destroy());
  return async (gzip) => {
    const body = session.request(gzip ? { 'accept-encoding': 'gzip' } : {});
    const [headers] = (await once(body, 'response')) as [http2.IncomingHttpHeaders];
    return { status: Number(headers[':status']), headers, body };
  };
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function writeAll(pieces: readonly Buffer[]): Handler {
  return async (writer) => {
    for (const piece of pieces) await writer.write(piece);
    await writer.end();
  };
}

/** A Promise for what became of the handler, for tests whose client goes away. */
function outcome(act: (writer: DeferredWriter) => Promise<void>): {
  handle: Handler;
  seen: Promise<unknown>;
} {
  let settle: (error: unknown) => void;
  const seen = new Promise<unknown>((resolve) => {
    settle = resolve;
  });
  const handle: Handler = async (writer) => {
    try {
      await act(writer);
      settle(undefined);
    } catch (error) {
      writer.fail(error as Error);
      settle(error);
    }
  };
  return { handle, seen };
}

const slices = (body: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, i) => body.subarray(i * size, (i + 1) * size));

for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
  for (const gzip of [true, false]) {
    const form = `${protocol}, ${gzip ? 'gzip' : 'plain'}`;

    test(`DeferredWriter() sends a list of small items, ${form}`, async (t) => {
      const get = await serve(t, protocol, writeAll(slices(items, 700)));
      for (let i = 0; i < 3; i++) {
        const { headers, body } = await get(gzip);
        assert.equal(headers['content-encoding'], gzip ? 'gzip' : undefined);
        const received = await readAll(body);
        assert.ok((gzip ? zlib.gunzipSync(received) : received).equals(items));
      }
    });

    test(`DeferredWriter() sends nothing but the head of an empty body, ${form}`, async (t) => {
      const get = await serve(t, protocol, writeAll([]));
      const { status, headers, body } = await get(gzip);
      assert.deepEqual([status, headers['content-encoding']], [200, undefined]);
      assert.equal((await readAll(body)).length, 0);
    });

    test(`DeferredWriter() serves a slow reader the whole body, ${form}`, async (t) => {
      const small = items.subarray(0, 200_000);
      const get = await serve(t, protocol, writeAll(slices(small, 3_000)));
      const { body } = await get(gzip);
      const chunks: Buffer[] = [];
      let received = 0;
      while (!body.readableEnded) {
        const chunk: Buffer | null = body.read(Math.min(4096, body.readableLength)) ?? body.read();
        if (chunk) chunks.push(chunk);
        received += chunk?.length ?? 0;
        await pause(2);
      }
      assert.ok(received > 100_000);
      const whole = Buffer.concat(chunks);
      assert.ok((gzip ? zlib.gunzipSync(whole) : whole).equals(small));
    });

    test(`DeferredWriter() stops soon after the reader vanished, ${form}`, async (t) => {
      let written = 0;
      const { handle, seen } = outcome(async (writer) => {
        for (;;) {
          await writer.write(items);
          written += items.length;
        }
      });
      const get = await serve(t, protocol, handle);
      const { body } = await get(gzip);
      await once(body, 'readable');
      await pause(50);
      const before = written;
      body.on('error', () => {});
      body.destroy();
      assert.match(String(await seen), /the reader is gone/);
      assert.ok(written - before < 32 * MIB);
      const again = await get(gzip);
      assert.equal(again.status, 200, 'the server lives');
      again.body.on('error', () => {});
      again.body.destroy();
    });

    test(`fail() after the first byte shows the reader a cut body, ${form}`, async (t) => {
      const get = await serve(t, protocol, async (writer) => {
        for (let i = 0; i < 4; i++) await writer.write(items);
        assert.equal(writer.fail(failure), false);
      });
      const { status, body } = await get(gzip);
      assert.equal(status, 200);
      const code = protocol === 'HTTP/2' ? 'ERR_HTTP2_STREAM_ERROR' : 'ECONNRESET';
      await assert.rejects(() => readAll(body), { code });
    });

    test(`fail() while the body is held leaves the response free for an error, ${form}`, async (t) => {
      const get = await serve(t, protocol, async (writer, response) => {
        await writer.write(items.subarray(0, 20_000));
        assert.equal(writer.fail(failure), true);
        (response as http.ServerResponse).writeHead(500).end('{"kind":"Status"}');
      });
      const { status, headers, body } = await get(gzip);
      assert.deepEqual([status, headers['content-encoding']], [500, undefined]);
      assert.equal((await readAll(body)).toString(), '{"kind":"Status"}');
    });
  }
}
