// From values to places on an axis, linear or logarithmic, with ticks at round values.
import type { ScaleKind } from './view.ts';

export type Scale = {
  min: number;
  max: number;
  ticks: number[];
  /** 0 at the axis' beginning, 1 at its end; null: it can't be shown (not above zero on a logarithmic axis). */
  place(value: number): number | null;
};

const TICKS_WANTED = 6;
/** Round numbers within a decade. */
const STEPS = [1, 2, 5, 10];

export function scaleOf(values: readonly number[], kind: ScaleKind): Scale {
  return kind === 'log' ? logarithmic(values.filter((value) => value > 0)) : linear(values);
}

function linear(values: readonly number[]): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const rough = (most - least || 1) / TICKS_WANTED;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * STEPS.find((factor) => decade * factor >= rough * 0.999)!;
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const ticks = range(first, last).map((at) => Number((at * step).toPrecision(12)));
  const [min, max] = [ticks[0]!, ticks.at(-1)!];
  return { min, max, ticks, place: (value) => (value - min) / (max - min) };
}

function logarithmic(values: readonly number[]): Scale {
  const least = values.length > 0 ? Math.min(...values) : 1;
  const most = values.length > 0 ? Math.max(...values) : 1;
  const round = range(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))).flatMap((power) =>
    STEPS.slice(0, 3).map((factor) => Number(`${factor}e${power}`)),
  );
  const below = round.filter((value) => value <= least).at(-1) ?? least;
  const above = round.find((value) => value >= most && value > below) ?? below * 10;
  const within = [...round.filter((value) => value >= below && value < above), above];
  const decades = within.filter((value) => Number.isInteger(Number(Math.log10(value).toFixed(9))));
  const ticks = within.length > 2 * TICKS_WANTED ? decades : within;
  const width = Math.log(above / below);
  const place = (value: number) => (value > 0 ? Math.log(value / below) / width : null);
  return { min: below, max: above, ticks, place };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
