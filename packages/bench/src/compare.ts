// What changed between two runs, measure by measure, beyond noise.
import { type Cell, MEASURES, type MeasureName } from './results.ts';
import type { Recorded } from './results-file.ts';
import { compareMeasures, type Verdict } from './verdict.ts';

export type Change = {
  cell: string;
  subject: string;
  measure: MeasureName;
  before: number;
  after: number;
  verdict: Verdict;
  /** By how much it is worse, as a share: 0.1 is 10% more of what should be less; negative: better. Null: no ratio. */
  worse: number | null;
};

export type Comparison = {
  /** What differs by the rule of verdict.ts, the worst first. */
  changes: Change[];
  /** Measures that both runs have. */
  compared: number;
  /** Cells that were measured before, and are refused or failed now: `NAME SUBJECT: outcome, reason`. */
  lost: string[];
};

export function compareRuns(before: Recorded, after: Recorded): Comparison {
  const earlier = new Map(before.cells.map((cell) => [keyOf(cell), cell]));
  const comparison: Comparison = { changes: [], compared: 0, lost: [] };
  for (const cell of after.cells) {
    const old = earlier.get(keyOf(cell));
    if (old?.outcome !== 'measured') continue;
    if (cell.outcome === 'measured') addChanges(comparison, old, cell);
    else comparison.lost.push(`${keyOf(cell)}: ${cell.outcome}, ${cell.reason}`);
  }
  comparison.changes.sort((a, b) => (b.worse ?? 0) - (a.worse ?? 0));
  return comparison;
}

/** What is worse by more than the share, or is no more. */
export function regressionsOf({ changes, lost }: Comparison, max: number): string[] {
  const worse = changes.filter((change) => change.worse !== null && change.worse > max);
  return [...lost, ...worse.map(({ cell, subject, measure }) => `${cell} ${subject} ${measure}`)];
}

function keyOf({ name, subject }: Cell): string {
  return `${name} ${subject}`;
}

function addChanges(comparison: Comparison, old: Cell, cell: Cell): void {
  for (const name of Object.keys(cell.measures) as MeasureName[]) {
    const [before, after] = [old.measures[name], cell.measures[name]];
    const { better } = MEASURES[name];
    if (before === undefined || after === undefined) continue;
    comparison.compared++;
    const verdict = compareMeasures(before, after);
    if (verdict.verdict !== 'differs') continue;
    comparison.changes.push({
      ...{ cell: cell.name, subject: cell.subject, measure: name },
      ...{ before: before.median, after: after.median, verdict },
      worse: verdict.ratio === null || better === 'same' ? null : worseBy(verdict.ratio, better),
    });
  }
}

function worseBy(ratio: number, better: 'less' | 'more'): number {
  return (better === 'less' ? ratio : 1 / ratio) - 1;
}
