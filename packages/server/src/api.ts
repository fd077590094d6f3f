// The seam inside this room: what a handler is given and what it gives back. Only server.ts and response.ts see sockets.
import type { IncomingHttpHeaders } from 'node:http';
import type { Deflated, Twin } from '@sluice/encoding';
import type { Kind, Status } from '@sluice/resources';
import type { BodyEncoding } from './body-type.ts';

/** Who asks. Groups decide; `system:masters` may do everything. */
export type User = { name: string; uid: string; groups: readonly string[] };

/** The query as Go's url.ParseQuery reads it: `;` and bad escapes drop their part; names are case-sensitive. */
export interface Query {
  readonly raw: string;
  has(name: string): boolean;
  /** The first value, also when it is empty; undefined: absent. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** A path below /api or /apis that names a served kind. `verb` is what kube-apiserver's request info calls it. */
export type ResourceTarget = {
  kind: Kind;
  verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  namespace: string;
  /** Empty for a collection. */
  name: string;
  subresource: string;
};

export type ApiRequest = {
  method: string;
  /** Without the query, still percent-encoded. */
  path: string;
  query: Query;
  headers: IncomingHttpHeaders;
  user: User;
  /** What an object in the body may be written in. */
  readable: readonly BodyEncoding[];
  /** Reads the whole body; ApiError 413 over the limit. */
  readBody(): Promise<Uint8Array>;
  /** Aborted when the client is gone or the server stops. */
  signal: AbortSignal;
  /** Texts of `Warning: 299` headers, added while the request is handled; sent with whatever answers it, errors included. */
  readonly warnings: string[];
};

/** What is to be sent. Headers that every answer has (Audit-Id, Cache-Control, …) are not in here. */
export type Answer = Sendable | ObjectAnswer | StatusAnswer;

/** What has its representation already. */
export type Sendable = WholeAnswer | StreamAnswer;

/** Bytes as they are: text of /healthz, /version, /metrics, discovery. */
export type WholeAnswer = {
  type: 'whole';
  code: number;
  mediaType: string;
  body: Uint8Array;
  headers?: Record<string, string>;
};

/** One object, by its item bytes; kind and apiVersion are put in front where the kind's items lack them. */
export type ObjectAnswer = {
  type: 'object';
  code: 200 | 201 | 202;
  kind: Kind;
  item: Uint8Array;
};

/** A Status that is no error: what a DELETE or a binding answers. `code` is the HTTP code; the Status may have none of its own. */
export type StatusAnswer = { type: 'status'; code: 200 | 201 | 202; status: Status };

/** A list or a watch: something that writes itself to the response at the reader's pace. */
export type StreamAnswer = {
  type: 'stream';
  code: 200;
  mediaType: string;
  headers?: Record<string, string>;
  /** The body's exact length before compression, if it is known before the first byte. */
  length?: number;
  /** A watch: neither compressed nor indented, whatever the reader asks for. */
  live?: true;
  /** A watch that readers of gzip are sent compressed after all: each flush makes a gzip member of its own. */
  flushesGzipped?: boolean;
  /**
   * Writes the body. Rejecting before the first byte was sent gives a clean Status, later it destroys the stream.
   * Called at most once; what it holds is let go when it settles.
   */
  write(sink: Sink): Promise<void>;
};

/** Where a stream goes: the deferred writer. */
export interface Sink {
  /** The body is being compressed: twins will be asked for. */
  readonly gzips: boolean;
  /** Takes the bytes without copying: they must not change. A promise resolves when there is room for more, and rejects when the reader is gone. */
  write(bytes: Uint8Array, twin?: Twin): Promise<void> | undefined;
  /** Takes bytes that are deflated already; only while it gzips. */
  writeDeflated(deflated: Deflated): Promise<void> | undefined;
  /** Sends headers, and what is held, now: a watch without events must show that it stands. */
  flush(): Promise<void> | undefined;
}
