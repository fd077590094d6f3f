// What is said to a client whose HTTP/1.1 can't be parsed: Go's net/http answers in text, and closes.
import type { Duplex } from 'node:stream';
import { encodeStatus, methodNotAllowed } from '@sluice/resources';

/** Node's parser gives up: headers over the limit, a method it doesn't know, or no HTTP at all. */
export function answerClientError(
  error: NodeJS.ErrnoException & { rawPacket?: Uint8Array },
  socket: Duplex,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_INVALID_METHOD' && isRequest(error.rawPacket)) {
    const headers = 'Content-Type: application/json\r\nCache-Control: no-cache, private';
    end(socket, '405 Method Not Allowed', headers, encodeStatus(methodNotAllowed().status));
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  end(socket, status, 'Content-Type: text/plain; charset=utf-8', Buffer.from(status));
}

/** Go takes any token for a method; no path of ours has one that Node doesn't know. */
function isRequest(packet: Uint8Array = new Uint8Array()): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \/\S* HTTP\/1\.[01]\r?\n/.test(Buffer.from(packet).toString('latin1'));
}

function end(socket: Duplex, status: string, headers: string, body: Uint8Array): void {
  const head = Buffer.from(`HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n`);
  // In one write: the client is still sending, and after a reset it may not read what comes second.
  socket.end(Buffer.concat([head, body]));
}
