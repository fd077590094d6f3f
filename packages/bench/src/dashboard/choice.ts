// What there is to choose from, and the cells that a view has chosen.
import { type Cell, MEASURES, type MeasureName, type Run } from '../results.ts';
import type { Recorded } from '../results-file.ts';
import { EVERY_RUN, FACETS, type Facet, facetsOf, type Show, type View } from './view.ts';

export type Entry = { run: Run; cell: Cell };

export type Option = { value: string; count: number };

export type Choice = {
  /** The view, with what isn't there replaced by what is. */
  view: View;
  entries: Entry[];
  /** Runs that have something to show, oldest first. */
  runs: Run[];
  options: Record<Facet, Option[]>;
  measures: string[];
  subjects: string[];
};

/** Measures of the memory curve. */
export const CURVES: Readonly<Record<string, string>> = {
  memory: 'resident memory of the server',
  memoryAboveStart: 'resident memory of the server above its first sample',
};

export function choose(all: readonly Recorded[], asked: View): Choice {
  const usable = all
    .flatMap(({ run, cells }) => cells.map((cell) => ({ run, cell })))
    .filter(({ cell }) => isUsable(cell, asked.show));
  const runs = [...new Set(usable.map(({ run }) => run))];
  const run = chooseRun(runs, asked);
  const there = usable.filter((entry) => run === EVERY_RUN || entry.run.id === run);
  const facets = facetsOf((facet) =>
    there.some((entry) => facetOf(entry, facet) === asked.facets[facet]) ? asked.facets[facet] : '',
  );
  const words = asked.words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = there.filter((entry) => words.every((word) => textOf(entry).includes(word)));
  const entries = found.filter((entry) => isChosen(entry, facets));
  const measures = measuresOf(asked.show, there);
  const subjects = [...new Set(there.flatMap((entry) => entry.run.subjects.map(({ name }) => name)))];
  const view: View = {
    ...asked,
    run,
    facets,
    measure: measures.includes(asked.measure) ? asked.measure : (measures[0] ?? ''),
    base: subjects.includes(asked.base) ? asked.base : (subjects.at(-1) ?? ''),
  };
  const options = Object.fromEntries(
    FACETS.map((facet) => [facet, optionsOf(facet, there, found, facets)]),
  ) as Record<Facet, Option[]>;
  return { view, entries, runs, options, measures, subjects };
}

/** What is looked at when nothing is asked for: plain lists as clients make them. */
export const USUAL_FACETS: Readonly<Partial<Record<Facet, string>>> = {
  job: 'list',
  http: 'h2',
  readers: '1',
  gate: 'on',
};

export function facetOf({ cell }: Entry, facet: Facet): string {
  return String(cell[facet]);
}

function isUsable({ steps, memory }: Cell, show: Show): boolean {
  if (show === 'gradient') return steps !== undefined;
  if (show === 'memory') return memory !== undefined || steps?.some((step) => step.memory) === true;
  return steps === undefined;
}

function chooseRun(runs: readonly Run[], { show, run }: View): string {
  if (show === 'history') return EVERY_RUN;
  if (run === EVERY_RUN && show !== 'compare') return run;
  if (runs.some(({ id }) => id === run)) return run;
  const severalSubjects =
    show === 'compare' ? runs.findLast(({ subjects }) => subjects.length > 1) : undefined;
  return (severalSubjects ?? runs.at(-1))?.id ?? '';
}

function isChosen(entry: Entry, facets: Record<Facet, string>, except?: Facet): boolean {
  return FACETS.every(
    (facet) => facet === except || facets[facet] === '' || facetOf(entry, facet) === facets[facet],
  );
}

/** All values, each with the number of cells that choosing it would leave. */
function optionsOf(
  facet: Facet,
  there: readonly Entry[],
  found: readonly Entry[],
  facets: Record<Facet, string>,
): Option[] {
  const counts = new Map<string, number>();
  for (const entry of there) counts.set(facetOf(entry, facet), 0);
  for (const entry of found) {
    const value = facetOf(entry, facet);
    if (isChosen(entry, facets, facet)) counts.set(value, counts.get(value)! + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function measuresOf(show: Show, entries: readonly Entry[]): string[] {
  if (show === 'memory') return Object.keys(CURVES);
  const taken = entries.flatMap(({ cell }) =>
    show === 'gradient' ? (cell.steps ?? []).map(({ measures }) => measures) : [cell.measures],
  );
  return (Object.keys(MEASURES) as MeasureName[]).filter((name) => taken.some((measures) => measures[name]));
}

function textOf({ cell }: Entry): string {
  return `${cell.name} ${cell.subject}`.toLowerCase();
}
