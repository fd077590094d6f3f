// What a cell asks a server for: path, query and headers of its lists and watches.
import type { CellKey, Kind, Representation } from './matrix.ts';

/** `accept` and the path that is asked; `page`: how many items at most, and where it goes on. */
export type ListRequest = { uri: string; accept: string };

/** One list, from the watch cache as controllers ask for it. */
export function listRequest(cell: CellKey): ListRequest {
  const query = new URLSearchParams({ resourceVersion: '0' });
  if (cell.job === 'selector') query.set('labelSelector', SELECTOR);
  return { uri: target(cell, query), accept: ACCEPTS[cell.representation] };
}

/** Pages are asked for without a resourceVersion, so that all of them are of one snapshot. */
export function pageRequest(cell: CellKey, limit: number, next: string | undefined): ListRequest {
  const query = new URLSearchParams({ limit: String(limit) });
  if (next !== undefined) query.set('continue', next);
  return { uri: target(cell, query), accept: ACCEPTS[cell.representation] };
}

/** A watch that begins with what there is (KEP-3157), or with what comes after `resourceVersion`. */
export function watchRequest(cell: CellKey, resourceVersion: string | undefined): ListRequest {
  const query = new URLSearchParams(
    resourceVersion === undefined
      ? { watch: '1', sendInitialEvents: 'true', allowWatchBookmarks: 'true', ...NOT_OLDER }
      : { watch: '1', resourceVersion },
  );
  const accept = ACCEPTS[cell.representation].replace('PartialObjectMetadataList', 'PartialObjectMetadata');
  return { uri: target(cell, query), accept };
}

/** The first object a fill has made. */
export function firstObject(kind: Kind, namespace: string): string {
  const { root, resource, first } = PLACES[kind];
  return `${root}/namespaces/${namespace}/${resource}/${first}`;
}

export function collection(kind: Kind): string {
  return `${PLACES[kind].root}/${PLACES[kind].resource}`;
}

const NOT_OLDER = { resourceVersionMatch: 'NotOlderThan', resourceVersion: '' };

/** Selects one object of ten: fills give each a label with the last digit of its number. */
const SELECTOR = 'tenth=7';

const PLACES: Readonly<Record<Kind, { root: string; resource: string; first: string }>> = {
  configmaps: { root: '/api/v1', resource: 'configmaps', first: 'cm-000000' },
  pods: { root: '/api/v1', resource: 'pods', first: 'pod-000000' },
  customresources: { root: '/apis/example.test/v1', resource: 'widgets', first: 'w-000000' },
};

const META = 'v=v1;g=meta.k8s.io';
export const ACCEPTS: Readonly<Record<Representation, string>> = {
  json: 'application/json',
  pretty: 'application/json',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
  yaml: 'application/yaml',
  table: `application/json;as=Table;${META}`,
  metadata: `application/json;as=PartialObjectMetadataList;${META}`,
};

function target({ kind, representation }: CellKey, query: URLSearchParams): string {
  if (representation === 'pretty') query.set('pretty', 'true');
  return `${collection(kind)}?${query}`;
}
