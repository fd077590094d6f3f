// `sluice bench compare`: what changed between two runs beyond noise, and whether it is too much.
import { parseArgs } from 'node:util';
import { type Change, compareRuns, type Recorded, readResults, regressionsOf } from '@sluice/bench';
import { readCommandLine } from '../command-line.ts';

const USAGE = `usage: sluice bench compare BEFORE AFTER [--max-regression SHARE]
       sluice bench compare HISTORY      its last two runs

  BEFORE, AFTER     results.jsonl, or a directory that has one
  --max-regression  by how much a figure may be worse, such as 0.1 for 10%

Prints what differs beyond noise: of the ratios of all pairs of values an interval that holds the true ratio in 95 of
100 cases must leave out 1, and the typical ratio be 2% away from it. Exit code 1 when a figure is worse by more than
the share, or a cell is no longer measured.
`;

type Settings = { files: string[]; maxRegression: number };

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { files, maxRegression } = line.settings;
  const [before, after] = readTwo(files);
  const comparison = compareRuns(before, after);
  const { changes, compared, lost } = comparison;
  const lines = [
    `${before.run.id} → ${after.run.id}: ${changes.length} of ${compared} figures differ`,
    ...lost,
    ...changes.map(describe),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const regressions = regressionsOf(comparison, maxRegression);
  if (regressions.length === 0) return 0;
  process.stdout.write(`${regressions.length} worse than allowed:\n  ${regressions.join('\n  ')}\n`);
  return 1;
}

function readTwo(files: readonly string[]): [Recorded, Recorded] {
  const runs = files.map(readResults);
  const [before, after] = files.length === 1 ? runs[0]!.slice(-2) : runs.map((all) => all.at(-1)!);
  if (before === undefined || after === undefined) throw new Error(`${files[0]} holds one run only`);
  return [before, after];
}

function describe({ cell, subject, measure, before, after, verdict, worse }: Change): string {
  const word = worse === null ? 'other' : worse > 0 ? 'worse' : 'better';
  const { ratio, low, high } = verdict;
  const factor = ratio === null ? '' : `  x${ratio.toFixed(3)} (${low?.toFixed(3)}–${high?.toFixed(3)})`;
  return `${word.padEnd(6)}  ${cell}  ${subject}  ${measure}  ${before} → ${after}${factor}`;
}

/** Without a limit nothing that is only slower is too much. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

function readSettings(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'max-regression': { type: 'string' } },
  });
  if (positionals.length < 1 || positionals.length > 2) throw new Error('two results must be named');
  const text = values['max-regression'];
  const maxRegression = text === undefined ? NO_LIMIT : Number(text);
  if (text === '' || !(maxRegression >= 0)) throw new Error('--max-regression must be a share such as 0.1');
  return { files: positionals, maxRegression };
}
