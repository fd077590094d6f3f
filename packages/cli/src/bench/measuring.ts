// What every measuring subcommand does around its cells: opens and fills servers, measures the clients, writes results down, draws them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  appendToHistory,
  type Cell,
  type Contestant,
  measureCeilings,
  openResults,
  RESULTS_FILE,
  readResults,
  writePage,
} from '@sluice/bench';
import { makeCertificates } from '../certificates.ts';
import { openContestants } from './contestants.ts';
import type { ServerSettings } from './server-flags.ts';
import { describeRun } from './surroundings.ts';

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `work` adds each cell as soon as it is measured. */
export async function measuring(
  settings: ServerSettings,
  gates: readonly ('on' | 'off')[],
  flags: readonly string[],
  work: (contestants: readonly Contestant[], add: (cell: Cell) => void) => Promise<void>,
): Promise<Cell[]> {
  const { subjects, own, sizes, out, history } = settings;
  const { all, close } = await openContestants(subjects, own ? gates : [], sizes, say);
  try {
    const ceilings = await readCeilings();
    mkdirSync(out, { recursive: true });
    const file = join(out, RESULTS_FILE);
    const results = openResults(file, await describeRun(all, flags, ceilings));
    const cells: Cell[] = [];
    await work(all, (cell) => {
      cells.push(cell);
      results.add(cell);
    });
    if (history !== undefined) appendToHistory(history, file);
    const page = writePage({ runs: readResults(history ?? file), out });
    process.stdout.write(`${cells.length} results in ${file}, drawn in ${page}\n`);
    return cells;
  } finally {
    await close();
  }
}

async function readCeilings(): Promise<Record<string, number>> {
  const { authority, serving } = await makeCertificates(['127.0.0.1'], new Date());
  return measureCeilings({ key: serving.key, cert: serving.cert, ca: authority.cert });
}
