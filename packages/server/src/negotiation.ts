// Which representation an answer gets: kube-apiserver's two looks at Accept, its rules for indenting and for gzip. Pure.
import { notAcceptable, notAcceptableRoute } from '@sluice/resources';
import { type Clause, parseAccept, routerAccepts } from './accept.ts';
import type { Query } from './api.ts';
import type { Gates } from './gates.ts';

export type Encoding = 'json' | 'yaml' | 'protobuf' | 'cbor';

/** What an encoding can be asked to show. `object` is lists, single objects and Status alike, `document` what tells of kinds. */
export type Form = 'object' | 'document' | 'watch' | 'table' | 'metadata' | 'discovery';

/** What each encoding is written for. One without any isn't offered: no list of types names it. */
export type Producible = Readonly<Record<Encoding, readonly Form[]>>;

/** An encoding or a form that is added gets its word here; until then nobody is given it. */
const PRODUCIBLE: Producible = {
  json: ['object', 'document', 'watch', 'discovery', 'table', 'metadata'],
  yaml: ['object', 'document', 'discovery', 'table', 'metadata'],
  protobuf: ['object', 'document', 'watch', 'discovery', 'metadata'],
  cbor: ['object', 'document', 'watch', 'discovery', 'metadata'],
};

export function producible(gates: Gates): Producible {
  return gates.CBORServingAndStorage ? PRODUCIBLE : { ...PRODUCIBLE, cbor: [] };
}

/** How the object is to be shown instead of as it is. */
export type Conversion = {
  kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'APIGroupDiscoveryList';
  version: string;
};

export type Representation = {
  encoding: Encoding;
  /** Content-Type of the answer, if it is no watch. */
  mediaType: string;
  /** Indented; only JSON can be. */
  pretty: boolean;
  as: Conversion | null;
};

/** What a request says about the answer it wants. `accept` and `acceptEncoding` are the first header line of the name. */
export type Wishes = { accept: string | undefined; userAgent: string | undefined; query: Query };

/** What is special about the place that is asked. */
export type Endpoint = {
  /** The router in front of built-in paths, by what it lets through; null: there is none. */
  router: 'lists' | 'objects' | null;
  converts: 'resources' | 'discovery' | 'nothing';
  shows: 'object' | 'document';
  /** Whether objects are offered as Protobuf. */
  hasProtobuf: boolean;
};

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const CBOR_TYPE = 'application/cbor';

type EncodingRow = {
  encoding: Encoding;
  mediaType: string;
  subtype: string;
  /** Content-Type of a watch. */
  streamMediaType: string | null;
  /** What refusals call it. */
  streamName: string | null;
};

/** In the order in which a wildcard finds them. */
const ENCODINGS: readonly EncodingRow[] = [
  {
    encoding: 'json',
    mediaType: JSON_TYPE,
    subtype: 'json',
    streamMediaType: JSON_TYPE,
    streamName: `${JSON_TYPE};stream=watch`,
  },
  { encoding: 'yaml', mediaType: YAML_TYPE, subtype: 'yaml', streamMediaType: null, streamName: null },
  {
    encoding: 'protobuf',
    mediaType: PROTOBUF_TYPE,
    subtype: 'vnd.kubernetes.protobuf',
    streamMediaType: `${PROTOBUF_TYPE};stream=watch`,
    streamName: `${PROTOBUF_TYPE};stream=watch`,
  },
  {
    encoding: 'cbor',
    mediaType: CBOR_TYPE,
    subtype: 'cbor',
    streamMediaType: `${CBOR_TYPE}-seq`,
    streamName: `${CBOR_TYPE}-seq`,
  },
];

/** Media types of the encodings that pass, in their order. */
export function mediaTypes(offered: (encoding: Encoding) => boolean): string[] {
  return ENCODINGS.filter(({ encoding }) => offered(encoding)).map(({ mediaType }) => mediaType);
}

function objectTypes(producible: Producible): string[] {
  return mediaTypes((encoding) => producible[encoding].length > 0);
}

function streamTypes(producible: Producible): string[] {
  const offered = ENCODINGS.filter(({ encoding }) => producible[encoding].length > 0);
  return offered.flatMap(({ streamName }) => streamName ?? []);
}

const BUILT_IN: Omit<Endpoint, 'router'> = { converts: 'resources', shows: 'object', hasProtobuf: true };
const DOCUMENT: Omit<Endpoint, 'router' | 'converts'> = { shows: 'document', hasProtobuf: true };

type EndpointName =
  | 'builtInList'
  | 'builtInObject'
  | 'custom'
  | 'discovery'
  | 'routedDiscovery'
  | 'document'
  | 'routedDocument';

export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  /** Lists, watches and collections' deletion differ from single objects in what the router's refusal names. */
  builtInList: { ...BUILT_IN, router: 'lists' },
  builtInObject: { ...BUILT_IN, router: 'objects' },
  custom: { router: null, converts: 'resources', shows: 'object', hasProtobuf: false },
  /** /api and /apis, the only paths that know the aggregated document. */
  discovery: { ...DOCUMENT, router: null, converts: 'discovery' },
  routedDiscovery: { ...DOCUMENT, router: 'objects', converts: 'discovery' },
  /** The other discovery documents. */
  document: { ...DOCUMENT, router: null, converts: 'nothing' },
  routedDocument: { ...DOCUMENT, router: 'objects', converts: 'nothing' },
};

/**
 * The first clause of Accept that can be met. For a watch an encoding that has a stream form must be able to
 * produce that one; one that has none at all is still chosen, and refused by streamMediaType() later.
 * @throws ApiError 406
 */
