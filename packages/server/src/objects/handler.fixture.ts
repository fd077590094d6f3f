// A store in memory with its cache and all built-in kinds, and requests to the handlers as a client would make them.
import { openWatchCache } from '@sluice/cache';
import { ApiError, encodeStatus, openKinds } from '@sluice/resources';
import { openMemoryStore } from '@sluice/storage';
import type { Answer, ApiRequest } from '../api.ts';
import { readable } from '../body-type.ts';
import { DEFAULT_GATES } from '../gates.ts';
import { objectPieces } from '../object-bytes.ts';
import { openParts, type Parts } from '../parts.ts';
import { parseQuery } from '../query.ts';
import { route } from '../request.ts';
import { readRequestInfo } from '../request-info.ts';
import { openNamespaces } from './namespaces.ts';
import { answerObject } from './objects.ts';

export type Told = { code: number; body: string; json: Json; warnings: readonly string[] };
/** What JSON.parse gives; tests say what they expect in there. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of any shape.
export type Json = any;

export interface Client {
  readonly parts: Parts;
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Told>;
  close(): Promise<void>;
}

/** With the first namespaces; one that is deleted is emptied after `emptiedAfterMs`. */
export async function openClient(emptiedAfterMs = 0): Promise<Client> {
  const store = await openMemoryStore();
  const cache = await openWatchCache(store, { encodedCacheBytes: 0 });
  const parts = await openParts(store, cache, openKinds(), DEFAULT_GATES);
  const namespaces = await openNamespaces(parts, emptiedAfterMs);
  return {
    parts,
    send: (method, path, body, contentType) => send(parts, method, path, body, contentType),
    async close() {
      await namespaces.close();
      parts.threads.close();
      cache.close();
      await store.close();
    },
  };
}

async function send(
  parts: Parts,
  method: string,
  url: string,
  body: unknown,
  contentType = 'application/json',
): Promise<Told> {
  const [path = '', rawQuery = ''] = url.split('?');
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const request: ApiRequest = {
    method,
    path,
    query: parseQuery(rawQuery),
    headers: { 'content-type': contentType },
    user: { name: 'test', uid: '', groups: [] },
    readable: readable(DEFAULT_GATES),
    readBody: async () => Buffer.from(text),
    signal: new AbortController().signal,
    warnings: [],
  };
  const info = readRequestInfo(method, path, request.query)!;
  const routed = route(info, method, parts.kinds);
  if (routed.to === 'error') return told(request, routed.error.code, encodeStatus(routed.error.status));
  if (routed.to !== 'resource') return told(request, 404, Buffer.from('null'));
  try {
    return toldAnswer(request, await answerObject(parts, routed.target, request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return told(request, error.code, encodeStatus(error.status));
  }
}

function toldAnswer(request: ApiRequest, answer: Answer): Told {
  if (answer.type === 'status') return told(request, answer.code, encodeStatus(answer.status));
  if (answer.type !== 'object') throw new Error(`unexpected answer of type ${answer.type}`);
  return told(request, answer.code, Buffer.concat(objectPieces(answer.kind, answer.item)));
}

function told({ warnings }: ApiRequest, code: number, bytes: Uint8Array): Told {
  const body = Buffer.from(bytes).toString();
  return { code, body, json: JSON.parse(body), warnings };
}
