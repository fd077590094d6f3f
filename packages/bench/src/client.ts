// A client within this process, for what curl can't do: to look into answers, to write, to follow watches.
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Access } from './curl.ts';

export type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** `body` as it was sent; `cancel` gives up the answer. */
export type Answer = { code: number; isGzip: boolean; body: Readable; cancel(): void };

/** One connection; over HTTP/1.1 a new one once an answer was cancelled. */
export type Client = {
  ask(path: string, asked?: Asked): Promise<Answer>;
  close(): void;
};

export function openClient(access: Access, protocol: 'h1' | 'h2'): Client {
  return protocol === 'h2' && access.server.startsWith('https:') ? openH2(access) : openH1(access);
}

/** The whole answer, decompressed. */
export async function askWhole(
  client: Client,
  path: string,
  asked?: Asked,
): Promise<{ code: number; text: string }> {
  const answer = await client.ask(path, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of decoded(answer)) chunks.push(chunk as Buffer);
  return { code: answer.code, text: Buffer.concat(chunks).toString() };
}

/** The body without its compression. */
export function decoded({ body, isGzip }: Answer): Readable {
  if (!isGzip) return body;
  const gunzip = createGunzip();
  body.on('error', (error) => gunzip.destroy(error));
  return body.pipe(gunzip);
}

const USER_AGENT = 'sluice-bench';

function openH1(access: Access): Client {
  const url = new URL(access.server);
  const isTls = url.protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: 1 };
  const agent = isTls ? new https.Agent({ ...pool, ...tlsOptions(access) }) : new http.Agent(pool);
  return {
    ask(path, { method = 'GET', headers = {}, body } = {}) {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      return new Promise((resolve, reject) => {
        const request = (isTls ? https : http).request(
          {
            ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, method, path, agent },
            headers: { 'user-agent': USER_AGENT, ...credentials(access), ...length, ...headers },
          },
          (response) => {
            const isGzip = response.headers['content-encoding'] === 'gzip';
            const cancel = () => void request.destroy();
            resolve({ code: response.statusCode ?? 0, isGzip, body: response, cancel });
          },
        );
        request.on('error', reject);
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** What HTTP/2 lets the server send ahead: Node's own 64 KiB would hold a fast server up. */
const WINDOW_BYTES = 16 << 20;

function openH2(access: Access): Client {
  const session = http2.connect(access.server, {
    ...tlsOptions(access),
    settings: { initialWindowSize: WINDOW_BYTES },
  });
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
  return {
    ask(path, { method = 'GET', headers = {}, body } = {}) {
      return new Promise((resolve, reject) => {
        const stream = session.request(
          {
            ...{ ':method': method, ':path': path, 'user-agent': USER_AGENT },
            ...credentials(access),
            ...headers,
          },
          { endStream: body === undefined },
        );
        stream.on('response', (received) => {
          const isGzip = received['content-encoding'] === 'gzip';
          const cancel = () => void stream.destroy();
          resolve({ code: Number(received[':status']), isGzip, body: stream, cancel });
        });
        stream.on('error', reject);
        stream.on('close', () => reject(new Error('the connection was closed')));
        if (body !== undefined) stream.end(body);
      });
    },
    close: () => session.destroy(),
  };
}

function credentials({ token }: Access): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function tlsOptions({ ca, cert, key, insecure }: Access): https.AgentOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: insecure !== true,
  };
}