export function negotiate(
  wishes: Wishes,
  endpoint: Endpoint,
  producible: Producible,
  isWatch = false,
): Representation {
  const accept = wishes.accept?.trim() || '';
  if (accept !== '' && endpoint.router !== null) passRouter(accept, endpoint.router, producible);
  const chosen = choose(accept, endpoint, producible, isWatch);
  if (chosen === null) throw notAcceptable(objectTypes(producible));
  return represented(chosen, wishes);
}

function passRouter(accept: string, router: 'lists' | 'objects', producible: Producible): void {
  const types = objectTypes(producible);
  if (router === 'lists') types.push(...streamTypes(producible));
  if (!routerAccepts(accept, types)) throw notAcceptableRoute(types);
}

const ERROR_ENDPOINT: Endpoint = { ...BUILT_IN, router: null, converts: 'nothing' };

/** How an error is written; null: Accept can't be met, and the Status goes out as indented JSON whatever it says. */
export function negotiateError(wishes: Wishes, producible: Producible): Representation | null {
  const chosen = choose(wishes.accept?.trim() || '', ERROR_ENDPOINT, producible, false);
  return chosen === null ? null : represented(chosen, wishes);
}

/**
 * Content-Type of a watch. The reference asks this last, after all options are checked.
 * @throws ApiError 406
 */
export function streamMediaType(representation: Representation, producible: Producible): string {
  const row = ENCODINGS.find(({ encoding }) => encoding === representation.encoding);
  if (row === undefined || row.streamMediaType === null) throw notAcceptable(streamTypes(producible));
  return row.streamMediaType;
}

/** Exactly this token, in the first header line of that name: no quality, no wildcard, no other case. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '').split(',').some((token) => token.trim() === 'gzip');
}

type Choice = { row: EncodingRow; as: Conversion | null; isPretty: boolean };

function choose(accept: string, endpoint: Endpoint, producible: Producible, isWatch: boolean): Choice | null {
  const clauses = accept === '' ? parseAccept('*/*') : parseAccept(accept);
  for (const clause of clauses) {
    for (const row of ENCODINGS) {
      if (!names(clause, row)) continue;
      const choice = meet(clause, row, endpoint);
      if (choice !== null && isProducible(choice, endpoint, producible, isWatch)) return choice;
    }
  }
  return null;
}

function names({ type, subtype }: Clause, row: EncodingRow): boolean {
  if (type === '*') return subtype === '*';
  return type === 'application' && (subtype === '*' || subtype === row.subtype);
}

/** Whether the clause's parameters can be met by the encoding; parameters nobody knows are ignored. */
function meet({ parameters }: Clause, row: EncodingRow, endpoint: Endpoint): Choice | null {
  const stream = parameters.get('stream');
  if (stream !== undefined && (row.streamMediaType === null || stream !== 'watch')) return null;
  const serverVersion = parameters.get('sv');
  if (serverVersion !== undefined && (endpoint.converts !== 'resources' || serverVersion !== 'v1'))
    return null;
  const isPretty = parameters.get('pretty') === '1';
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) {
    return row.encoding === 'protobuf' && !endpoint.hasProtobuf ? null : { row, as: null, isPretty };
  }
  const as = conversion(parameters, row, endpoint);
  return as === null ? null : { row, as, isPretty };
}

function conversion(
  parameters: Clause['parameters'],
  row: EncodingRow,
  endpoint: Endpoint,
): Conversion | null {
  const [kind, group = '', version = ''] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  switch (kind) {
    case 'APIGroupDiscoveryList':
      if (endpoint.converts !== 'discovery' || group !== 'apidiscovery.k8s.io' || version !== 'v2')
        return null;
      return { kind, version };
    case 'Table':
      return isMeta(endpoint, group, version) && hasTables(row) ? { kind, version } : null;
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return isMeta(endpoint, group, version) ? { kind, version } : null;
    default:
      return null;
  }
}

function hasTables({ encoding }: EncodingRow): boolean {
  return encoding === 'json' || encoding === 'yaml';
}

function isMeta(endpoint: Endpoint, group: string, version: string): boolean {
  return (
    endpoint.converts === 'resources' &&
    group === 'meta.k8s.io' &&
    (version === 'v1' || version === 'v1beta1')
  );
}

const FORMS: Readonly<Record<Conversion['kind'], Form>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
  APIGroupDiscoveryList: 'discovery',
};

function isProducible(
  { row, as }: Choice,
  endpoint: Endpoint,
  producible: Producible,
  isWatch: boolean,
): boolean {
  const forms = producible[row.encoding];
  if (isWatch && row.streamMediaType !== null && !forms.includes('watch')) return false;
  return forms.includes(as === null ? endpoint.shows : FORMS[as.kind]);
}

function represented({ row, as, isPretty }: Choice, wishes: Wishes): Representation {
  const pretty = row.encoding === 'json' && (isPretty || wantsPretty(wishes));
  return { encoding: row.encoding, mediaType: row.mediaType, pretty, as };
}

const TRUE_SPELLINGS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const PRETTY_AGENTS = ['curl', 'Wget', 'Mozilla/5.0'] as const;

/** What the query says counts before who asks. */
function wantsPretty({ query, userAgent }: Wishes): boolean {
  const asked = query.first('pretty');
  if (asked !== undefined && asked !== '') return TRUE_SPELLINGS.has(asked);
  return PRETTY_AGENTS.some((agent) => userAgent?.startsWith(agent));
}
