// The Scale's table: what a GET of …/scale shows.
import type { PrinterColumn } from '../kind.ts';
import { age } from './age.ts';
import { AGE_COLUMN, type Column, NAME_COLUMN } from './columns.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const SCALE_COLUMNS: readonly Column[] = [
  { ...NAME_COLUMN, format: '' },
  replicas('Desired', 'replicas is the desired number of instances for the scaled object.'),
  replicas('Available', 'replicas is the actual number of observed instances of the scaled object.'),
  AGE_COLUMN,
];

/** Custom resources' Scales are shown as custom resources are. */
export const CUSTOM_SCALE_COLUMNS: readonly PrinterColumn[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'Number of desired replicas',
    jsonPath: '.spec.replicas',
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'Number of actual replicas',
    jsonPath: '.status.replicas',
  },
  {
    name: 'Age',
    type: 'date',
    description: AGE_COLUMN.description,
    jsonPath: '.metadata.creationTimestamp',
  },
];

export const scaleRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { replicas: 'number' }, status: { replicas: 'number' } },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    age(metadata?.creationTimestamp),
  ],
);

function replicas(name: string, description: string): Column {
  return { name, type: 'integer', format: '', description, priority: 0 };
}
