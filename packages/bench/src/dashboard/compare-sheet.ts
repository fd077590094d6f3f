// Side by side: the subjects of one run, cell by cell, and whether they differ.
import { type Cell, MEASURES, type Measure, type MeasureName } from '../results.ts';
import { compareMeasures, type Verdict } from '../verdict.ts';
import { amount, digits, words } from './amounts.ts';
import type { Choice, Entry } from './choice.ts';
import { shortNames } from './names.ts';
import { type Bar, FIGURES, figuresOf, GROUPS_MAX, type Row, type Sheet, shownOf } from './sheet.ts';
import type { Statistic } from './view.ts';

export function compareSheet({ view, entries, subjects }: Choice): Sheet {
  const name = view.measure as MeasureName;
  const { unit, of } = MEASURES[name];
  const groups = [...Map.groupBy(entries, ({ cell }) => cell.name)];
  const short = shortNames(groups.map(([cell]) => cell));
  const judged = groups.flatMap(([, all]) => judge(all, name, view.base));
  return {
    title: `${words(name)}, ${view.statistic}`,
    summary: `${words(name)}: ${of}. ${summaryOf(judged, groups.length, view.base)}${shownOf(GROUPS_MAX, groups.length, 'cells')}`,
    chart: {
      kind: 'bars',
      unit,
      legend: subjects.filter((subject) => entries.some(({ cell }) => cell.subject === subject)),
      groups: groups.slice(0, GROUPS_MAX).map(([cell, all]) => ({
        name: short.get(cell)!,
        bars: judge(all, name, view.base).map((one) => barOf(one, subjects, name, view.statistic)),
      })),
    },
    table: {
      caption: `${words(name)} (${unit}), run ${view.run}; ratios to ${view.base}`,
      columns: [...['cell', 'subject', ...FIGURES, 'ratio', 'from', 'to', 'verdict', 'outcome']],
      rows: judged.map((one) => rowOf(one, name)),
    },
  };
}

type Judged = { cell: Cell; measure: Measure | undefined; verdict: Verdict | undefined };

/** Each subject's measure of one cell, compared with the base's. */
function judge(entries: readonly Entry[], name: MeasureName, base: string): Judged[] {
  const reference = entries.find(({ cell }) => cell.subject === base)?.cell.measures[name];
  return entries.map(({ cell }) => {
    const measure = cell.measures[name];
    const isCompared = cell.subject !== base && reference !== undefined && measure !== undefined;
    return { cell, measure, verdict: isCompared ? compareMeasures(reference, measure) : undefined };
  });
}

function barOf(judged: Judged, subjects: readonly string[], name: MeasureName, statistic: Statistic): Bar {
  const { cell, measure, verdict } = judged;
  const bar = { subject: cell.subject, colour: subjects.indexOf(cell.subject) };
  if (measure === undefined) return { ...bar, spread: undefined, note: outcomeOf(cell), tone: 'quiet' };
  const value = measure[statistic];
  const spread = { value, low: Math.min(measure.min, value), high: Math.max(measure.p90, value) };
  if (verdict === undefined) return { ...bar, spread, note: '', tone: 'quiet' };
  return { ...bar, spread, note: verdictText(verdict, name), tone: toneOf(verdict, name) };
}

function rowOf({ cell, measure, verdict }: Judged, name: MeasureName): Row {
  const told = verdict
    ? [verdict.ratio, verdict.low, verdict.high].map((value) =>
        value === null ? '' : Number(value.toFixed(3)),
      )
    : ['', '', ''];
  const word = verdict ? wordOf(verdict, name) : '';
  return [cell.name, cell.subject, ...figuresOf(measure), ...told, word, outcomeOf(cell, measure)];
}

/** `measured`, or why there is no figure. */
export function outcomeOf(cell: Cell, measure?: Measure): string {
  if (cell.outcome !== 'measured') return `${cell.outcome}: ${cell.reason ?? 'no reason told'}`;
  return measure ? cell.outcome : 'not taken';
}

export function verdictText(verdict: Verdict, name: MeasureName): string {
  const factor = verdict.ratio === null ? '' : `${digits(verdict.ratio)}× `;
  return factor + wordOf(verdict, name);
}

/** `differs (better)`: what the rule says, and which way is good. */
export function wordOf(verdict: Verdict, name: MeasureName): string {
  const tone = toneOf(verdict, name);
  return tone === 'quiet' ? verdict.verdict : `${verdict.verdict} (${tone})`;
}

export function toneOf({ verdict, ratio }: Verdict, name: MeasureName): 'better' | 'worse' | 'quiet' {
  const { better } = MEASURES[name];
  if (verdict !== 'differs' || ratio === null || better === 'same') return 'quiet';
  return ratio < 1 === (better === 'less') ? 'better' : 'worse';
}

function summaryOf(judged: readonly Judged[], cells: number, base: string): string {
  const verdicts = judged.flatMap(({ verdict }) => verdict ?? []);
  const differing = verdicts.filter(({ verdict }) => verdict === 'differs').length;
  const outcomes = (['refused', 'failed'] as const).flatMap((outcome) => {
    const count = judged.filter(({ cell }) => cell.outcome === outcome).length;
    return count > 0 ? [`${count} ${outcome}`] : [];
  });
  const compared =
    verdicts.length > 0
      ? [`${differing} of ${verdicts.length} figures differ from ${base}'s, of the others one can't tell`]
      : [];
  return `${[`${cells} ${cells === 1 ? 'cell' : 'cells'}`, ...compared, ...outcomes].join('; ')}.`;
}

/** For titles of bars: what a bar says, read aloud. */
export function spoken(bar: Bar, unit: Parameters<typeof amount>[1]): string {
  if (bar.spread === undefined) return `${bar.subject}: ${bar.note}`;
  const { value, low, high } = bar.spread;
  const span = `${amount(low, unit)} to ${amount(high, unit)}`;
  return [`${bar.subject}: ${amount(value, unit)} (${span})`, bar.note].filter(Boolean).join(', ');
}
