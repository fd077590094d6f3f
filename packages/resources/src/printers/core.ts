// Rows of the core group's small kinds: Namespace, ConfigMap, Secret, ServiceAccount, ResourceQuota, Node, ComponentStatus.
import { type JsonValue, sortedKeys } from '@sluice/encoding';
import { members, text } from '../tree.ts';
import { age } from './age.ts';
import { NONE, sortedSet, UNKNOWN } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const namespaceRow: RowPrinter = rowPrinter(
  { metadata: METADATA, status: { phase: 'text' } },
  ({ metadata, status }) => [metadata?.name ?? '', status?.phase ?? '', age(metadata?.creationTimestamp)],
);

export const configMapRow: RowPrinter = rowPrinter(
  { metadata: METADATA, data: 'size', binaryData: 'size' },
  ({ metadata, data, binaryData }) => [
    metadata?.name ?? '',
    (data ?? 0) + (binaryData ?? 0),
    age(metadata?.creationTimestamp),
  ],
);

export const secretRow: RowPrinter = rowPrinter(
  { metadata: METADATA, type: 'text', data: 'size' },
  ({ metadata, type, data }) => [
    metadata?.name ?? '',
    type ?? '',
    data ?? 0,
    age(metadata?.creationTimestamp),
  ],
);

/** ServiceAccount, DeviceClass, ResourceClaimTemplate: the name and the age. */
export const plainRow: RowPrinter = rowPrinter({ metadata: METADATA }, ({ metadata }) => [
  metadata?.name ?? '',
  age(metadata?.creationTimestamp),
]);

/** The zero time, where a time is shown as it is. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

/** Kinds without a printer of their own: the name, and when it was created. */
export const createdRow: RowPrinter = rowPrinter({ metadata: METADATA }, ({ metadata }) => [
  metadata?.name ?? '',
  metadata?.creationTimestamp ?? ZERO_TIME,
]);

export const resourceQuotaRow: RowPrinter = rowPrinter(
  { metadata: METADATA, status: { hard: 'tree', used: 'tree' } },
  ({ metadata, status }) => {
    const hard = members(status?.hard);
    const names = sortedKeys(hard);
    const isLimit = (name: string): boolean => name.startsWith('limits.');
    const usage = (name: string): string =>
      `${name}: ${quantity(members(status?.used).get(name))}/${quantity(hard.get(name))}`;
    return [
      metadata?.name ?? '',
      names
        .filter((name) => !isLimit(name))
        .map(usage)
        .join(', '),
      names.filter(isLimit).map(usage).join(', '),
      age(metadata?.creationTimestamp),
    ];
  },
);

/** A quantity that isn't there is zero. */
function quantity(value: JsonValue | undefined): string {
  return text(value) || '0';
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodeRow: RowPrinter = rowPrinter(
  {
    metadata: { ...METADATA, labels: 'tree' },
    spec: { unschedulable: 'flag' },
    status: {
      conditions: [{ type: 'text', status: 'text' }],
      addresses: [{ type: 'text', address: 'text' }],
      nodeInfo: {
        kubeletVersion: 'text',
        osImage: 'text',
        kernelVersion: 'text',
        architecture: 'text',
        containerRuntimeVersion: 'text',
      },
    },
  },
  ({ metadata, spec, status }) => {
    const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
    const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
    const address = (wanted: string): string =>
      status?.addresses?.find(({ type }) => type === wanted)?.address ?? NONE;
    const info = status?.nodeInfo;
    const kernel = info?.kernelVersion || UNKNOWN;
    return [
      metadata?.name ?? '',
      spec?.unschedulable === true ? `${word},SchedulingDisabled` : word,
      rolesOf(metadata?.labels).join(',') || NONE,
      age(metadata?.creationTimestamp),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info?.osImage || UNKNOWN,
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      info?.containerRuntimeVersion || UNKNOWN,
    ];
  },
);

function rolesOf(labels: JsonValue | undefined): string[] {
  const roles: string[] = [];
  for (const [key, value] of members(labels)) {
    if (key.startsWith(ROLE_PREFIX)) roles.push(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL) roles.push(text(value));
  }
  return sortedSet(roles.filter((role) => role !== ''));
}

export const componentStatusRow: RowPrinter = rowPrinter(
  { metadata: METADATA, conditions: [{ type: 'text', status: 'text', message: 'text', error: 'text' }] },
  ({ metadata, conditions }) => {
    const healthy = conditions?.find(({ type }) => type === 'Healthy');
    const word = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [metadata?.name ?? '', word, healthy?.message ?? '', healthy?.error ?? ''];
  },
);
