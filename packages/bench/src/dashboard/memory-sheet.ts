// The server's memory while a cell ran: a curve for each cell, or for each step of a gradient.
import type { Step } from '../results.ts';
import { medianOf } from '../verdict.ts';
import { amount, digits } from './amounts.ts';
import { type Choice, CURVES, type Entry } from './choice.ts';
import { lineNames } from './names.ts';
import { LINES_MAX, type Line, type Sheet, shownOf } from './sheet.ts';

type Curve = { entry: Entry; step: number | undefined; everySeconds: number; rssBytes: number[] };

export function memorySheet({ view, entries }: Choice): Sheet {
  const isAbove = view.measure === 'memoryAboveStart';
  const curves = entries.flatMap(curvesOf).map((curve) => (isAbove ? aboveStart(curve) : curve));
  const nameOf = lineNames(entries);
  const nameOfCurve = ({ entry, step }: Curve) =>
    step === undefined ? nameOf(entry) : `${nameOf(entry)} at ${digits(step)}`;
  const shown = curves.slice(0, LINES_MAX);
  const title = isAbove ? 'memory above the start' : 'memory while the cell ran';
  return {
    title,
    summary: `${CURVES[view.measure]}. ${curves.length} ${curves.length === 1 ? 'curve' : 'curves'}${shown.length > 0 ? `; ${highest(curves, nameOfCurve)}` : ''}.${shownOf(LINES_MAX, curves.length, 'curves')}`,
    chart: {
      kind: 'lines',
      unit: 'bytes',
      across: 'seconds since the cell began',
      xScale: 'linear',
      labels: [],
      lines: shown.map((curve, colour) => lineOf(curve, nameOfCurve(curve), colour)),
    },
    table: {
      caption: `${title}, bytes`,
      columns: [
        'cell',
        'subject',
        'run',
        'load',
        'samples',
        'seconds',
        'first',
        'least',
        'median',
        'most',
        'last',
      ],
      rows: curves.map(({ entry: { cell, run }, step, everySeconds, rssBytes }) => [
        ...[cell.name, cell.subject, run.id, step ?? ''],
        ...[rssBytes.length, Number(((rssBytes.length - 1) * everySeconds).toPrecision(6))],
        ...[rssBytes[0]!, Math.min(...rssBytes), medianOf(rssBytes), Math.max(...rssBytes), rssBytes.at(-1)!],
      ]),
    },
  };
}

function curvesOf(entry: Entry): Curve[] {
  const { memory, steps = [] } = entry.cell;
  const whole = memory ? [{ entry, step: undefined, ...memory }] : [];
  const parts = steps.flatMap((step: Step) =>
    step.memory ? [{ entry, step: step.load, ...step.memory }] : [],
  );
  return [...whole, ...parts].filter(({ rssBytes }) => rssBytes.length > 0);
}

function aboveStart(curve: Curve): Curve {
  const [first = 0] = curve.rssBytes;
  return { ...curve, rssBytes: curve.rssBytes.map((bytes) => bytes - first) };
}

function lineOf({ everySeconds, rssBytes }: Curve, name: string, colour: number): Line {
  return {
    name,
    colour,
    points: rssBytes.map((y, at) => ({ x: Number((at * everySeconds).toPrecision(6)), y })),
  };
}

function highest(curves: readonly Curve[], nameOf: (curve: Curve) => string): string {
  const peak = ({ rssBytes }: Curve) => Math.max(...rssBytes);
  const most = curves.reduce((a, b) => (peak(b) > peak(a) ? b : a));
  return `the highest, ${nameOf(most)}, reaches ${amount(peak(most), 'bytes')}`;
}
