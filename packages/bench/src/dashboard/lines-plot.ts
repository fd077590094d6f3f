// Draws lines on the page with uPlot: a cursor that mouse and arrow keys move, and what it stands on.
import uPlot from 'uplot';
import { amount } from './amounts.ts';
import { acrossLabel, aside, fitting, PLOT_HEIGHT, scalesOf } from './lines-svg.ts';
import type { Line, Lines, Point } from './sheet.ts';
import { FONT } from './svg.ts';
import { DASHES, type Theme } from './theme.ts';
import type { ScaleKind } from './view.ts';

/** Draws into `place`; `told` hears what stands under the cursor, and whether a key moved it. */
export function plotLines(
  place: HTMLElement,
  chart: Lines,
  scaleKind: ScaleKind,
  theme: Theme,
  told: (text: string, byKey: boolean) => void,
): { close(): void } {
  const xs = [...new Set(chart.lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort(
    (a, b) => a - b,
  );
  const byX = chart.lines.map(({ points }) => new Map(points.map((point) => [point.x, point])));
  const isShown = (y: number | null | undefined) => y != null && (scaleKind !== 'log' || y > 0);
  const data = byX.map((points) => xs.map((x) => heightAt(points, x, isShown)));
  let byKey = false;
  const plot = new uPlot(
    {
      ...{ width: Math.max(300, place.clientWidth), height: PLOT_HEIGHT },
      ...{ legend: { show: false }, padding: [12, 24, 0, 0] },
      cursor: { drag: { x: false, y: false }, points: { size: 9 } },
      scales: scaleOptions(chart, scaleKind),
      axes: axesOf(chart, scaleKind, theme),
      series: [{}, ...chart.lines.map((line) => seriesOf(line, theme))],
      hooks: {
        draw: [(drawn) => drawSpreads(drawn, chart, isShown, theme)],
        setCursor: [
          ({ cursor }) => {
            if (cursor.idx != null) told(describe(chart, xs[cursor.idx]!), byKey);
          },
        ],
      },
    },
    [xs, ...data] as uPlot.AlignedData,
    place,
  );
  const onKey = (event: KeyboardEvent) => {
    const at = moved(event.key, plot.cursor.idx ?? null, xs.length);
    if (at === undefined) return;
    event.preventDefault();
    byKey = true;
    plot.setCursor({ left: plot.valToPos(xs[at]!, 'x'), top: plot.over.clientHeight / 2 });
    byKey = false;
  };
  place.addEventListener('keydown', onKey);
  const resized = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(300, place.clientWidth), height: PLOT_HEIGHT }),
  );
  resized.observe(place);
  return {
    close() {
      resized.disconnect();
      place.removeEventListener('keydown', onKey);
      plot.destroy();
    },
  };
}

/** Curves with samples at other times have none here: undefined, over which uPlot draws on; null breaks the line. */
function heightAt(
  points: ReadonlyMap<number, Point>,
  x: number,
  isShown: (y: number | null) => boolean,
): number | null | undefined {
  const point = points.get(x);
  if (point === undefined) return undefined;
  return isShown(point.y) ? point.y : null;
}

function moved(key: string, at: number | null, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowRight') return at === null ? 0 : Math.min(at + 1, count - 1);
  if (key === 'ArrowLeft') return at === null ? count - 1 : Math.max(at - 1, 0);
  return undefined;
}

function scaleOptions(chart: Lines, scaleKind: ScaleKind): uPlot.Scales {
  const { x, y } = scalesOf(chart, scaleKind);
  return {
    x: { time: false, distr: chart.xScale === 'log' ? 3 : 1, range: [x.min, x.max] },
    y: { distr: scaleKind === 'log' ? 3 : 1, range: [y.min, y.max] },
  };
}

function axesOf(chart: Lines, scaleKind: ScaleKind, theme: Theme): uPlot.Axis[] {
  const { x, y } = scalesOf(chart, scaleKind);
  const look = {
    ...{ stroke: theme.quiet, font: `12px ${FONT}`, labelFont: `13px ${FONT}` },
    ticks: { stroke: theme.rule, width: 1 },
    // What isn't to be shown is left out of `splits` itself.
    filter: (_: uPlot, splits: number[]) => splits,
  };
  return [
    {
      ...look,
      ...{ label: chart.across, labelSize: 22, size: 36, grid: { show: false } },
      splits: (plot) => fitting(x.ticks, plot.width / 120),
      values: (_, splits) => splits.map((value) => acrossLabel(chart, value)),
    },
    {
      ...look,
      ...{ size: 76, grid: { stroke: theme.rule, width: 1 } },
      splits: () => y.ticks,
      values: (_, splits) => splits.map((value) => amount(value, chart.unit)),
    },
  ];
}

function seriesOf({ name, colour, points }: Line, theme: Theme): uPlot.Series {
  const stroke = theme.palette[colour % theme.palette.length]!;
  const isMeasured = points.some(({ low }) => low !== undefined);
  return {
    ...{ label: name, stroke, width: 2, dash: DASHES[colour % DASHES.length]!, spanGaps: false },
    points: { show: isMeasured || points.length === 1, size: 7, fill: stroke },
  };
}

/** Whiskers, and a ring around the knee. */
function drawSpreads(plot: uPlot, chart: Lines, isShown: (y: number | null) => boolean, theme: Theme): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  for (const [index, { points, colour }] of chart.lines.entries()) {
    const shift = aside(index, chart) * ratio;
    ctx.strokeStyle = theme.palette[colour % theme.palette.length]!;
    ctx.lineWidth = 1.5 * ratio;
    for (const { x, y, low, high, mark } of points) {
      if (!isShown(y) || low === undefined || high === undefined) continue;
      const across = plot.valToPos(x, 'x', true);
      ctx.beginPath();
      ctx.moveTo(across + shift, plot.valToPos(isShown(low) ? low : y!, 'y', true));
      ctx.lineTo(across + shift, plot.valToPos(high, 'y', true));
      ctx.stroke();
      if (mark !== undefined) ring(ctx, across, plot.valToPos(y!, 'y', true), mark, ratio, theme);
    }
  }
  ctx.restore();
}

function ring(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  mark: string,
  ratio: number,
  theme: Theme,
): void {
  ctx.save();
  ctx.strokeStyle = theme.ink;
  ctx.fillStyle = theme.ink;
  ctx.font = `600 ${13 * ratio}px ${FONT}`;
  ctx.textAlign = 'right';
  ctx.beginPath();
  ctx.arc(x, y, 8 * ratio, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.fillText(mark, x - 12 * ratio, y - 10 * ratio);
  ctx.restore();
}

function describe(chart: Lines, x: number): string {
  const figures = chart.lines.flatMap(({ name, points }) => {
    const point = pointAt(points, x);
    if (point?.y == null) return [];
    const { y, low, high, mark } = point;
    const span = low === undefined ? '' : ` (${amount(low, chart.unit)} to ${amount(high!, chart.unit)})`;
    return [`${name}: ${amount(y, chart.unit)}${span}${mark ? `, ${mark}` : ''}`];
  });
  return `${acrossLabel(chart, x)}: ${figures.join('; ') || 'nothing measured'}`;
}

/** Of a curve that has no sample there, the one before. */
function pointAt(points: readonly Point[], x: number): Point | undefined {
  const before = points.findLast((point) => point.x <= x);
  const isCurve = before?.low === undefined && x <= (points.at(-1)?.x ?? x);
  return before?.x === x || isCurve ? before : undefined;
}
