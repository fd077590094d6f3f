// The seam inside this room: what a handler is given and what it gives back. Only server.ts and response.ts see sockets.
import type { IncomingHttpHeaders } from 'node:http';
import type { Kind } from '@sluice/resources';

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
  /** Reads the whole body; ApiError 413 over the limit. */
  readBody(): Promise<Uint8Array>;
  /** Aborted when the client is gone or the server stops. */
  signal: AbortSignal;
};

/** What is to be sent. Headers that every answer has (Audit-Id, Cache-Control, …) are not in here. */
export type Answer = WholeAnswer | ObjectAnswer | StreamAnswer;

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
  /** Texts of `Warning: 299` headers. */
  warnings: readonly string[];
};

/** A list or a watch: something that writes itself to the response at the reader's pace. */
export type StreamAnswer = {
  type: 'stream';
  code: 200;
  mediaType: string;
  headers?: Record<string, string>;
  warnings: readonly string[];
  /** Exact, if known before the first byte. */
  contentLength?: number;
  gzip: boolean;
  /**
   * Writes the body. Rejecting before the first write gives a clean Status, later it destroys the stream.
   * Called exactly once; what it holds is let go when it settles.
   */
  write(sink: Sink): Promise<void>;
};

/** Where a stream goes. */
export interface Sink {
  /** Takes the bytes without copying: they must not change. Resolves when there is room for more. Rejects when the client is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sends headers (and what is buffered) now: a watch without events must show that it stands. */
  flush(): void;
}
