// The documents that tell which kinds there are, in the older form and in the aggregated one, as kept bytes.
import { createHash } from 'node:crypto';
import { indentJson, type JsonObject, type JsonValue, printJson } from '@sluice/encoding';
import { encodeDiscoveryProtobuf, type Kind, type Kinds } from '@sluice/resources';
import type { WholeAnswer } from './api.ts';
import { ENDPOINTS, negotiate, type Producible, type Representation, type Wishes } from './negotiation.ts';
import { spelled } from './representation/spelling.ts';
import type { DiscoveryPath } from './request.ts';

export type DiscoveryRequest = {
  wishes: Wishes;
  ifNoneMatch: string | undefined;
};

export interface Discovery {
  /** @throws ApiError 406 */
  answer(document: DiscoveryPath, request: DiscoveryRequest, producible: Producible): WholeAnswer;
  /** Every path with a document, for the index at `/`. */
  paths(): string[];
}

/** Documents are made when first asked for, and again after kinds have changed. `serverAddress`: `host:port`, once it listens. */
export function openDiscovery(kinds: Kinds, serverAddress: () => string): Discovery {
  const kept = new Map<string, Document>();
  kinds.onChange(() => kept.clear());

  function keep(name: string, make: () => JsonObject): Document {
    let document = kept.get(name);
    if (document === undefined) {
      document = { json: printJson(make()), bodies: new Map() };
      kept.set(name, document);
    }
    return document;
  }

  return {
    answer(path, request, producible) {
      const representation = negotiate(request.wishes, endpointOf(path), producible);
      if (representation.as !== null) {
        const groups = path.of === 'core' ? [''] : kinds.groups().filter((group) => group !== '');
        const document = keep(`${path.of} aggregated`, () => aggregatedDocument(kinds, groups));
        return aggregatedAnswer(document, representation, request.ifNoneMatch);
      }
      const document = keep(documentName(path), () => olderDocument(kinds, path, serverAddress()));
      const body = bodyOf(document, representation);
      return { type: 'whole', code: 200, mediaType: representation.mediaType, body };
    },
    paths: () => discoveryPaths(kinds),
  };
}

/** `etag` is made on first use: only aggregated documents need one. So is what each representation makes of it. */
type Document = { json: Uint8Array; etag?: string; bodies: Map<string, Uint8Array> };

function endpointOf(path: DiscoveryPath): (typeof ENDPOINTS)[keyof typeof ENDPOINTS] {
  if (path.of === 'core' || path.of === 'groups') {
    return path.isRouted ? ENDPOINTS.routedDiscovery : ENDPOINTS.discovery;
  }
  return path.isRouted ? ENDPOINTS.routedDocument : ENDPOINTS.document;
}

function documentName(path: DiscoveryPath): string {
  if (path.of === 'version') return `version ${groupVersion(path.group, path.version)}`;
  return path.of === 'group' ? `group ${path.group}` : path.of;
}

function bodyOf({ json, bodies }: Document, representation: Representation): Uint8Array {
  const { encoding, pretty } = representation;
  const name = pretty ? 'pretty' : encoding;
  let body = bodies.get(name);
  if (body === undefined) {
    body = encoding === 'protobuf' ? encodeDiscoveryProtobuf(json) : spelled(json, representation);
    bodies.set(name, body);
  }
  return body;
}

const AGGREGATED_PARAMETERS = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function aggregatedAnswer(
  document: Document,
  representation: Representation,
  ifNoneMatch: string | undefined,
): WholeAnswer {
  document.etag ??= `"${createHash('sha512').update(document.json).digest('hex').toUpperCase()}"`;
  const headers = { ETag: document.etag, Vary: 'Accept', 'Cache-Control': 'public' };
  if (ifNoneMatch === document.etag) {
    return { type: 'whole', code: 304, mediaType: '', body: new Uint8Array(), headers };
  }
  const body = bodyOf(document, representation);
  const mediaType = representation.mediaType + AGGREGATED_PARAMETERS;
  return { type: 'whole', code: 200, mediaType, body, headers };
}

function olderDocument(kinds: Kinds, path: DiscoveryPath, serverAddress: string): JsonObject {
  switch (path.of) {
    case 'core': {
      const address = object({ clientCIDR: '0.0.0.0/0', serverAddress });
      const versions = [...kinds.versionsOf('')];
      return object({ kind: 'APIVersions', versions, serverAddressByClientCIDRs: [address] });
    }
    case 'groups': {
      const groups = kinds.groups().filter((group) => group !== '');
      return object({
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: groups.map((group) => object(groupMembers(kinds, group))),
      });
    }
    case 'group':
      return object({ kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(kinds, path.group) });
    case 'version':
      return versionDocument(kinds, path.group, path.version);
  }
}

