// `sluice bench start`: how long Sluice takes until it can answer, and its memory then, empty and with objects stored.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS, type Kind, measureOf } from '@sluice/bench';
import { readCommandLine } from '../command-line.ts';
import { readKubeconfig } from '../kubeconfig.ts';
import { startOwnServer } from '../own-server.ts';
import { readWholeNumber } from '../whole-number.ts';
import { fillServer, OWN_NAME, restingMemory, type Sizes } from './contestants.ts';
import { say } from './measuring.ts';
import { readSize } from './server-flags.ts';

const USAGE = `usage: sluice bench start [--configmaps COUNTxBYTES] [--pods COUNTxBYTES] [--customresources COUNTxBYTES]
                          [--starts N]

Starts Sluice again and again on an empty directory, then on one with objects (10,000 ConfigMaps of 100 KB each unless told
otherwise). Tells the seconds from the start of its process to its ready line, and its memory once it grows no more:
RssAnon + RssShmem, where the system tells. A start with objects reads what the one before it wrote: its files are in
the page cache.

  --starts       of each directory (5)
`;

type Plan = { sizes: Sizes; starts: number };

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { sizes, starts } = line.settings;
  const directory = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  try {
    const empty = await measureStarts(starts, (round) => join(directory, `empty-${round}`));
    print('empty', empty);
    const filled = join(directory, 'filled');
    const bytes = await fillDirectory(filled, sizes);
    const full = await measureStarts(starts, () => filled);
    print(`${Object.keys(sizes).join(', ')}: ${(bytes / 1e6).toFixed(0)} MB of JSON`, full);
    if (full.memory !== undefined) {
      const above = full.memory - empty.memory!;
      process.stdout.write(`above the empty server: ${(above / bytes).toFixed(2)}x their JSON\n`);
    }
    return 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Starts = { readySeconds: number[]; memory: number | undefined };

/** Memory is that of the first start: a server that has just been started, and did nothing else. */
async function measureStarts(starts: number, directoryOf: (round: number) => string): Promise<Starts> {
  const readySeconds: number[] = [];
  let memory: number | undefined;
  for (let round = 0; round < starts; round++) {
    const server = await startOwnServer(storedIn(directoryOf(round)));
    readySeconds.push(server.readySeconds);
    if (round === 0) memory = await restingMemory(server.pid);
    await server.stop();
  }
  return { readySeconds, memory };
}

/** Bytes of JSON that it holds then. */
async function fillDirectory(directory: string, sizes: Sizes): Promise<number> {
  say('filling it');
  const { kubeconfig, pid, stop } = await startOwnServer(storedIn(directory));
  try {
    const objects = await fillServer({ ...readKubeconfig(kubeconfig), name: OWN_NAME, pid }, sizes);
    return Object.values(objects).reduce((sum, { bytes }) => sum + bytes, 0);
  } finally {
    await stop();
  }
}

function storedIn(directory: string): string[] {
  return ['--in-memory=false', '--data-dir', directory];
}

function print(what: string, { readySeconds, memory }: Starts): void {
  const { min, median, max } = measureOf('latency', readySeconds)!;
  const seconds = [median, min, max].map((value) => value.toFixed(2));
  const memoryText = memory === undefined ? '' : `, memory ${(memory / 1e6).toFixed(0)} MB`;
  process.stdout.write(
    `${what}: ready in ${seconds[0]} s (${seconds[1]} to ${seconds[2]}, ${readySeconds.length} starts)${memoryText}\n`,
  );
}

function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      configmaps: { type: 'string' },
      pods: { type: 'string' },
      customresources: { type: 'string' },
      starts: { type: 'string', default: '5' },
    },
  });
  const told = KINDS.flatMap((kind): [Kind, string][] =>
    values[kind] === undefined ? [] : [[kind, values[kind]]],
  );
  const wanted: readonly [Kind, string][] = told.length > 0 ? told : [['configmaps', '10000x100000']];
  return {
    sizes: Object.fromEntries(wanted.map(([kind, text]) => [kind, readSize(kind, text)])),
    starts: readWholeNumber('starts', values.starts, 1),
  };
}
