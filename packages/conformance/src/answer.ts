// Reads an answer from the wire: a whole body, or the first events of a watch.
import type { Headers, Reply } from './connection.ts';
import { splitFrames } from './frames.ts';

export type Answer = {
  status: number;
  headers: Headers;
  body: Buffer;
  /** false when the body broke off. */
  complete: boolean;
  /** For a watch: whether the server ended the stream by itself. */
  ended?: boolean;
};

export async function readWhole(reply: Reply): Promise<Answer> {
  const chunks: Buffer[] = [];
  let complete = true;
  try {
    for await (const chunk of reply.stream) chunks.push(chunk as Buffer);
  } catch {
    complete = false;
  }
  return { status: reply.status, headers: reply.headers, body: Buffer.concat(chunks), complete };
}

export type Wanted = { events?: number; frames?: number; ms?: number };

/** Starts to read at once, so that nothing is lost while other requests are sent; resolves when enough has come. */
export async function readSome(reply: Reply, wanted: Wanted): Promise<Answer> {
  const chunks: Buffer[] = [];
  let ended = false;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, wanted.ms ?? 5000);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    reply.stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isEnough(Buffer.concat(chunks), wanted)) finish();
    });
    reply.stream.on('end', () => {
      ended = true;
      finish();
    });
    reply.stream.on('error', finish);
  });
  // An end that came in one piece with the last event is seen by now, one that came after it is not.
  reply.abort();
  const { status, headers } = reply;
  return { status, headers, body: Buffer.concat(chunks), complete: true, ended };
}

function isEnough(body: Buffer, wanted: Wanted): boolean {
  if (wanted.frames !== undefined) return splitFrames(body).frames.length >= wanted.frames;
  if (wanted.events === undefined) return false;
  let lines = 0;
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) lines++;
  return lines >= wanted.events;
}
