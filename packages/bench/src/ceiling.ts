// How fast the load clients read at all: from a plain source of bytes over the same TLS, so that it is seen where they are the limit.
import { Worker } from 'node:worker_threads';
import type { SourceData } from './byte-source.ts';
import { decoded, openClient } from './client.ts';
import { type Access, readWithCurl } from './curl.ts';

export type ServingCertificate = { key: string; cert: string; ca: string };

const BYTES = 64 << 20;
const TIMES = 5;

/** Bytes per second, the best of a few times: of curl by `h1` and `h2`, of the client within this process by `node-h1` and `node-h2`. */
export async function measureCeilings(
  certificate: ServingCertificate,
  bytes: number = BYTES,
): Promise<Record<string, number>> {
  const source = new Worker(new URL('./byte-source.js', import.meta.url), {
    workerData: { ...certificate, bytes } satisfies SourceData,
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      source.once('message', resolve);
      source.once('error', reject);
    });
    const access = { server: `https://127.0.0.1:${port}`, ca: certificate.ca };
    return {
      h1: await curlSpeed(access, '1.1'),
      h2: await curlSpeed(access, '2'),
      'node-h1': await nodeSpeed(access, 'h1'),
      'node-h2': await nodeSpeed(access, 'h2'),
    };
  } finally {
    await source.terminate();
  }
}

async function curlSpeed(access: Access, http: '1.1' | '2'): Promise<number> {
  const uris = Array.from({ length: TIMES }, () => '/');
  const [transfers = []] = await readWithCurl(access, {
    ...{ uris, accept: '*/*', encoding: 'identity', http, readers: 1 },
  });
  return Math.round(Math.max(...transfers.map(({ bytes, total }) => bytes / total)));
}

async function nodeSpeed(access: Access, protocol: 'h1' | 'h2'): Promise<number> {
  const client = openClient(access, protocol);
  const speeds: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const started = performance.now();
    let bytes = 0;
    for await (const chunk of decoded(await client.ask('/'))) bytes += (chunk as Buffer).length;
    speeds.push((bytes * 1000) / (performance.now() - started));
  }
  client.close();
  return Math.round(Math.max(...speeds));
}
