// The connections of a server: which are open, which have nothing to do, and the end of all of them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

type Connection = Http2Session | Socket;

export interface Connections {
  /** Lets answers under way go on; HTTP/2 clients are told to ask elsewhere. */
  retire(): void;
  destroy(): void;
}

/**
 * Follows the server's connections, and ends each that has had no request under way and no byte moved for `idleMs`.
 * That is also the end of one whose client broke HTTP/2: Node's library then says goodbye, and waits for nothing.
 */
export function trackConnections(server: Http2SecureServer, idleMs: number): Connections {
  const sockets = new Set<Socket>();
  const sessions = new Set<Http2Session>();
  server.on('connection', (socket: Socket) => {
    // Answers are written whole: waiting for more to send along would cost a client's delayed acknowledgement, 40 ms.
    socket.setNoDelay(true);
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (socket.alpnProtocol !== 'h2') neverPause(socket);
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  endIdle(server, idleMs);
  return {
    retire() {
      for (const session of sessions) session.close();
    },
    destroy() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** More than an answer has under way: its writes wait for each other before that. */
const WRITTEN_MAX_BYTES = 1024 * 1024;

/**
 * Node pauses the parser of HTTP/1.1 when a request comes in while the last answer is on its way, and takes what is then
 * read of the request's body for an error: the client is reset. Only where a socket counts as full can be moved away,
 * and that has no other name.
 */
function neverPause(socket: Socket): void {
  const { _writableState: state } = socket as unknown as { _writableState?: { highWaterMark: number } };
  if (state) state.highWaterMark = WRITTEN_MAX_BYTES;
}

function endIdle(server: Http2SecureServer, idleMs: number): void {
  const underWay = new WeakMap<Connection, number>();
  const add = (connection: Connection, count: number): void => {
    underWay.set(connection, (underWay.get(connection) ?? 0) + count);
  };
  server.on(
    'request',
    (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
      const connection = connectionOf(request);
      if (!connection) return;
      add(connection, 1);
      response.on('close', () => add(connection, -1));
    },
  );
  // Told again after each time something moved: a watch that outlives this is looked at when it ends.
  server.setTimeout(idleMs);
  server.on('timeout', (connection: Connection) => {
    if ((underWay.get(connection) ?? 0) === 0) connection.destroy();
  });
}

/** Undefined: it is gone already. */
function connectionOf(request: IncomingMessage | Http2ServerRequest): Connection | undefined {
  return 'stream' in request ? request.stream.session : request.socket;
}