function groupMembers(kinds: Kinds, group: string): Record<string, JsonValue> {
  const versions = kinds
    .versionsOf(group)
    .map((version) => object({ groupVersion: groupVersion(group, version), version }));
  return { name: group, versions, preferredVersion: versions[0] ?? null };
}

/** The core group's list has no apiVersion, for the sake of clients older than it. */
function versionDocument(kinds: Kinds, group: string, version: string): JsonObject {
  const resources = kinds
    .inVersion(group, version)
    .flatMap((kind) => [resource(kind), ...subresources(kind)]);
  const head = { kind: 'APIResourceList', ...(group !== '' && { apiVersion: 'v1' }) };
  return object({ ...head, groupVersion: groupVersion(group, version), resources });
}

function resource(kind: Kind): JsonObject {
  return object({
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: [...kind.verbs],
    ...optionalNames(kind),
    ...(kind.verbs.includes('watch') && { storageVersionHash: storageVersionHash(kind) }),
  });
}

function subresources(kind: Kind): JsonObject[] {
  return kind.subresources.map((subresource) =>
    object({
      name: `${kind.plural}/${subresource.name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...(!isSameVersion(subresource, kind) && { group: subresource.group, version: subresource.version }),
      kind: subresource.kind,
      verbs: [...subresource.verbs],
    }),
  );
}

/** Kinds that kube-apiserver 1.37 still stores in a beta form, by what it says of them. */
const HASHED_VERSIONS: Readonly<Record<string, string>> = {
  ClusterTrustBundle: 'certificates.k8s.io/v1beta1',
  PodCertificateRequest: 'certificates.k8s.io/v1beta1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1beta1',
  DeviceTaintRule: 'resource.k8s.io/v1beta2',
  StorageVersionMigration: 'storagemigration.k8s.io/v1beta1',
};

/** Tells clients when a kind's stored form changes: 8 bytes of the hash of what it is stored as. */
function storageVersionHash(kind: Kind): string {
  const version = (kind.custom ? undefined : HASHED_VERSIONS[kind.kind]) ?? kind.storageVersion;
  const stored = version.includes('/') ? version : `/${version}`;
  const hash = createHash('sha256').update(`${stored}/${kind.kind}`).digest();
  return hash.subarray(0, 8).toString('base64');
}

function aggregatedDocument(kinds: Kinds, groups: readonly string[]): JsonObject {
  return object({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: object({}),
    items: groups.map((group) =>
      object({
        metadata: object(group === '' ? {} : { name: group }),
        versions: kinds.versionsOf(group).map((version) =>
          object({
            version,
            resources: kinds.inVersion(group, version).map(aggregatedResource),
            freshness: 'Current',
          }),
        ),
      }),
    ),
  });
}

function aggregatedResource(kind: Kind): JsonObject {
  const listed = kind.subresources.map((subresource) =>
    object({
      subresource: subresource.name,
      responseKind: responseKind(subresource, kind),
      verbs: [...subresource.verbs],
    }),
  );
  return object({
    resource: kind.plural,
    responseKind: responseKind(kind, kind),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: [...kind.verbs],
    ...optionalNames(kind),
    ...(listed.length > 0 && { subresources: listed }),
  });
}

type VersionedKind = { group: string; version: string; kind: string };

/** A built-in kind's own group and version are left empty. */
function responseKind({ group, version, kind }: VersionedKind, within: Kind): JsonObject {
  const isOwn = !within.custom && isSameVersion({ group, version }, within);
  return object(isOwn ? { group: '', version: '', kind } : { group, version, kind });
}

function isSameVersion(a: Omit<VersionedKind, 'kind'>, b: Kind): boolean {
  return a.group === b.group && a.version === b.version;
}

function optionalNames({ shortNames, categories }: Kind): Record<string, JsonValue> {
  return {
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
  };
}

function discoveryPaths(kinds: Kinds): string[] {
  const named = kinds.groups().filter((group) => group !== '');
  const ofGroups = named.flatMap((group) => [
    `/apis/${group}`,
    ...kinds.versionsOf(group).map((version) => `/apis/${group}/${version}`),
  ]);
  return [
    '/api',
    ...kinds.versionsOf('').map((version) => `/api/${version}`),
    '/apis',
    '/apis/',
    ...ofGroups,
  ];
}

/** What `/` answers: all paths that answer. */
export function answerIndex(paths: readonly string[]): WholeAnswer {
  const body = indentJson(printJson(object({ paths: [...paths].sort() })));
  return { type: 'whole', code: 200, mediaType: 'application/json', body };
}

export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Keys in the order they are written; none of them is a number, which JavaScript would put first. */
function object(members: Record<string, JsonValue>): JsonObject {
  return new Map(Object.entries(members));
}
