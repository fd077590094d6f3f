// /openapi/v3: an index and one document for each version. /openapi/v2: an empty document, so that old clients don't check by themselves.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type JsonObject, printJson } from '@sluice/encoding';
import type { Kind, Kinds } from '@sluice/resources';
import { type Clause, parseAccept } from './accept.ts';
import type { Query, WholeAnswer } from './api.ts';
import { OPENAPI_INFO_VERSION, versionDocument } from './openapi-document.ts';

export type OpenApiRequest = {
  path: string;
  query: Query;
  accept: string | undefined;
  ifNoneMatch: string | undefined;
};

export interface OpenApi {
  answer(request: OpenApiRequest): Promise<WholeAnswer>;
}

/** Documents are made when first asked for, and again when a kind of theirs has changed. */
export function openOpenApi(kinds: Kinds): OpenApi {
  const kept = new Map<string, Document>();

  function document(group: string, version: string): Document {
    const path = versionPath(group, version);
    const of = kinds.inVersion(group, version);
    const known = kept.get(path);
    if (known !== undefined && isSame(known.kinds, of)) return known;
    const json = versionDocument(`/${path}`, of);
    const made = { kinds: of, json, hash: hashOf(json) };
    kept.set(path, made);
    return made;
  }

  /** One document a turn of the event loop: all of them at once would hold up everybody else. */
  async function index(): Promise<WholeAnswer> {
    const paths: JsonObject = new Map();
    for (const group of [...kinds.groups()].sort()) {
      for (const version of [...kinds.versionsOf(group)].sort()) {
        const path = versionPath(group, version);
        if (!kept.has(path)) await setImmediate();
        const { hash } = document(group, version);
        paths.set(path, new Map([['serverRelativeURL', `/openapi/v3/${path}?hash=${hash}`]]));
      }
    }
    for (const path of kept.keys()) if (!paths.has(path)) kept.delete(path);
    const body = printJson(new Map([['paths', paths]]));
    return { type: 'whole', code: 200, mediaType: 'text/plain; charset=utf-8', body };
  }

  return {
    async answer(request) {
      if (request.path === '/openapi/v2') return answerV2(request);
      if (request.path === '/openapi/v3') return index();
      const [, , , prefix = '', ...rest] = request.path.split('/');
      const [group = '', version = ''] = prefix === 'api' ? ['', ...rest] : rest;
      const isServed =
        prefix === (group === '' ? 'api' : 'apis') && kinds.inVersion(group, version).length > 0;
      if (!isServed || request.path !== `/openapi/v3/${versionPath(group, version)}`) return empty(404);
      return answerVersion(request, document(group, version));
    },
  };
}

type Document = { kinds: readonly Kind[]; json: Uint8Array; hash: string };

function versionPath(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function isSame(before: readonly Kind[], now: readonly Kind[]): boolean {
  return before.length === now.length && before.every((kind, index) => kind === now[index]);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** A year: an address with the right hash never tells anything else. */
const KEPT_MS = 365 * 24 * 60 * 60 * 1000;

function answerVersion(
  { path, query, accept, ifNoneMatch }: OpenApiRequest,
  document: Document,
): WholeAnswer {
  if (!accepts(accept, 'json')) return empty(406, { Vary: 'Accept' });
  const headers: Record<string, string> = { ETag: `"${document.hash}"`, Vary: 'Accept' };
  const asked = query.first('hash') ?? '';
  if (asked !== '' && asked !== document.hash) {
    return empty(301, { ...headers, Location: `${path}?hash=${document.hash}` });
  }
  if (asked !== '') {
    headers['Cache-Control'] = 'public, immutable';
    headers.Expires = new Date(Date.now() + KEPT_MS).toUTCString();
  }
  if (ifNoneMatch === headers.ETag) return empty(304, headers);
  return { type: 'whole', code: 200, mediaType: JSON_TYPE, body: document.json, headers };
}

const JSON_TYPE = 'application/json';

/** kubectl up to 1.26 asks in this form. Kinds that the document doesn't have, it lets the server check. */
const V2_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V2_PROTOBUF_SUBTYPES: ReadonlySet<string> = new Set([
  'com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'com.github.proto-openapi.spec.v2.v1.0+protobuf',
]);

const V2_JSON = Buffer.from(
  `{"swagger":"2.0","info":{"title":"Kubernetes","version":"${OPENAPI_INFO_VERSION}"},"paths":{}}`,
);
/** The same as openapi.v2.Document: 1 swagger, 2 info { 1 title, 2 version }, 8 paths. */
const V2_PROTOBUF = Buffer.concat([
  field(1, Buffer.from('2.0')),
  field(2, Buffer.concat([field(1, Buffer.from('Kubernetes')), field(2, Buffer.from(OPENAPI_INFO_VERSION))])),
  field(8, Buffer.alloc(0)),
]);

/** A length-delimited field; everything here is shorter than 128 bytes. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
}

function answerV2({ accept, ifNoneMatch }: OpenApiRequest): WholeAnswer {
  const headers = { ETag: `"${hashOf(V2_JSON)}"`, Vary: 'Accept-Encoding, Accept' };
  const chosen = clauses(accept).find((clause) => isJson(clause) || isV2Protobuf(clause));
  if (chosen === undefined) return empty(406, { Vary: headers.Vary });
  if (ifNoneMatch === headers.ETag) return empty(304, headers);
  const [mediaType, body] = isJson(chosen) ? [JSON_TYPE, V2_JSON] : [V2_PROTOBUF_TYPE, V2_PROTOBUF];
  return { type: 'whole', code: 200, mediaType, body, headers };
}

function accepts(accept: string | undefined, subtype: string): boolean {
  return clauses(accept).some((clause) => isType(clause, subtype));
}

function clauses(accept: string | undefined): Clause[] {
  return parseAccept(accept === undefined || accept.trim() === '' ? '*/*' : accept);
}

function isJson(clause: Clause): boolean {
  return isType(clause, 'json');
}

function isType(clause: Clause, subtype: string): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  return clause.type === 'application' && (clause.subtype === '*' || clause.subtype === subtype);
}

function isV2Protobuf({ type, subtype }: Clause): boolean {
  return type === 'application' && V2_PROTOBUF_SUBTYPES.has(subtype);
}

function empty(code: number, headers: Record<string, string> = {}): WholeAnswer {
  return { type: 'whole', code, mediaType: '', body: new Uint8Array(), headers };
}
