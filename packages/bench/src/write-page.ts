// Writes the page of results: one file that needs nothing else, nor a network.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './results-file.ts';

/** In a directory of results. */
export const PAGE_FILE = 'index.html';
/** So many runs of a history are drawn, the newest, and so much of their text: a browser must hold it. */
export const PAGE_RUNS_MAX = 100;
export const PAGE_DATA_MAX_BYTES: number = 48 * 1024 * 1024;

/** What stands in the page. */
export type PageData = {
  /** Oldest first. */
  runs: Recorded[];
  /** How many were left out. */
  olderRuns: number;
};

export type PageOptions = {
  /** One run, or a history in any order; a run that is there twice is drawn once. */
  runs: readonly Recorded[];
  /** The directory it is written to, made if need be. */
  out: string;
};

/** Returns the path of the page that was written. */
export function writePage({ runs, out }: PageOptions): string {
  const unique = new Map(runs.map((recorded) => [recorded.run.id, recorded]));
  const texts = [...unique.values()]
    .sort((a, b) => (a.run.id < b.run.id ? 1 : -1))
    .map((recorded) => JSON.stringify(recorded));
  const kept = texts.slice(0, fitting(texts)).reverse();
  const olderRuns = texts.length - kept.length;
  // No text of a result may end the element that holds it.
  const data = `{"runs":[${kept.join(',')}],"olderRuns":${olderRuns}}`.replaceAll('<', '\\u003c');
  const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
  const path = join(out, PAGE_FILE);
  mkdirSync(out, { recursive: true });
  writeFileSync(
    path,
    page.replace('/*RESULTS*/', () => data),
  );
  return path;
}

/** The first is drawn however large it is. */
function fitting(texts: readonly string[]): number {
  let bytes = 0;
  const beyond = texts.findIndex((text, at) => {
    bytes += Buffer.byteLength(text);
    return at > 0 && (at === PAGE_RUNS_MAX || bytes > PAGE_DATA_MAX_BYTES);
  });
  return beyond === -1 ? texts.length : beyond;
}
