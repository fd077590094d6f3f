// One request from its first header to its answer's last byte: who asks, whether they may, where it goes, and what is said if it fails.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import {
  ApiError,
  badRequest,
  encodeStatus,
  encodeStatusPretty,
  internalError,
  tooLarge,
} from '@sluice/resources';
import type { Answer, ApiRequest } from './api.ts';
import { authenticate, readPeerSubject, type Tokens } from './authentication.ts';
import { refusal } from './authorization.ts';
import type { Dispatch } from './dispatch.ts';
import { impersonated } from './impersonation.ts';
import { acceptsGzip, negotiateError, PRODUCIBLE, type Wishes } from './negotiation.ts';
import type { Parts } from './parts.ts';
import { parseQuery, unescapePercents } from './query.ts';
import { readRequestInfo } from './request-info.ts';
import { readRequestTimeout } from './request-timeout.ts';
import { CutError, GoneError, type Response, type SendOptions, send } from './response.ts';

type Request = IncomingMessage | Http2ServerRequest;

/** Request bodies; the reference's limit. */
export const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

export type ExchangeOptions = { dispatch: Dispatch; parts: Parts; tokens: Tokens; stopping: AbortSignal };

export interface Exchanges {
  handle(request: Request, response: Response): void;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

export function openExchanges(options: ExchangeOptions): Exchanges {
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

/** Never rejects: whatever goes wrong is answered, or ends the stream. */
async function exchange(request: Request, response: Response, options: ExchangeOptions): Promise<void> {
  const gone = new AbortController();
  for (const event of ['close', 'error']) response.on(event, () => gone.abort());
  request.on('aborted', () => gone.abort());
  const [path = '', rawQuery = ''] = splitTarget(request.url ?? '/');
  const query = parseQuery(rawQuery);
  const wishes: Wishes = {
    accept: firstOf(request.headers.accept),
    userAgent: firstOf(request.headers['user-agent']),
    query,
  };
  const apiRequest: ApiRequest = {
    method: request.method ?? 'GET',
    path,
    query,
    headers: request.headers,
    user: { name: '', uid: '', groups: [] },
    warnings: [],
    readBody: () => readBody(request),
    signal: AbortSignal.any([gone.signal, options.stopping]),
  };
  const sendOptions: SendOptions = {
    gzip: acceptsGzip(firstAcceptEncoding(request)),
    pretty: false,
    headersOnly: apiRequest.method === 'HEAD',
    headers: { 'Audit-Id': auditId(request), 'Cache-Control': 'no-cache, private' },
    warnings: apiRequest.warnings,
  };
  try {
    const answer = await answerOf(request, apiRequest, wishes, options);
    await send(response, answer.answer, { ...sendOptions, pretty: answer.pretty });
  } catch (error) {
    if (error instanceof GoneError || error instanceof CutError) return;
    await send(response, errorAnswer(error, wishes), sendOptions).catch(() => response.destroy());
  }
}

type Shaped = { answer: Answer; pretty: boolean };

async function answerOf(
  request: Request,
  apiRequest: ApiRequest,
  wishes: Wishes,
  { dispatch, tokens }: ExchangeOptions,
): Promise<Shaped> {
  const socket = request.socket as TLSSocket;
  const certificate = socket.authorized ? readPeerSubject(socket.getPeerCertificate().subject) : undefined;
  const { authorization } = request.headers;
  const user = authenticate({ certificate, authorization }, tokens, apiRequest.warnings);
  readRequestTimeout(apiRequest.query);
  const path = unescapePercents(apiRequest.path);
  if (path === null) throw badRequest('invalid URL escape');
  const info = readRequestInfo(apiRequest.method, path, apiRequest.query);
  if (!info) throw internalError('missing resource');
  apiRequest.user = impersonated(user, request.headers, info);
  const refused = refusal(apiRequest.user, info);
  if (refused) throw refused;
  return dispatch.answer(info, apiRequest, wishes);
}

/** A Status in the representation asked for, or as indented JSON if there is none. */
function errorAnswer(error: unknown, wishes: Wishes): Answer {
  const apiError =
    error instanceof ApiError ? error : internalError(String((error as Error)?.message ?? error));
  const representation = negotiateError(wishes, PRODUCIBLE);
  const body =
    representation === null || representation.pretty
      ? encodeStatusPretty(apiError.status)
      : encodeStatus(apiError.status);
  return {
    type: 'whole',
    code: apiError.code,
    mediaType: 'application/json',
    body,
    headers: apiError.headers,
  };
}

async function readBody(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw tooLarge(`limit is ${BODY_MAX_BYTES}`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function splitTarget(target: string): [string, string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
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
