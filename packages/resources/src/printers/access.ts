// Rows of who may what: bindings of roles, requests for certificates, trust.
import { age, humanDuration } from './age.ts';
import { labelsText, NONE } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const roleBindingRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    roleRef: { kind: 'text', name: 'text' },
    subjects: [{ kind: 'text', namespace: 'text', name: 'text' }],
  },
  ({ metadata, roleRef, subjects = [] }) => {
    const named = (wanted: string): string =>
      subjects
        .filter(({ kind }) => kind === wanted)
        .map(({ namespace = '', name = '' }) => (wanted === 'ServiceAccount' ? `${namespace}/${name}` : name))
        .join(', ');
    return [
      metadata?.name ?? '',
      `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
      age(metadata?.creationTimestamp),
      named('User'),
      named('Group'),
      named('ServiceAccount'),
    ];
  },
);

const SECOND_MS = 1000;

export const signingRequestRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { signerName: 'text', username: 'text', expirationSeconds: 'number' },
    status: { certificate: 'text', conditions: [{ type: 'text' }] },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    age(metadata?.creationTimestamp),
    spec?.signerName || NONE,
    spec?.username ?? '',
    spec?.expirationSeconds === undefined ? NONE : humanDuration(spec.expirationSeconds * SECOND_MS),
    signingState(status ?? {}),
  ],
);

function signingState(status: { certificate?: string; conditions?: { type?: string }[] }): string {
  const has = (wanted: string): boolean => status.conditions?.some(({ type }) => type === wanted) === true;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}

export const trustBundleRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { signerName: 'text' } },
  ({ metadata, spec }) => [metadata?.name ?? '', spec?.signerName || NONE],
);

const CERTIFICATE_STATES = ['Issued', 'Denied', 'Failed'];

export const podCertificateRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      signerName: 'text',
      podName: 'text',
      serviceAccountName: 'text',
      nodeName: 'text',
      unverifiedUserAnnotations: 'tree',
    },
    status: { conditions: [{ type: 'text' }] },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.podName ?? '',
    spec?.serviceAccountName ?? '',
    spec?.nodeName ?? '',
    spec?.signerName ?? '',
    CERTIFICATE_STATES.find((state) => status?.conditions?.some(({ type }) => type === state)) ?? 'Pending',
    labelsText(spec?.unverifiedUserAnnotations),
  ],
);
