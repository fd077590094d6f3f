// Draws figures side by side as SVG: a bar for each subject, a whisker for its spread, and what the rule says of them.
import { amount } from './amounts.ts';
import { spoken } from './compare-sheet.ts';
import { shortened } from './names.ts';
import { type Scale, scaleOf } from './scale.ts';
import type { Bar, Bars } from './sheet.ts';
import { element, escaped, LETTER_WIDTH, line, text, title } from './svg.ts';
import type { Theme } from './theme.ts';
import type { ScaleKind } from './view.ts';

const BAR_HEIGHT = 14;
const BAR_STEP = 22;
const NAME_HEIGHT = 24;
const GROUP_GAP = 14;
const AXIS_HEIGHT = 26;
/** Room for subjects' names at the left, no more than a share of the width. */
const NAMES_SHARE = 0.26;
/** Room for figure and verdict at the right. */
const NOTES_WIDTH = 250;
/** Below that width a verdict is told shorter. */
const NARROW = 640;
const NARROW_NOTES_WIDTH = 180;

export function barsHeight({ groups }: Bars): number {
  const rows = groups.map(({ bars }) => NAME_HEIGHT + bars.length * BAR_STEP + GROUP_GAP);
  return AXIS_HEIGHT + rows.reduce((sum, height) => sum + height, 0);
}

export function barsSvg(chart: Bars, width: number, scaleKind: ScaleKind, theme: Theme): string {
  const values = chart.groups.flatMap(({ bars }) =>
    bars.flatMap(({ spread }) => (spread ? [spread.value, spread.low, spread.high] : [])),
  );
  const scale = scaleOf(values, scaleKind);
  const longest = Math.max(0, ...chart.legend.map((name) => name.length)) * LETTER_WIDTH + 12;
  const left = Math.min(longest, width * NAMES_SHARE);
  const right = width - (width < NARROW ? NARROW_NOTES_WIDTH : NOTES_WIDTH);
  const place: Place = { left, right, scale, scaleKind, theme, chart, width };
  const height = barsHeight(chart);
  const parts = [axis(place, height)];
  let y = AXIS_HEIGHT;
  for (const { name, bars } of chart.groups) {
    const fits = Math.floor(width / LETTER_WIDTH);
    parts.push(element('g', { 'font-weight': 600 }, title(name), text(0, y + 15, shortened(name, fits))));
    y += NAME_HEIGHT;
    for (const bar of bars) {
      parts.push(drawBar(bar, y, place));
      y += BAR_STEP;
    }
    y += GROUP_GAP;
  }
  return parts.join('');
}

type Place = {
  left: number;
  right: number;
  width: number;
  scale: Scale;
  scaleKind: ScaleKind;
  theme: Theme;
  chart: Bars;
};

function axis({ left, right, scale, theme, chart }: Place, height: number): string {
  let free = Number.NEGATIVE_INFINITY;
  return scale.ticks
    .map((tick) => {
      const x = left + scale.place(tick)! * (right - left);
      const label = amount(tick, chart.unit);
      const half = (label.length * LETTER_WIDTH) / 2;
      const isFree = x - half > free;
      if (isFree) free = x + half + 8;
      const grid = line(x, AXIS_HEIGHT - 6, x, height - GROUP_GAP, theme.rule);
      return isFree
        ? grid + text(x, 14, label, { 'text-anchor': 'middle', fill: theme.quiet, 'font-size': 12 })
        : grid;
    })
    .join('');
}

function drawBar(bar: Bar, y: number, place: Place): string {
  const { left, theme, chart } = place;
  const middle = y + BAR_HEIGHT / 2;
  const fits = Math.floor((left - 8) / LETTER_WIDTH);
  const name = text(left - 8, middle + 4, shortened(bar.subject, fits), {
    'text-anchor': 'end',
    fill: theme.quiet,
  });
  const inside = bar.spread === undefined ? noteOnly(bar, middle, place) : figure(bar, y, place);
  return element(
    'g',
    {},
    title(spoken(bar, chart.unit)),
    name,
    inside,
    line(left, y - 3, left, y + BAR_HEIGHT + 3, theme.quiet),
  );
}

function noteOnly({ note }: Bar, middle: number, { left, width, theme }: Place): string {
  const fits = Math.min(REASON_LETTERS_MAX, Math.floor((width - left - 8) / LETTER_WIDTH));
  const [told, ...more] = note.replace(/\s+/g, ' ').match(new RegExp(`.{1,${Math.max(1, fits)}}`, 'g')) ?? [
    '',
  ];
  return text(left + 8, middle + 4, told! + (more.length > 0 ? '…' : ''), {
    ...{ fill: theme.quiet, 'font-style': 'italic' },
    ...halo(theme),
  });
}

/** Reasons are whole in the table. */
const REASON_LETTERS_MAX = 80;

/** Text stays readable where lines of the axis cross it. */
function halo({ ground }: Theme): Record<string, string | number> {
  return { stroke: ground, 'stroke-width': 4, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
}

function figure(bar: Bar, y: number, { left, right, scale, scaleKind, theme, chart, width }: Place): string {
  const { value, low, high } = bar.spread!;
  const colour = theme.palette[bar.colour % theme.palette.length]!;
  const middle = y + BAR_HEIGHT / 2;
  const at = (of: number) => left + (scale.place(of) ?? 0) * (right - left);
  const zero = scaleKind === 'log' ? left : at(0);
  const spread = whisker(at(low), at(high), middle, theme);
  const thin = { 'stroke-width': 2, 'stroke-dasharray': '1 4' };
  const shape =
    scaleKind === 'log'
      ? line(left, middle, at(value), middle, colour, thin) + spread + dot(at(value), middle, colour, theme)
      : rectangle(Math.min(zero, at(value)), y, Math.max(1, Math.abs(at(value) - zero)), colour) + spread;
  const noteX = Math.max(at(high), at(value), zero) + 10;
  const shown = amount(value, chart.unit);
  const note = width < NARROW ? bar.note.replace(/ \(.*/, '') : bar.note;
  const tone = bar.tone === 'quiet' ? theme.quiet : theme[bar.tone];
  return [
    shape,
    element(
      'text',
      { x: noteX, y: middle + 4, ...halo(theme) },
      element('tspan', { 'font-weight': 600 }, shown),
      note === '' ? '' : element('tspan', { dx: 8, fill: tone, 'font-size': 12 }, escaped(note)),
    ),
  ].join('');
}

/** From the axis on; a logarithmic one has no zero that a bar could begin at, so there it is a dot. */
function rectangle(x: number, y: number, width: number, fill: string): string {
  return element('rect', { x, y, width, height: BAR_HEIGHT, rx: 2, fill });
}

function dot(cx: number, cy: number, fill: string, { ground }: Theme): string {
  return element('circle', { cx, cy, r: 5.5, fill, stroke: ground, 'stroke-width': 1.5 });
}

/** Outlined in the ground's colour, so that it is seen on its bar as well as beside it. */
function whisker(low: number, high: number, y: number, theme: Theme): string {
  if (high - low < 1) return '';
  const path = `M${low.toFixed(1)} ${y - 4}v8M${low.toFixed(1)} ${y}H${high.toFixed(1)}M${high.toFixed(1)} ${y - 4}v8`;
  return (
    element('path', { d: path, stroke: theme.ground, 'stroke-width': 4, fill: 'none' }) +
    element('path', { d: path, stroke: theme.ink, 'stroke-width': 1.5, fill: 'none' })
  );
}
