// The memory gate: what lists may cost a server above its objects and its budget for twins.
import type { Cell } from './results.ts';

export const MEMORY_ABOVE_DATA_MAX_BYTES: number = 64 << 20;

/** How many cells could be judged, and those that went above, as `NAME SUBJECT: MiB`. */
export function judgeMemory(
  cells: readonly Cell[],
  maxBytes: number = MEMORY_ABOVE_DATA_MAX_BYTES,
): { judged: number; above: string[] } {
  const judged = cells.filter(({ measures }) => measures.memoryAboveData !== undefined);
  const above = judged
    .filter(({ measures }) => measures.memoryAboveData!.max > maxBytes)
    .map(({ name, subject, measures }) => {
      return `${name} ${subject}: ${(measures.memoryAboveData!.max / 2 ** 20).toFixed(0)} MiB`;
    });
  return { judged: judged.length, above };
}
