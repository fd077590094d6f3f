// A plain source of bytes: a thread that answers every request with as many as it was told, over HTTP/1.1 and HTTP/2 alike.
import { once } from 'node:events';
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';

export type SourceData = { key: string; cert: string; bytes: number };

/** Two of them are on their way at a time: there is always one to be sent. */
const CHUNK = Buffer.alloc(256 << 10, 'sluice ');
/** What costs least, and servers that are measured choose as well. */
const CIPHERS = `TLS_AES_128_GCM_SHA256:${DEFAULT_CIPHERS}`;

const { key, cert, bytes } = workerData as SourceData;
const server = createSecureServer({ key, cert, ciphers: CIPHERS, allowHTTP1: true }, (_request, response) => {
  response.writeHead(200, { 'content-length': String(bytes) });
  void pour(response);
});
server.on('error', () => process.exit(1));
server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));

async function pour(response: Http2ServerResponse): Promise<void> {
  const way = response.stream ?? response;
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    response.write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK);
    if (way.writableLength > CHUNK.length) await once(way, 'drain');
  }
  response.end();
}
