// A connection to the server under test: one request at a time over HTTP/1.1 or HTTP/2, headers as soon as they come.
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Readable } from 'node:stream';

/** Where the server is and who asks, as a kubeconfig says it. */
export type Target = {
  server: string;
  token?: string | undefined;
  ca?: Uint8Array | string | undefined;
  cert?: Uint8Array | string | undefined;
  key?: Uint8Array | string | undefined;
  insecure?: boolean | undefined;
};

export type Question = {
  protocol: 'h1' | 'h2';
  /** The request says for itself who asks, or that nobody does: it goes without the client certificate. */
  withoutCertificate: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  signal: AbortSignal;
};

export type Headers = Readonly<Record<string, string | string[] | number | undefined>>;
export type Reply = { status: number; headers: Headers; stream: Readable; abort: () => void };

export type Connection = {
  readonly token: string | undefined;
  ask(question: Question): Promise<Reply>;
  close(): void;
};

export function openConnection(target: Target): Connection {
  const url = new URL(target.server);
  const own = openSockets(url, tlsOptions(target));
  const nobodys = openSockets(url, tlsOptions({ ...target, cert: undefined, key: undefined }));
  return {
    token: target.token,
    ask: (question) => (question.withoutCertificate ? nobodys : own).ask(question),
    close() {
      own.close();
      nobodys.close();
    },
  };
}

function openSockets(url: URL, tls: https.AgentOptions): Omit<Connection, 'token'> {
  const isTls = url.protocol === 'https:';
  const agent = isTls ? new https.Agent({ keepAlive: true, ...tls }) : new http.Agent({ keepAlive: true });
  let session: http2.ClientHttp2Session | undefined;

  function openSession(): http2.ClientHttp2Session {
    if (session === undefined || session.closed || session.destroyed) {
      session = http2.connect(url.origin, tls);
      // The requests of a broken session report it; without a listener it would end the process.
      session.on('error', () => {});
    }
    return session;
  }

  return {
    ask: (question) =>
      question.protocol === 'h2' ? askOverH2(openSession(), question) : askOverH1(url, agent, question),
    close() {
      session?.destroy();
      agent.destroy();
    },
  };
}

function tlsOptions(target: Target): https.AgentOptions {
  const { ca, cert, key } = target;
  const pem = (value: Uint8Array | string) => (typeof value === 'string' ? value : Buffer.from(value));
  return {
    ...(ca === undefined ? {} : { ca: pem(ca) }),
    ...(cert === undefined ? {} : { cert: pem(cert) }),
    ...(key === undefined ? {} : { key: pem(key) }),
    rejectUnauthorized: target.insecure !== true,
  };
}

function askOverH1(url: URL, agent: http.Agent, question: Question): Promise<Reply> {
  const { method, path, headers, body, signal } = question;
  const transport = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = transport.request(
      { host: url.hostname, port: url.port, method, path, headers, agent, signal },
      (response) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          stream: response,
          abort: () => request.destroy(),
        }),
    );
    request.on('error', reject);
    request.end(body);
  });
}

function askOverH2(session: http2.ClientHttp2Session, question: Question): Promise<Reply> {
  const { method, path, headers, body, signal } = question;
  return new Promise((resolve, reject) => {
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const stream = session.request(
      { ':method': method, ':path': path, ...Object.fromEntries(lowerCase) },
      { signal },
    );
    stream.on('response', (received) =>
      resolve({
        status: received[':status'] ?? 0,
        headers: received,
        stream,
        abort: () => stream.close(http2.constants.NGHTTP2_CANCEL),
      }),
    );
    stream.on('error', reject);
    stream.end(body);
  });
}
