// Sends an answer over HTTP/1.1 or HTTP/2: headers, the deferred writer, backpressure, and what happens when either side gives up.

import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { DeferredWriter, type Destination } from '@sluice/encoding';
import type { Sendable } from './api.ts';
import type { Deadline } from './deadline.ts';
import { writeMembers } from './gzip-members.ts';

export type Response = ServerResponse | Http2ServerResponse;

export type SendOptions = {
  /** The reader accepts gzip. */
  gzip: boolean;
  /** HEAD: headers only. */
  headersOnly: boolean;
  /** Headers that every answer has. */
  headers: Record<string, string>;
  /** Texts of `Warning: 299` headers. */
  warnings: readonly string[];
  /** Of an answer that is no watch. Renewed whenever the reader has taken a write. */
  deadline: Deadline;
};

const GZIP_HEADERS: Readonly<Record<string, string>> = {
  'Content-Encoding': 'gzip',
  Vary: 'Accept-Encoding',
};

/** Writes that are under way at a time; with segments of 128 KiB the socket is never idle and little is held. */
const WRITES_MAX = 2;
/** HTTP/2 is handed a write in parts of two frames: the library behind it is an eighth quicker with them. */
const PART_BYTES = 32 * 1024;
/** The reader of a watch that takes nothing for this long is gone. */
const STALLED_MS = 60_000;

/** The reader went away or stalled. */
export class GoneError extends Error {
  override readonly name = 'GoneError';
}

/**
 * Sends the answer whole; gives its body's bytes on the wire. Rejects with GoneError when the reader is gone, and with what the answer's own writing threw, or
 * TimedOutError, when nothing was sent yet: then another answer can be sent instead. Later errors destroy the stream.
 */
export async function send(response: Response, answer: Sendable, options: SendOptions): Promise<number> {
  const isLive = answer.type === 'stream' && answer.live === true;
  const flushesGzipped = isLive && answer.flushesGzipped === true && options.gzip;
  const length = answer.type === 'stream' ? answer.length : answer.body.length;
  const destination = new ResponseDestination(response, {
    code: answer.code,
    headers: { ...answerHeaders(answer, options), ...(flushesGzipped && GZIP_HEADERS) },
    length,
    headersOnly: options.headersOnly,
    headersAtOnce: isLive || options.headersOnly,
    onProgress: () => options.deadline.renew(),
  });
  const writer = new DeferredWriter(destination, { gzip: options.gzip && !isLive, length });
  const written = async (): Promise<void> => {
    if (options.headersOnly) await writer.flush();
    else if (answer.type === 'whole') await writer.write(answer.body);
    else if (flushesGzipped) await writeMembers(writer, (sink) => answer.write(sink));
    else await answer.write(writer);
    await writer.end();
  };
  try {
    await (isLive ? written() : Promise.race([written(), options.deadline.over]));
    return destination.bytes;
  } catch (error) {
    if (writer.fail(error as Error) || error instanceof GoneError) throw error;
    throw new CutError(error as Error);
  } finally {
    destination.letGo();
  }
}

/** The answer was begun and can't be finished: its stream was destroyed, so that it doesn't look whole. */
export class CutError extends Error {
  override readonly name = 'CutError';

  constructor(cause: Error) {
    super(`answer cut: ${cause.message}`, { cause });
  }
}

function answerHeaders(answer: Sendable, options: SendOptions): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { ...options.headers };
  if (answer.mediaType !== '') headers['Content-Type'] = answer.mediaType;
  Object.assign(headers, answer.headers);
  if (options.warnings.length > 0) headers.Warning = options.warnings.map(warningHeader);
  return headers;
}

/** RFC 7234, 5.5, as the reference writes it: code 299, agent `-`, quoted text. */
function warningHeader(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
}

type Start = {
  code: number;
  headers: Record<string, string | string[]>;
  length: number | undefined;
  headersOnly: boolean;
  /** Nothing may follow for long: a watch. */
  headersAtOnce: boolean;
  /** The reader has taken a write. */
  onProgress: () => void;
};

