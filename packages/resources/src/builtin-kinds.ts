// The kinds kube-apiserver 1.37 serves by itself: discovery's rows, completed by where and in which form objects are stored.

import { KIND_ROWS } from './generated/kinds.ts';
import type { Codec, Kind, Subresource, Verb } from './kind.ts';
import { builtInCodec } from './schema/built-in.ts';

/** What discovery says of a kind. */
export type KindRow = {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  namespaced: boolean;
  verbs: readonly Verb[];
  subresources: readonly Subresource[];
};

/** Where kube-apiserver's etcd layout isn't `/registry/<plural>/`. */
const STORAGE_PREFIXES: Readonly<Record<string, string>> = {
  replicationcontrollers: '/registry/controllers/',
  endpoints: '/registry/services/endpoints/',
  services: '/registry/services/specs/',
  nodes: '/registry/minions/',
  'ingresses.networking.k8s.io': '/registry/ingress/',
  'customresourcedefinitions.apiextensions.k8s.io':
    '/registry/apiextensions.k8s.io/customresourcedefinitions/',
  'apiservices.apiregistration.k8s.io': '/registry/apiregistration.k8s.io/apiservices/',
};

/** Kinds served in two forms: the one their objects are stored in. */
const STORAGE_VERSIONS: Readonly<Record<string, string>> = {
  'events.events.k8s.io': 'v1',
  'horizontalpodautoscalers.autoscaling': 'autoscaling/v2',
};

const DEPRECATIONS: Readonly<Record<string, string>> = {
  componentstatuses: 'v1 ComponentStatus is deprecated in v1.19+',
  endpoints: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

export function builtInKinds(): Kind[] {
  return KIND_ROWS.map(completed);
}

function completed(row: KindRow): Kind {
  let codec: Codec | undefined;
  const resource = row.group === '' ? row.plural : `${row.plural}.${row.group}`;
  return {
    ...row,
    listKind: `${row.kind}List`,
    storagePrefix: isStored(row) ? (STORAGE_PREFIXES[resource] ?? `/registry/${row.plural}/`) : '',
    storageVersion: STORAGE_VERSIONS[resource] ?? groupVersion(row),
    custom: false,
    ...(DEPRECATIONS[resource] !== undefined && { deprecation: DEPRECATIONS[resource] }),
    // Compiling 77 codecs takes time and memory; most are never used.
    get codec(): Codec {
      codec ??= builtInCodec(typeName(row), row);
      return codec;
    },
  };
}

/** Reviews and bindings are questions and orders: they can be created, and nothing remains. componentstatuses are computed. */
function isStored(row: KindRow): boolean {
  return row.verbs.includes('create') && row.verbs.includes('list');
}

function groupVersion(row: KindRow): string {
  return row.group === '' ? row.version : `${row.group}/${row.version}`;
}

/** `core/v1.Pod`: the Go package's last parts, as the field tables name types. */
function typeName(row: KindRow): string {
  return `${row.group.split('.')[0] || 'core'}/${row.version}.${row.kind}`;
}
