// Rows of what runs Pods: Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet, ControllerRevision.
import { JsonNumber } from '@sluice/encoding';
import { age } from './age.ts';
import { containerCells, labelsText, NONE, TEMPLATE_CONTAINERS } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';
import { selectorText } from './selector-text.ts';

const REPLICATED = {
  metadata: METADATA,
  spec: { replicas: 'number', selector: 'tree', template: { spec: TEMPLATE_CONTAINERS } },
  status: {
    replicas: 'number',
    readyReplicas: 'number',
    updatedReplicas: 'number',
    availableReplicas: 'number',
  },
} as const;

export const deploymentRow: RowPrinter = rowPrinter(REPLICATED, ({ metadata, spec, status }) => [
  metadata?.name ?? '',
  `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  status?.updatedReplicas ?? 0,
  status?.availableReplicas ?? 0,
  age(metadata?.creationTimestamp),
  ...containerCells(spec?.template?.spec?.containers),
  selectorText(spec?.selector, '', '<invalid>'),
]);

export const replicaSetRow: RowPrinter = rowPrinter(REPLICATED, ({ metadata, spec, status }) => [
  metadata?.name ?? '',
  spec?.replicas ?? 0,
  status?.replicas ?? 0,
  status?.readyReplicas ?? 0,
  age(metadata?.creationTimestamp),
  ...containerCells(spec?.template?.spec?.containers),
  selectorText(spec?.selector),
]);

export const replicationControllerRow: RowPrinter = rowPrinter(REPLICATED, ({ metadata, spec, status }) => [
  metadata?.name ?? '',
  spec?.replicas ?? 0,
  status?.replicas ?? 0,
  status?.readyReplicas ?? 0,
  age(metadata?.creationTimestamp),
  ...containerCells(spec?.template?.spec?.containers),
  labelsText(spec?.selector),
]);

export const statefulSetRow: RowPrinter = rowPrinter(REPLICATED, ({ metadata, spec, status }) => [
  metadata?.name ?? '',
  `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  age(metadata?.creationTimestamp),
  ...containerCells(spec?.template?.spec?.containers),
]);

export const daemonSetRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { selector: 'tree', template: { spec: { ...TEMPLATE_CONTAINERS, nodeSelector: 'tree' } } },
    status: {
      desiredNumberScheduled: 'number',
      currentNumberScheduled: 'number',
      numberReady: 'number',
      updatedNumberScheduled: 'number',
      numberAvailable: 'number',
    },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec?.template?.spec?.nodeSelector),
    age(metadata?.creationTimestamp),
    ...containerCells(spec?.template?.spec?.containers),
    selectorText(spec?.selector),
  ],
);

export const controllerRevisionRow: RowPrinter = rowPrinter(
  {
    metadata: {
      ...METADATA,
      ownerReferences: [{ apiVersion: 'text', kind: 'text', name: 'text', controller: 'flag' }],
    },
    revision: 'tree',
  },
  ({ metadata, revision }) => {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
    return [
      metadata?.name ?? '',
      owner === undefined ? NONE : ownerText(owner),
      // An int64: it may be beyond what a JavaScript number can say.
      revision instanceof JsonNumber ? revision : 0,
      age(metadata?.creationTimestamp),
    ];
  },
);

/** `daemonset.apps/name` */
function ownerText(owner: { apiVersion?: string; kind?: string; name?: string }): string {
  const { apiVersion = '', kind = '', name = '' } = owner;
  const slash = apiVersion.indexOf('/');
  if (kind === '' && slash < 0) return name;
  const group = slash < 0 ? '' : `.${apiVersion.slice(0, slash)}`;
  return `${`${kind}${group}`.toLowerCase()}/${name}`;
}
