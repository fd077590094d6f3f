// Writes the page of results: one file that needs nothing else, nor a network.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './results-file.ts';

/** In a directory of results. */
export const PAGE_FILE = 'index.html';
/** So many runs of a history are drawn, the newest. */
export const PAGE_RUNS_MAX = 100;

export type PageOptions = {
  /** One run, or a history in any order; a run that is there twice is drawn once. */
  runs: readonly Recorded[];
  /** The directory it is written to, made if need be. */
  out: string;
};

/** Returns the path of the page that was written. */
export function writePage({ runs, out }: PageOptions): string {
  const unique = new Map(runs.map((recorded) => [recorded.run.id, recorded]));
  const newest = [...unique.values()].sort((a, b) => (a.run.id < b.run.id ? -1 : 1)).slice(-PAGE_RUNS_MAX);
  // No text of a result may end the element that holds it.
  const data = JSON.stringify(newest).replaceAll('<', '\\u003c');
  const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
  const path = join(out, PAGE_FILE);
  mkdirSync(out, { recursive: true });
  writeFileSync(
    path,
    page.replace('/*RESULTS*/', () => data),
  );
  return path;
}
