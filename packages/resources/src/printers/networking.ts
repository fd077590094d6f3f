// Rows of what leads traffic: Service, Endpoints, EndpointSlice, Ingress, IngressClass, NetworkPolicy, IPAddress, ServiceCIDR.
import { members } from '../tree.ts';
import { age } from './age.ts';
import { firstFew, labelsText, NONE, sortedSet, UNKNOWN, UNSET } from './cell-text.ts';
import type { Picked } from './pick.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';
import { selectorText } from './selector-text.ts';

/** How many hosts, addresses or ports a cell shows. */
const SHOWN = 3;

const BALANCER = { loadBalancer: { ingress: [{ ip: 'text', hostname: 'text' }] } } as const;

const SERVICE = {
  metadata: METADATA,
  spec: {
    type: 'text',
    clusterIPs: ['text'],
    externalIPs: ['text'],
    externalName: 'text',
    ports: [{ port: 'number', nodePort: 'number', protocol: 'text' }],
    selector: 'tree',
  },
  status: BALANCER,
} as const;

export const serviceRow: RowPrinter = rowPrinter(SERVICE, (service) => {
  const { metadata, spec } = service;
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort = 0, protocol = '' }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return [
    metadata?.name ?? '',
    spec?.type ?? '',
    spec?.clusterIPs?.[0] ?? NONE,
    externalAddress(service),
    ports.join(',') || NONE,
    age(metadata?.creationTimestamp),
    labelsText(spec?.selector),
  ];
});

function externalAddress({ spec, status }: Picked<typeof SERVICE>): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length === 0 ? NONE : external.join(',');
    case 'LoadBalancer':
      return [...balancers(status), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

function balancers(status: Picked<typeof BALANCER> | undefined): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return sortedSet(ingress.map(({ ip, hostname }) => ip || hostname || '').filter((name) => name !== ''));
}

export const endpointsRow: RowPrinter = rowPrinter(
  { metadata: METADATA, subsets: [{ addresses: [{ ip: 'text' }], ports: [{ port: 'number' }] }] },
  ({ metadata, subsets = [] }) => {
    const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip }) => ip ?? '')
        : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostAndPort(ip ?? '', port ?? 0))),
    );
    return [
      metadata?.name ?? '',
      subsets.length === 0 ? NONE : firstFew(all, SHOWN),
      age(metadata?.creationTimestamp),
    ];
  },
);

function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export const endpointSliceRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    addressType: 'text',
    endpoints: [{ addresses: ['text'] }],
    ports: [{ name: 'text', port: 'number' }],
  },
  ({ metadata, addressType, endpoints = [], ports = [] }) => [
    metadata?.name ?? '',
    addressType ?? '',
    firstFew(
      ports.map(({ name, port }) => (port === undefined ? (name ?? '') : String(port))),
      SHOWN,
    ) || UNSET,
    firstFew(
      endpoints.flatMap(({ addresses }) => addresses ?? []),
      SHOWN,
    ) || UNSET,
    age(metadata?.creationTimestamp),
  ],
);

export const ingressRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { ingressClassName: 'text', rules: [{ host: 'text' }], tls: 'size' },
    status: BALANCER,
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.ingressClassName ?? NONE,
    hostsText((spec?.rules ?? []).map(({ host }) => host ?? '')),
    balancers(status).join(','),
    spec?.tls ? '80, 443' : '80',
    age(metadata?.creationTimestamp),
  ],
);

/** Rules without a host aren't shown but count among the rest. */
function hostsText(hosts: readonly string[]): string {
  let shown: string[] = [];
  let more = false;
  for (const host of hosts) {
    more ||= shown.length === SHOWN;
    if (!more && host !== '') shown = [...shown, host];
  }
  const text = shown.join(',') || '*';
  return more ? `${text} + ${hosts.length - SHOWN} more...` : text;
}

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

export const ingressClassRow: RowPrinter = rowPrinter(
  {
    metadata: { ...METADATA, annotations: 'tree' },
    spec: { controller: 'text', parameters: { apiGroup: 'text', kind: 'text', name: 'text' } },
  },
  ({ metadata, spec }) => [
    members(metadata?.annotations).get(DEFAULT_CLASS) === 'true'
      ? `${metadata?.name ?? ''} (default)`
      : (metadata?.name ?? ''),
    spec?.controller ?? '',
    parametersText(spec?.parameters),
    age(metadata?.creationTimestamp),
  ],
);

function parametersText(parameters: { apiGroup?: string; kind?: string; name?: string } | undefined): string {
  if (parameters === undefined) return NONE;
  const { apiGroup, kind = '', name = '' } = parameters;
  return apiGroup === undefined ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`;
}

export const networkPolicyRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { podSelector: 'tree' } },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    selectorText(spec?.podSelector),
    age(metadata?.creationTimestamp),
  ],
);

export const ipAddressRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { parentRef: { group: 'text', resource: 'text', namespace: 'text', name: 'text' } },
  },
  // One cell more than it has columns.
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    parentText(spec?.parentRef),
    age(metadata?.creationTimestamp),
  ],
);

function parentText(
  parent: { group?: string; resource?: string; namespace?: string; name?: string } | undefined,
): string {
  if (parent === undefined) return NONE;
  const { group, resource = '', namespace, name = '' } = parent;
  const type = group ? `${resource}.${group}` : resource;
  return namespace ? `${type}/${namespace}/${name}` : `${type}/${name}`;
}

export const serviceCidrRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { cidrs: ['text'] } },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    (spec?.cidrs ?? []).join(','),
    age(metadata?.creationTimestamp),
  ],
);
