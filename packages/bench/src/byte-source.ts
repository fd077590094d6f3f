// A plain source of bytes: a thread that answers every request with as many as it was told, over HTTP/1.1 and HTTP/2 alike.
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';

export type SourceData = { key: string; cert: string; bytes: number };

const CHUNK = Buffer.alloc(256 << 10, 'sluice ');

const { key, cert, bytes } = workerData as SourceData;
const server = createSecureServer({ key, cert, allowHTTP1: true }, (_request, response) => {
  response.writeHead(200, { 'content-length': String(bytes) });
  Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK.length }).pipe(response);
});
server.on('error', () => process.exit(1));
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));

function* chunks(): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK.length)
    yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}
