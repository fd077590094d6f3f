// One request from its first header to its answer's last byte: who asks, whether they may, where it goes, and what is said if it fails.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Kinds } from '@sluice/resources';
import type { ApiRequest, Query, Sendable, WholeAnswer } from './api.ts';
import { authenticate, type ClientCertificate, readPeerSubject, type Tokens } from './authentication.ts';
import { refusal } from './authorization.ts';
import { readBody } from './body-reader.ts';
import { type BodyEncoding, readable } from './body-type.ts';
import { Deadline, TIMED_OUT, TimedOutError } from './deadline.ts';
import type { Dispatch } from './dispatch.ts';
import type { Documents } from './documents.ts';
import type { Gates } from './gates.ts';
import { impersonated } from './impersonation.ts';
import { type InFlight, openInFlight, TOO_MANY_REQUESTS } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { type Metrics, type RequestEnd, requestLabels } from './metrics.ts';
import { acceptsGzip, type Producible, producible, type Wishes } from './negotiation.ts';
import { parseQuery, unescapePercents } from './query.ts';
import { errorAnswer } from './representation/error-answer.ts';
import { type Route, route } from './request.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';
import { readRequestTimeout } from './request-timeout.ts';
import { CutError, GoneError, type Response, send } from './response.ts';

type Request = IncomingMessage | Http2ServerRequest;

export type ExchangeOptions = {
  dispatch: Dispatch;
  documents: Documents;
  metrics: Metrics;
  kinds: Kinds;
  tokens: Tokens;
  gates: Gates;
  limits: Limits;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
};

export interface Exchanges {
  handle(request: Request, response: Response): void;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

export function openExchanges(given: ExchangeOptions): Exchanges {
  const options = {
    ...given,
    producible: producible(given.gates),
    readable: readable(given.gates),
    inFlight: openInFlight(given.limits),
  };
  let underWay = 0;
  let whenIdle: (() => void) | undefined;
  return {
    handle(request, response) {
      underWay++;
      void exchange(request, response, options).finally(() => {
        underWay--;
        if (underWay === 0) whenIdle?.();
      });
    },
    idle: () =>
      new Promise((resolve) => {
        whenIdle = resolve;
        if (underWay === 0) resolve();
      }),
  };
}

type Options = ExchangeOptions & {
  producible: Producible;
  readable: readonly BodyEncoding[];
  inFlight: InFlight;
};

/** Never rejects: whatever goes wrong is answered, or ends the stream. */
async function exchange(request: Request, response: Response, options: Options): Promise<void> {
  const query = queryOf(request);
  const deadline = new Deadline(timeoutOf(query, options.limits));
  const apiRequest = readRequest(request, response, query, deadline, options);
  const wishes: Wishes = {
    accept: firstOf(request.headers.accept),
    userAgent: firstOf(request.headers['user-agent']),
    query,
  };
  const sendOptions = {
    gzip: acceptsGzip(firstAcceptEncoding(request)),
    headersOnly: apiRequest.method === 'HEAD',
    headers: { 'Audit-Id': auditId(request), 'Cache-Control': 'no-cache, private' },
    warnings: apiRequest.warnings,
  };
  const place = readPlace(apiRequest, options.kinds);
  if (isWatch(place)) deadline.end();
  const ended = beginMetrics(place, apiRequest, options.metrics);
  const visit: Visit = { leave: () => {} };
  const end: RequestEnd = { code: 0, bytes: 0 };
  const sent = async (answer: Sendable, until: Deadline): Promise<void> => {
    end.code = answer.code;
    end.bytes = await send(response, answer, { ...sendOptions, deadline: until });
  };
  try {
    const answering = answerOf(socketOf(request), place, apiRequest, wishes, options, visit);
    await sent(await Promise.race([answering, deadline.over]), deadline);
  } catch (error) {
    if (error instanceof GoneError || error instanceof CutError) return;
    const answer =
      error instanceof TimedOutError ? TIMED_OUT : errorAnswer(error, wishes, options.producible);
    const last = new Deadline(options.limits.requestTimeoutMs);
    await sent(answer, last).catch(() => {});
    last.end();
  } finally {
    deadline.end();
    visit.leave();
    ended(end);
  }
}

/** A request that counts as under way, once it was let in. */
type Visit = { leave: () => void };

function queryOf({ url = '' }: Request): Query {
  const mark = url.indexOf('?');
  return parseQuery(mark < 0 ? '' : url.slice(mark + 1));
}

/** What is no duration is refused later. */
function timeoutOf(query: Query, { requestTimeoutMs }: Limits): number {
  try {
    return readRequestTimeout(query, requestTimeoutMs);
  } catch {
    return requestTimeoutMs;
  }
}

function readRequest(
  request: Request,
  response: Response,
  query: Query,
  deadline: Deadline,
  { stopping, readable }: Options,
): ApiRequest {
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  let signal: AbortSignal | undefined;
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query,
    headers: request.headers,
    user: { name: '', uid: '', groups: [] },
    warnings: [],
    readable,
    readBody: () => readBody(request, deadline.over),
    // Most requests never ask for it, and it costs as much as reading a small body.
    get signal() {
      signal ??= AbortSignal.any([goneSignal(request, response), stopping]);
      return signal;
    },
  };
}

