// A whole run: cell after cell within a time, each written down as soon as it is measured.
import { type Contestant, runCell } from './cell-run.ts';
import type { CellKey } from './matrix.ts';
import type { Cell } from './results.ts';

export type BenchOptions = {
  /** For all cells together, as far as each still gets a round. */
  seconds: number;
  /** For one answer; one that takes longer is a failure. */
  answerSeconds: number;
  onCell(cell: Cell, position: { at: number; of: number }): void;
};

/** More than this makes no figure better. */
const BUDGET_MAX_SECONDS = 5;
const BUDGET_MIN_SECONDS = 0.2;

export async function runBench(
  contestants: readonly Contestant[],
  cells: readonly CellKey[],
  { seconds, answerSeconds, onCell }: BenchOptions,
): Promise<Cell[]> {
  const measured: Cell[] = [];
  const deadline = performance.now() + seconds * 1000;
  for (const [index, key] of cells.entries()) {
    const left = (deadline - performance.now()) / 1000 / (cells.length - index);
    const share = left / Math.max(1, contestants.filter(({ gate }) => gate === key.gate).length);
    const budgetSeconds = Math.min(BUDGET_MAX_SECONDS, Math.max(BUDGET_MIN_SECONDS, share));
    for (const cell of await runCell(contestants, key, { budgetSeconds, answerSeconds })) {
      measured.push(cell);
      onCell(cell, { at: index + 1, of: cells.length });
    }
  }
  return measured;
}
