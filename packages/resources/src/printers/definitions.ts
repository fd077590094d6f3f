// The CustomResourceDefinition's row.
import { compareUtf8 } from '@sluice/encoding';
import { ZERO_TIME } from './core.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const definitionRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      group: 'text',
      scope: 'text',
      names: { kind: 'text', shortNames: ['text'] },
      versions: [{ name: 'text', served: 'flag', storage: 'flag' }],
    },
    status: { conditions: [{ type: 'text', status: 'text' }] },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.scope ?? '',
    (spec?.versions ?? [])
      .filter(({ served }) => served === true)
      .map(({ name = '', storage }) => (storage === true ? `${name}(storage)` : name))
      .sort(compareUtf8)
      .join(','),
    metadata?.creationTimestamp ?? ZERO_TIME,
    spec?.group ?? '',
    spec?.names?.kind ?? '',
    (spec?.names?.shortNames ?? []).join(','),
    status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true,
  ],
);
