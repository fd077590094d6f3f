// Gradients: a figure by load, step by step, and the knee where the server fell behind.
import { MEASURES, type MeasureName } from '../results.ts';
import { digits, words } from './amounts.ts';
import type { Choice, Entry } from './choice.ts';
import { pointOf } from './history-sheet.ts';
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

export function gradientSheet({ view, entries }: Choice): Sheet {
  const name = view.measure as MeasureName;
  const { unit, of } = MEASURES[name];
  const nameOf = lineNames(entries);
  const shown = entries.slice(0, LINES_MAX);
  const loads = entries.flatMap(({ cell }) => (cell.steps ?? []).map(({ load }) => load));
  return {
    title: `${words(name)}, ${view.statistic}, by load`,
    summary: `${words(name)}: ${of}. ${entries.map((entry) => kneeText(entry, nameOf(entry))).join('; ')}.${shownOf(LINES_MAX, entries.length, 'gradients')}`,
    chart: {
      kind: 'lines',
      unit,
      across: acrossOf(entries),
      xScale: Math.max(...loads) > WIDE * Math.min(...loads) ? 'log' : 'linear',
      labels: [],
      lines: shown.map((entry, colour) => lineOf(entry, nameOf(entry), colour, name, view.statistic)),
    },
    table: {
      caption: `${words(name)} (${unit}) by load (${acrossOf(entries)})`,
      columns: ['cell', 'subject', 'run', 'load', ...FIGURES, 'fell behind'],
      rows: entries.flatMap((entry) => rowsOf(entry, name)),
    },
  };
}

/** From so wide a range of loads on, the axis is logarithmic. */
const WIDE = 15;

function acrossOf(entries: readonly Entry[]): string {
  const jobs = new Set(
    entries.map(({ cell }) => (cell.job.endsWith('readers') ? 'readers' : 'lists per second')),
  );
  return [...jobs].join(', or ');
}

function lineOf(
  { cell }: Entry,
  name: string,
  colour: number,
  measureName: MeasureName,
  statistic: Statistic,
): Line {
  const points = (cell.steps ?? []).map(({ load, measures, fellBehind }): Point => {
    const measure = measures[measureName];
    const point: Point = measure ? pointOf(load, measure, statistic) : { x: load, y: null };
    return fellBehind ? { ...point, mark: 'fell behind' } : point;
  });
  return { name, colour, points };
}

function kneeText({ cell }: Entry, name: string): string {
  if (cell.outcome !== 'measured') return `${name}: ${cell.outcome}, ${cell.reason ?? 'no reason told'}`;
  const steps = cell.steps ?? [];
  const knee = cell.knee == null ? undefined : steps[cell.knee];
  return knee
    ? `${name} fell behind at ${digits(knee.load)}`
    : `${name} kept up to ${digits(steps.at(-1)?.load ?? 0)}`;
}

function rowsOf({ run, cell }: Entry, name: MeasureName): Row[] {
  return (cell.steps ?? []).map(({ load, measures, fellBehind }) => {
    return [cell.name, cell.subject, run.id, load, ...figuresOf(measures[name]), fellBehind ? 'yes' : 'no'];
  });
}
