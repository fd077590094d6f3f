// Rows of resource.k8s.io: claims, slices of devices, taints.
import { age } from './age.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const resourceClaimRow: RowPrinter = rowPrinter(
  {
    metadata: { ...METADATA, deletionTimestamp: 'some' },
    status: { allocation: 'some', reservedFor: 'size' },
  },
  ({ metadata, status }) => {
    const states: string[] = [];
    if (metadata?.deletionTimestamp !== undefined) states.push('deleted');
    if (status?.allocation === undefined) {
      if (states.length === 0) states.push('pending');
    } else {
      states.push('allocated', status.reservedFor ? 'reserved' : '');
    }
    return [
      metadata?.name ?? '',
      states.filter((state) => state !== '').join(','),
      age(metadata?.creationTimestamp),
    ];
  },
);

export const resourceSliceRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      nodeName: 'text',
      driver: 'text',
      pool: { name: 'text' },
      allNodes: 'flag',
      nodeSelector: 'some',
    },
  },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.nodeName ?? '',
    spec?.driver ?? '',
    spec?.pool?.name ?? '',
    age(metadata?.creationTimestamp),
  ],
);

export const taintRuleRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { taint: { key: 'text', value: 'text', effect: 'text', timeAdded: 'text' } },
  },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.taint?.key ?? '',
    spec?.taint?.value ?? '',
    spec?.taint?.effect ?? '',
    age(spec?.taint?.timeAdded),
    age(metadata?.creationTimestamp),
  ],
);
