// HTTP/2 frames written by hand (RFC 9113, RFC 7541): what no client library would send.
import { once } from 'node:events';
import tls from 'node:tls';
import { CREDENTIALS } from './running.fixture.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
export const FRAME = { headers: 1, reset: 3, settings: 4, goAway: 7, continuation: 9 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
const ACKNOWLEDGES = 1;

type FrameName = keyof typeof FRAME;

export type Frame = { type: number; stream: number; payload: Buffer };

export interface RawConnection {
  /** A GET with these headers, its header block cut into frames of so many bytes. */
  get(path: string, headers: Record<string, string>, frameBytes: number): void;
  /** The next frame of one of the types; undefined: the server closed first. */
  next(...types: FrameName[]): Promise<Frame | undefined>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>;
  destroy(): void;
}

/** Resolves when both sides have taken the other's settings. */
export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = tls.connect({ ...CREDENTIALS, host: '127.0.0.1', port, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'secureConnect');
  const frames = readFrames(socket);
  const next = async (...types: FrameName[]): Promise<Frame | undefined> => {
    for (;;) {
      const { value } = await frames.next();
      if (!value || types.some((type) => FRAME[type] === value.type)) return value ?? undefined;
    }
  };
  socket.write(PREFACE);
  socket.write(frame(FRAME.settings, 0, 0, Buffer.alloc(0)));
  await next('settings');
  socket.write(frame(FRAME.settings, ACKNOWLEDGES, 0, Buffer.alloc(0)));
  return {
    get(path, headers, frameBytes) {
      const lines = { ':method': 'GET', ':scheme': 'https', ':path': path, ':authority': 'x', ...headers };
      const block = Buffer.concat(Object.entries(lines).map(([name, value]) => literal(name, value)));
      for (let at = 0; at < block.length; at += frameBytes) {
        const isLast = at + frameBytes >= block.length;
        const flags = (at === 0 ? END_STREAM : 0) | (isLast ? END_HEADERS : 0);
        const type = at === 0 ? FRAME.headers : FRAME.continuation;
        socket.write(frame(type, flags, 1, block.subarray(at, at + frameBytes)));
      }
    },
    next,
    closed,
    destroy: () => socket.destroy(),
  };
}

async function* readFrames(socket: tls.TLSSocket): AsyncGenerator<Frame, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 9) {
      const end = 9 + rest.readUIntBE(0, 3);
      if (rest.length < end) break;
      yield { type: rest[3]!, stream: rest.readUInt32BE(5), payload: rest.subarray(9, end) };
      rest = rest.subarray(end);
    }
  }
  return undefined;
}

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541 6.2.2: without indexing, new name, nothing Huffman-coded. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0), text(name), text(value)]);
}

function text(value: string): Buffer {
  return Buffer.concat([length(value.length), Buffer.from(value)]);
}

/** RFC 7541 5.1, with a prefix of 7 bits. */
function length(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let left = value - 127;
  for (; left >= 128; left >>>= 7) bytes.push((left & 127) | 128);
  return Buffer.of(...bytes, left);
}
