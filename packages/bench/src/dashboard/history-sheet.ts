// Over time: each cell's figure from run to run, and whether it changed.
import { MEASURES, type Measure, type MeasureName, type Run } from '../results.ts';
import { compareMeasures } from '../verdict.ts';
import { runTime, words } from './amounts.ts';
import type { Choice, Entry } from './choice.ts';
import { outcomeOf, verdictText, wordOf } from './compare-sheet.ts';
import { lineNames } from './names.ts';
import {
  FIGURES,
  figuresOf,
  LINES_MAX,
  type Line,
  type Point,
  type Row,
  type Sheet,
  shownOf,
} from './sheet.ts';
import type { Statistic } from './view.ts';

export function historySheet({ view, entries, runs }: Choice): Sheet {
  const name = view.measure as MeasureName;
  const { unit, of } = MEASURES[name];
  // Runs that nothing chosen was measured in would only be gaps.
  const told = runs.filter((run) => entries.some((entry) => entry.run === run && entry.cell.measures[name]));
  const all = [...Map.groupBy(entries, ({ cell }) => `${cell.name} ${cell.subject}`).values()];
  const groups = all.filter((group) => group.some(({ cell }) => cell.measures[name]));
  const nameOf = lineNames(groups.map((group) => ({ ...group[0]!, run: runs[0]! })));
  const shown = groups.slice(0, LINES_MAX);
  return {
    title: `${words(name)}, ${view.statistic}, run by run`,
    summary: `${words(name)}: ${of}. ${groups.length} series over ${told.length} ${told.length === 1 ? 'run' : 'runs'}. ${lastChange(groups, name)}${shownOf(LINES_MAX, groups.length, 'series')}`,
    chart: {
      kind: 'lines',
      unit,
      across: 'run',
      xScale: 'ordinal',
      labels: told.map(({ startedAt }) => runTime(startedAt)),
      lines: shown.map((group, colour) =>
        lineOf(group, nameOf({ ...group[0]!, run: runs[0]! }), colour, told, name, view.statistic),
      ),
    },
    table: {
      caption: `${words(name)} (${unit}) from run to run; verdicts on the run before`,
      columns: ['cell', 'subject', 'run', 'commit', 'objects', ...FIGURES, 'ratio', 'verdict', 'outcome'],
      rows: all.flatMap((group) => rowsOf(group, name)),
    },
  };
}

function lineOf(
  entries: readonly Entry[],
  name: string,
  colour: number,
  runs: readonly Run[],
  measureName: MeasureName,
  statistic: Statistic,
): Line {
  const points = runs.map((run, x): Point => {
    const measure = entries.find((entry) => entry.run === run)?.cell.measures[measureName];
    return measure ? pointOf(x, measure, statistic) : { x, y: null };
  });
  return { name, colour, points };
}

export function pointOf(x: number, measure: Measure, statistic: Statistic): Point {
  const y = measure[statistic];
  return { x, y, low: Math.min(measure.min, y), high: Math.max(measure.p90, y) };
}

/** Each run's figures beside those of the last run before it that had any. */
function rowsOf(entries: readonly Entry[], name: MeasureName): Row[] {
  let before: Measure | undefined;
  return entries.map(({ run, cell }) => {
    const measure = cell.measures[name];
    const verdict = before && measure && compareMeasures(before, measure);
    before = measure ?? before;
    return [
      ...[cell.name, cell.subject, run.id, run.commit?.slice(0, 10) ?? '', cell.objects.count],
      ...figuresOf(measure),
      verdict?.ratio == null ? '' : Number(verdict.ratio.toFixed(3)),
      ...[verdict ? wordOf(verdict, name) : '', outcomeOf(cell, measure)],
    ];
  });
}

/** How the newest run stands to the one before, in words. */
function lastChange(groups: readonly Entry[][], name: MeasureName): string {
  const verdicts = groups.flatMap((all) => {
    const [before, after] = all.flatMap(({ cell }) => cell.measures[name] ?? []).slice(-2);
    return before && after ? [compareMeasures(before, after)] : [];
  });
  if (verdicts.length === 0) return 'No two runs to compare yet.';
  if (verdicts.length === 1) return `The last two: ${verdictText(verdicts[0]!, name)}.`;
  const differing = verdicts.filter(({ verdict }) => verdict === 'differs').length;
  return `Between the last two runs of each, ${differing} of ${verdicts.length} figures differ.`;
}
