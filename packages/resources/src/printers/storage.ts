// Rows of storage: volumes, claims, classes, and what drivers say of themselves.
import type { JsonValue } from '@sluice/encoding';
import { members, text } from '../tree.ts';
import { age } from './age.ts';
import { NONE, UNSET } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const VOLUME_METADATA = { ...METADATA, deletionTimestamp: 'some', annotations: 'tree' } as const;

export const persistentVolumeRow: RowPrinter = rowPrinter(
  {
    metadata: VOLUME_METADATA,
    spec: {
      capacity: 'tree',
      accessModes: ['text'],
      claimRef: { namespace: 'text', name: 'text' },
      persistentVolumeReclaimPolicy: 'text',
      storageClassName: 'text',
      volumeMode: 'text',
      volumeAttributesClassName: 'text',
    },
    status: { phase: 'text', reason: 'text' },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    storageOf(spec?.capacity),
    modesText(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata?.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec?.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    classOf(metadata?.annotations, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? UNSET,
    status?.reason ?? '',
    age(metadata?.creationTimestamp),
    spec?.volumeMode ?? UNSET,
  ],
);

export const persistentVolumeClaimRow: RowPrinter = rowPrinter(
  {
    metadata: VOLUME_METADATA,
    spec: {
      volumeName: 'text',
      storageClassName: 'text',
      volumeMode: 'text',
      volumeAttributesClassName: 'text',
    },
    status: { phase: 'text', accessModes: ['text'], capacity: 'tree' },
  },
  ({ metadata, spec, status }) => {
    const isBound = (spec?.volumeName ?? '') !== '';
    return [
      metadata?.name ?? '',
      metadata?.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      spec?.volumeName ?? '',
      isBound ? storageOf(status?.capacity) : '',
      isBound ? modesText(status?.accessModes) : '',
      classOf(metadata?.annotations, spec?.storageClassName),
      spec?.volumeAttributesClassName ?? UNSET,
      age(metadata?.creationTimestamp),
      spec?.volumeMode ?? UNSET,
    ];
  },
);

function storageOf(capacity: JsonValue | undefined): string {
  return text(members(capacity).get('storage')) || '0';
}

/** Each once, in this order, whatever order they stand in. */
function modesText(modes: readonly string[] | undefined): string {
  return MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The annotation is older than the field and goes before it. */
function classOf(annotations: JsonValue | undefined, name: string | undefined): string {
  const annotated = members(annotations).get(CLASS_ANNOTATION);
  return typeof annotated === 'string' ? annotated : (name ?? '');
}

export const storageClassRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    provisioner: 'text',
    reclaimPolicy: 'text',
    allowVolumeExpansion: 'flag',
    volumeBindingMode: 'text',
  },
  ({ metadata, provisioner, reclaimPolicy, allowVolumeExpansion, volumeBindingMode }) => [
    metadata?.name ?? '',
    provisioner ?? '',
    reclaimPolicy ?? 'Delete',
    volumeBindingMode ?? 'Immediate',
    allowVolumeExpansion ?? false,
    age(metadata?.creationTimestamp),
  ],
);

export const volumeAttributesClassRow: RowPrinter = rowPrinter(
  { metadata: METADATA, driverName: 'text' },
  ({ metadata, driverName }) => [metadata?.name ?? '', driverName ?? '', age(metadata?.creationTimestamp)],
);

export const volumeAttachmentRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { attacher: 'text', nodeName: 'text', source: { persistentVolumeName: 'text' } },
    status: { attached: 'flag' },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.attacher ?? '',
    spec?.source?.persistentVolumeName ?? '',
    spec?.nodeName ?? '',
    status?.attached ?? false,
    age(metadata?.creationTimestamp),
  ],
);

export const csiNodeRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { drivers: 'size' } },
  ({ metadata, spec }) => [metadata?.name ?? '', spec?.drivers ?? 0, age(metadata?.creationTimestamp)],
);

export const csiDriverRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      attachRequired: 'flag',
      podInfoOnMount: 'flag',
      storageCapacity: 'flag',
      tokenRequests: [{ audience: 'text' }],
      requiresRepublish: 'flag',
      volumeLifecycleModes: ['text'],
    },
  },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.attachRequired ?? true,
    spec?.podInfoOnMount ?? false,
    spec?.storageCapacity ?? false,
    spec?.tokenRequests === undefined
      ? UNSET
      : spec.tokenRequests.map(({ audience }) => audience ?? '').join(','),
    spec?.requiresRepublish ?? false,
    spec?.volumeLifecycleModes?.join(',') || NONE,
    age(metadata?.creationTimestamp),
  ],
);
