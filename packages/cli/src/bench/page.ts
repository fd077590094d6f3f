// `sluice bench page`: draws the page of results that are there already.
import { parseArgs } from 'node:util';
import { readResults, writePage } from '@sluice/bench';
import { readCommandLine } from '../command-line.ts';

const USAGE = `usage: sluice bench page RESULTS ... --out DIR

  RESULTS  results.jsonl, a history of several runs, or a directory of results; several are drawn together
  --out    where index.html goes, which needs nothing else

The page shows subjects side by side, runs over time, memory while cells ran, and gradients.
`;

type Settings = { files: string[]; out: string };

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { files, out } = line.settings;
  process.stdout.write(`${writePage({ runs: files.flatMap(readResults), out })}\n`);
  return 0;
}

function readSettings(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { out: { type: 'string' } },
  });
  if (positionals.length === 0) throw new Error('results must be named');
  if (!values.out) throw new Error('--out must name a directory');
  return { files: positionals, out: values.out };
}
