// Sends JSON to an API server over kept-alive connections, and asks again when the server is busy or a connection broke.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../kubeconfig.ts';

export type Reply = { code: number; text: string };

export type Client = {
  /** The last answer, after as many attempts as are sensible; throws when none came. */
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Reply>;
  close(): void;
};

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 100;
const PAUSE_LIMIT_MS = 5_000;
const ANSWER_LIMIT_MS = 60_000;

export function openClient(access: Access, connections: number): Client {
  const url = new URL(access.server);
  const transport = url.protocol === 'https:' ? https : http;
  const agent = openAgent(access, connections);
  const authorization = access.token === undefined ? {} : { Authorization: `Bearer ${access.token}` };

  function attempt(method: string, path: string, body: string | undefined): Promise<RawReply> {
    const headers = {
      Accept: 'application/json',
      'User-Agent': 'sluice-seed',
      ...authorization,
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const request = transport.request(
        { host: url.hostname, port: url.port, method, path, headers, agent, timeout: ANSWER_LIMIT_MS },
        (response) => readReply(response).then(resolve, reject),
      );
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.end(body);
    });
  }

  return {
    async send(method, path, body) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      for (let tried = 1; ; tried++) {
        const reply = await attempt(method, path, text).catch((error: unknown) => {
          if (tried >= ATTEMPTS) throw error;
          return undefined;
        });
        if (reply !== undefined && (!isBusy(reply.code) || tried >= ATTEMPTS)) return reply;
        await sleep(pauseMs(reply, tried));
      }
    },
    close: () => agent.destroy(),
  };
}

type RawReply = Reply & { retryAfter: string | undefined };

function openAgent({ ca, cert, key, insecure, server }: Access, connections: number): http.Agent {
  const pool = { keepAlive: true, maxSockets: connections };
  if (!server.startsWith('https:')) return new http.Agent(pool);
  return new https.Agent({ ...pool, ca, cert, key, rejectUnauthorized: !insecure });
}

async function readReply(response: http.IncomingMessage): Promise<RawReply> {
  const code = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  // What was created is not looked at; a refusal is.
  for await (const chunk of response) if (code >= 300) chunks.push(chunk as Buffer);
  return { code, text: Buffer.concat(chunks).toString(), retryAfter: response.headers['retry-after'] };
}

function isBusy(code: number): boolean {
  return code === 429 || code >= 500;
}

/** What the server asks for, else twice as long each time. */
function pauseMs(reply: RawReply | undefined, tried: number): number {
  const asked = Number(reply?.retryAfter) * 1000;
  return Math.min(PAUSE_LIMIT_MS, asked > 0 ? asked : FIRST_PAUSE_MS * 2 ** (tried - 1));
}