function goneSignal(request: Request, response: Response): AbortSignal {
  const gone = new AbortController();
  for (const event of ['close', 'error']) response.on(event, () => gone.abort());
  request.on('aborted', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}

/** Where the request goes; undefined: its path can't be read. */
type Place = { info: RequestInfo; route: Route } | 'unreadable' | 'without-resource';

function readPlace(request: ApiRequest, kinds: Kinds): Place {
  const path = unescapePercents(request.path);
  if (path === null) return 'unreadable';
  const info = readRequestInfo(request.method, path, request.query);
  return info ? { info, route: route(info, request.method, kinds) } : 'without-resource';
}

function isWatch(place: Place): boolean {
  return typeof place !== 'string' && place.route.to === 'resource' && place.route.target.verb === 'watch';
}

function beginMetrics(place: Place, request: ApiRequest, metrics: Metrics): (end: RequestEnd) => void {
  const isDryRun = request.query.first('dryRun') === 'All';
  const routed: Route = typeof place === 'string' ? { to: 'nowhere' } : place.route;
  const name = typeof place === 'string' ? '' : place.info.name;
  return metrics.begin(requestLabels(routed, name, request.method, isDryRun));
}

async function answerOf(
  socket: TLSSocket,
  place: Place,
  request: ApiRequest,
  wishes: Wishes,
  { dispatch, documents, tokens, limits, inFlight }: Options,
  visit: Visit,
): Promise<Sendable> {
  if (place === 'unreadable') return UNREADABLE;
  if (place === 'without-resource') return withoutResource(request.path);
  readRequestTimeout(request.query, limits.requestTimeoutMs);
  const { authorization } = request.headers;
  const user = authenticate({ certificate: certificateOf(socket), authorization }, tokens, request.warnings);
  request.user = impersonated(user, request.headers, place.info);
  const leave = inFlight.enter(place.info, request.user);
  if (leave === undefined) return TOO_MANY_REQUESTS;
  visit.leave = leave;
  const refused = refusal(request.user, place.info);
  if (refused) throw refused;
  const routed = place.route;
  if (routed.to === 'error') throw routed.error;
  if (routed.to === 'resource') return dispatch.answer(routed.target, request, wishes);
  return documents.answer(routed, place.info, request, wishes);
}

/** One and the same for all requests of a connection: over HTTP/2 `request.socket` is another proxy each time. */
function socketOf(request: Request): TLSSocket {
  const session = 'stream' in request ? request.stream.session : undefined;
  return (session?.socket ?? request.socket) as TLSSocket;
}

/** Reading a peer's certificate takes as long as reading a small body; it is the connection's, so it is read once. */
function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  if (!socket.authorized) return undefined;
  let certificate = certificates.get(socket);
  if (!certificate) {
    certificate = readPeerSubject(socket.getPeerCertificate().subject);
    certificates.set(socket, certificate);
  }
  return certificate;
}

const certificates = new WeakMap<TLSSocket, ClientCertificate>();

/** Go's net/http answers by itself what it can't parse. */
const UNREADABLE: WholeAnswer = {
  type: 'whole',
  code: 400,
  mediaType: 'text/plain; charset=utf-8',
  body: Buffer.from('400 Bad Request'),
};

/** `/api/v1/watch` with nothing behind it. */
function withoutResource(path: string): WholeAnswer {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
  return {
    type: 'whole',
    code: 500,
    mediaType: 'text/plain; charset=utf-8',
    body: Buffer.from(`Internal Server Error: "${path}": ${why}\n`),
    headers: { 'X-Content-Type-Options': 'nosniff' },
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Node joins header lines of this name; the reference looks at the first line only. */
function firstAcceptEncoding(request: Request): string | undefined {
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'accept-encoding') return rawHeaders[i + 1];
  }
  return undefined;
}

function auditId(request: Request): string {
  return firstOf(request.headers['audit-id']) || randomUUID();
}
