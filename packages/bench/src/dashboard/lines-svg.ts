// Draws lines as SVG, for pictures that leave the page; on the page uPlot draws the same.
import { amount, digits } from './amounts.ts';
import { shortened } from './names.ts';
import { type Scale, scaleOf } from './scale.ts';
import type { Line, Lines, Point } from './sheet.ts';
import { element, LETTER_WIDTH, line, text } from './svg.ts';
import { DASHES, type Theme } from './theme.ts';
import type { ScaleKind } from './view.ts';

export const PLOT_HEIGHT = 420;
const LEFT = 76;
const RIGHT = 24;
const TOP = 12;
const BELOW = 56;
const LEGEND_STEP = 22;

export function linesHeight({ lines }: Lines): number {
  return PLOT_HEIGHT + lines.length * LEGEND_STEP + 8;
}

export function linesSvg(chart: Lines, width: number, scaleKind: ScaleKind, theme: Theme): string {
  const { x, y } = scalesOf(chart, scaleKind);
  const bottom = PLOT_HEIGHT - BELOW;
  const across = (value: number) => LEFT + (x.place(value) ?? 0) * (width - LEFT - RIGHT);
  const up = (value: number) => {
    const at = y.place(value);
    return at === null ? null : bottom - at * (bottom - TOP);
  };
  const rows = y.ticks.map((tick) => {
    const at = up(tick)!;
    const label = text(LEFT - 8, at + 4, amount(tick, chart.unit), {
      'text-anchor': 'end',
      fill: theme.quiet,
    });
    return line(LEFT, at, width - RIGHT, at, theme.rule) + label;
  });
  const columns = fitting(x.ticks, (width - LEFT - RIGHT) / 110).map((tick) =>
    text(across(tick), bottom + 20, acrossLabel(chart, tick), { 'text-anchor': 'middle', fill: theme.quiet }),
  );
  const curves = chart.lines.map((one, index) => curve(one, across, up, theme, aside(index, chart)));
  const legend = chart.lines.map((one, index) =>
    legendRow(one, PLOT_HEIGHT + index * LEGEND_STEP, width, theme),
  );
  const label = text((LEFT + width - RIGHT) / 2, bottom + 42, chart.across, { 'text-anchor': 'middle' });
  return [...rows, ...columns, label, ...curves, ...legend].join('');
}

/** The axes, as the page and the picture both have them. */
export function scalesOf(chart: Lines, scaleKind: ScaleKind): { x: Scale; y: Scale } {
  const points = chart.lines.flatMap((one) => one.points);
  const values = points.flatMap(({ y, low, high }) => [y, low, high].filter((value) => value != null));
  const xs = points.map(({ x }) => x);
  return {
    x: chart.xScale === 'ordinal' ? ordinal(chart.labels.length) : spanning(xs, chart.xScale),
    y: scaleOf(values, scaleKind),
  };
}

export function acrossLabel({ xScale, labels, across }: Lines, value: number): string {
  if (xScale === 'ordinal') return labels[value] ?? '';
  return across.startsWith('seconds') ? `${digits(value)} s` : digits(value);
}

/** Between the whiskers of two lines at the same place. */
const WHISKER_GAP = 5;

/** How far a line's whiskers stand beside its points, so that all are seen. */
export function aside(index: number, { lines }: Lines): number {
  return (index - (lines.length - 1) / 2) * WHISKER_GAP;
}

/** At most so many of them, evenly. */
export function fitting<Value>(values: readonly Value[], room: number): Value[] {
  const every = Math.max(1, Math.ceil(values.length / Math.max(1, room)));
  return values.filter((_, index) => index % every === 0);
}

/** Half a step of air at both ends. */
function ordinal(count: number): Scale {
  const [min, max] = [-0.5, Math.max(0.5, count - 0.5)];
  const ticks = Array.from({ length: count }, (_, index) => index);
  return { min, max, ticks, place: (value) => (value - min) / (max - min) };
}

/** Time ends where the longest curve does; loads have round ends. */
function spanning(xs: readonly number[], kind: ScaleKind): Scale {
  const scale = scaleOf(xs, kind);
  if (kind === 'log') return scale;
  const max = Math.max(...xs, 0) || 1;
  return { ...scale, max, ticks: scale.ticks.filter((tick) => tick <= max), place: (x) => x / max };
}

function curve(
  { points, colour }: Line,
  across: (x: number) => number,
  up: (y: number) => number | null,
  theme: Theme,
  shift: number,
): string {
  const stroke = theme.palette[colour % theme.palette.length]!;
  let isOpen = false;
  let path = '';
  for (const { x, y } of points) {
    const at = y === null ? null : up(y);
    if (at !== null) path += `${isOpen ? 'L' : 'M'}${across(x).toFixed(1)} ${at.toFixed(1)}`;
    isOpen = at !== null;
  }
  const dots = points.map((point) => dot(point, across, up, stroke, theme, shift));
  const dashes = DASHES[colour % DASHES.length]!.join(' ') || undefined;
  return (
    element('path', { d: path, stroke, fill: 'none', 'stroke-width': 2, 'stroke-dasharray': dashes }) +
    dots.join('')
  );
}

function dot(
  { x, y, low, high, mark }: Point,
  across: (x: number) => number,
  up: (y: number) => number | null,
  stroke: string,
  theme: Theme,
  shift: number,
): string {
  const at = y === null ? null : up(y);
  if (at === null || low === undefined || high === undefined) return '';
  const [from, to] = [up(low) ?? at, up(high) ?? at];
  const spread = line(across(x) + shift, from, across(x) + shift, to, stroke, { 'stroke-width': 1.5 });
  const circle = element('circle', { cx: across(x), cy: at, r: 3.5, fill: stroke });
  if (mark === undefined) return spread + circle;
  const ring = element('circle', {
    cx: across(x),
    cy: at,
    r: 8,
    fill: 'none',
    stroke: theme.ink,
    'stroke-width': 1.5,
  });
  return (
    spread + circle + ring + text(across(x) - 12, at - 10, mark, { 'text-anchor': 'end', 'font-weight': 600 })
  );
}

function legendRow({ name, colour }: Line, y: number, width: number, theme: Theme): string {
  const stroke = theme.palette[colour % theme.palette.length]!;
  const dashes = DASHES[colour % DASHES.length]!.join(' ') || undefined;
  const fits = Math.floor((width - LEFT - RIGHT - 48) / LETTER_WIDTH);
  return (
    line(LEFT, y + 8, LEFT + 36, y + 8, stroke, { 'stroke-width': 3, 'stroke-dasharray': dashes }) +
    text(LEFT + 46, y + 12, shortened(name, fits))
  );
}
