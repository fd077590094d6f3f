// How a kind's rows are made: which fields are picked, and what the cells say of them.
import type { JsonNumber, Span } from '@sluice/encoding';
import type { Since } from './age.ts';
import { type Picked, picker, type Want } from './pick.ts';

/** One cell. Numbers and booleans stand as such in the JSON, whatever type their column announces. */
export type Cell = string | number | boolean | null | JsonNumber | Since;

export type Row = {
  cells: readonly Cell[];
  /** `"conditions":[…],` or nothing. */
  conditions: string;
  /** Where the item's metadata stands, as far as it is known. */
  metadata: Span | undefined;
};

export type RowPrinter = (item: Uint8Array) => Row;

/** What nearly all printers show. */
export const METADATA = { name: 'text', creationTimestamp: 'text' } as const;

export function rowPrinter<const W extends Want>(
  want: W,
  cells: (object: Picked<W>) => readonly Cell[],
  conditions: (object: Picked<W>) => string = none,
): RowPrinter {
  const pick = picker(want);
  return (item) => {
    const { object, metadata } = pick(item);
    return { cells: cells(object), conditions: conditions(object), metadata };
  };
}

function none(): string {
  return '';
}
