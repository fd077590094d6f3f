// Reads and writes results.jsonl: lines as results.ts has them.
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, type Line, RESULTS_SCHEMA, type Run } from './results.ts';

/** In a directory of results. */
export const RESULTS_FILE = 'results.jsonl';

export type Recorded = { run: Run; cells: Cell[] };

/** Begins a file anew. Each cell is on disk once it is added: what broke off can be read as far as it came. */
export function openResults(file: string, run: Run): { add(cell: Cell): void } {
  writeFileSync(file, line(run));
  return { add: (cell) => appendFileSync(file, line(cell)) };
}

/** What a file adds to a history: behind all that is there. */
export function appendToHistory(history: string, file: string): void {
  appendFileSync(history, readFileSync(file));
}

/**
 * The runs of a results file, a history, or a directory of results, oldest first.
 * @throws Error that names the file and the line
 */
export function readResults(path: string): Recorded[] {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, RESULTS_FILE) : path;
  const runs: Recorded[] = [];
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text === '') continue;
    const where = `${file}, line ${index + 1}`;
    const read = parse(text, where);
    if (read.type === 'cell') {
      if (runs.length === 0) throw new Error(`${where}: a cell before any run`);
      runs.at(-1)!.cells.push(read);
    } else if (read.schema === RESULTS_SCHEMA) {
      runs.push({ run: read, cells: [] });
    } else {
      throw new Error(`${where}: results of schema ${read.schema}, not ${RESULTS_SCHEMA}`);
    }
  }
  if (runs.length === 0) throw new Error(`${file}: no results`);
  return runs;
}

function parse(text: string, where: string): Line {
  try {
    const read = JSON.parse(text) as Line;
    if (read.type === 'run' || read.type === 'cell') return read;
  } catch {
    // Told below: neither is a line of results.
  }
  throw new Error(`${where}: no line of results`);
}

function line(read: Line): string {
  return `${JSON.stringify(read)}\n`;
}
