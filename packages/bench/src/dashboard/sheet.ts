// What a view comes to, before anything is drawn: a chart, the same as a table, and in a sentence.
import type { Measure, Unit } from '../results.ts';

export type Sheet = {
  title: string;
  /** In words, for those who don't see the chart, and above it for all. */
  summary: string;
  /** Null: nothing that could be drawn. */
  chart: Bars | Lines | null;
  table: Table;
};

export type Bars = { kind: 'bars'; unit: Unit; groups: BarGroup[]; legend: string[] };

export type BarGroup = { name: string; bars: Bar[] };

export type Bar = {
  subject: string;
  /** Of the palette. */
  colour: number;
  /** Undefined: there is a note in its place. */
  spread: Spread | undefined;
  note: string;
  tone: 'better' | 'worse' | 'quiet';
};

/** A figure, and what its whisker spans: the least value to the ninetieth of a hundred. */
export type Spread = { value: number; low: number; high: number };

export type Lines = {
  kind: 'lines';
  unit: Unit;
  /** What x is. */
  across: string;
  xScale: 'linear' | 'log' | 'ordinal';
  /** Of ordinal x: 0 is the first. */
  labels: string[];
  lines: Line[];
};

export type Line = { name: string; colour: number; points: Point[] };

/** Y is null where nothing was measured: the line is broken there. */
export type Point = { x: number; y: number | null; low?: number; high?: number; mark?: string };

export type Table = { caption: string; columns: string[]; rows: Row[] };
/** The first is the row's head. */
export type Row = (string | number)[];

/** A measure's columns in every table. */
export const FIGURES = ['min', 'median', 'p90', 'p99', 'max', 'values'] as const;

export function figuresOf(measure: Measure | undefined): Row {
  return FIGURES.map((name) => (name === 'values' ? (measure?.values.length ?? 0) : (measure?.[name] ?? '')));
}

/** So many bars' groups and lines are drawn; the table has all. */
export const GROUPS_MAX = 80;
export const LINES_MAX = 8;

export function shownOf(shown: number, all: number, what: string): string {
  return all > shown ? ` The picture shows the first ${shown} of ${all} ${what}; the table has all.` : '';
}