/** A response as the deferred writer's destination. */
class ResponseDestination implements Destination {
  readonly #response: Response;
  readonly #start: Start;
  #underWay = 0;
  #bytes = 0;
  /** What was promised as Content-Length. */
  #promised: number | undefined;
  #gone: Error | undefined;
  #room: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #stalled: NodeJS.Timeout | undefined;
  readonly #onClose = (): void => this.#lose(new GoneError('the reader is gone'));
  readonly #onAborted = (): void => {
    this.#onClose();
    if ('stream' in this.#response) this.#response.stream?.destroy();
  };

  constructor(response: Response, start: Start) {
    this.#response = response;
    this.#start = start;
    response.on('close', this.#onClose);
    response.on('error', this.#onClose);
    // Node 20 tells a reset with writes under way by this event alone, and leaves the stream open.
    if ('stream' in response) response.stream?.once('aborted', this.#onAborted);
    if (response.destroyed || response.socket?.destroyed) this.#onClose();
  }

  /** Written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  start(gzip: boolean): void {
    const { code, headers, length } = this.#start;
    if (gzip) {
      headers['Content-Encoding'] = 'gzip';
      headers.Vary = headers.Vary ? [headers.Vary, 'Accept-Encoding'].flat() : 'Accept-Encoding';
    } else if (length !== undefined && !this.#start.headersOnly) {
      headers['Content-Length'] = String(length);
      this.#promised = length;
    }
    if (this.#gone) return;
    // Both kinds of response take this form; their types have no common one.
    (this.#response as ServerResponse).writeHead(code, headers);
    // Otherwise they go out with the first bytes, in one write.
    if (this.#start.headersAtOnce) (this.#response as ServerResponse).flushHeaders();
  }

  write(bytes: Uint8Array, done: () => void): Promise<void> | undefined {
    if (this.#gone) return Promise.reject(this.#gone);
    if (this.#promised !== undefined && this.#bytes + bytes.length > this.#promised) {
      this.destroy(new Error(`more than the ${this.#promised} bytes that were promised`));
      return Promise.reject(this.#gone);
    }
    this.#underWay++;
    this.#bytes += bytes.length;
    this.#pass(bytes, () => {
      this.#underWay--;
      done();
      this.#stalled?.refresh();
      this.#start.onProgress();
      if (this.#underWay < WRITES_MAX) this.#makeRoom();
    });
    if (this.#underWay < WRITES_MAX) return undefined;
    this.#stalled ??= setTimeout(() => this.#stall(), STALLED_MS).unref();
    return new Promise((resolve, reject) => {
      this.#room = { resolve, reject };
    });
  }

  end(): void {
    if (this.#gone) return;
    if (this.#promised !== undefined && this.#bytes !== this.#promised) {
      const error = new Error(`${this.#bytes} of the ${this.#promised} bytes that were promised`);
      this.destroy(error);
      throw error;
    }
    this.#response.end();
  }

  /** HTTP/1.1: the connection ends without a final chunk. HTTP/2: RST_STREAM. */
  destroy(error: Error): void {
    if (this.#gone) return;
    this.#gone = error;
    if ('stream' in this.#response) this.#response.stream?.destroy(error);
    else this.#response.destroy();
  }

  letGo(): void {
    clearTimeout(this.#stalled);
    this.#response.off('close', this.#onClose);
    if ('stream' in this.#response) this.#response.stream?.off('aborted', this.#onAborted);
  }

  #pass(bytes: Uint8Array, sent: () => void): void {
    const response = this.#response as ServerResponse;
    let at = 0;
    if ('stream' in response) {
      for (; bytes.length - at > PART_BYTES; at += PART_BYTES) {
        response.write(bytes.subarray(at, at + PART_BYTES));
      }
    }
    response.write(bytes.subarray(at), sent);
  }

  #makeRoom(): void {
    const room = this.#room;
    this.#room = undefined;
    room?.resolve();
  }

  #stall(): void {
    this.#lose(new GoneError('the reader took nothing for too long'));
    if ('stream' in this.#response) this.#response.stream?.destroy();
    else this.#response.destroy();
  }

  #lose(error: Error): void {
    this.#gone ??= error;
    const room = this.#room;
    this.#room = undefined;
    room?.reject(this.#gone);
  }
}
