// A table's columns: what they are called, of which type, how they are explained.
import { quote } from '@sluice/encoding';
import { DESCRIPTIONS, TABLE_COLUMNS } from '../generated/table-columns.ts';

export type Column = { name: string; type: string; format: string; description: string; priority: number };

/** `apps/v1`, `deployments`; undefined: the reference serves no such table. */
export function builtInColumns(groupVersion: string, plural: string): readonly Column[] | undefined {
  return TABLE_COLUMNS[`${groupVersion}/${plural}`]?.map(([name, type, format, description, priority]) => ({
    name,
    type,
    format,
    description: DESCRIPTIONS[description]!,
    priority,
  }));
}

/** Columns that tables of many kinds have. */
export const NAME_COLUMN: Column = builtInColumns('v1', 'serviceaccounts')![0]!;
export const AGE_COLUMN: Column = builtInColumns('v1', 'serviceaccounts')![1]!;

/** The JSON array of columnDefinitions. */
export function columnsJson(columns: readonly Column[]): string {
  return `[${columns.map(columnJson).join(',')}]`;
}

function columnJson({ name, type, format, description, priority }: Column): string {
  return `{"name":${quote(name)},"type":${quote(type)},"format":${quote(format)},"description":${quote(description)},"priority":${priority}}`;
}
