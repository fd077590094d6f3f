// `sluice bench readers`: readers that read slowly or have vanished, ten to a thousand of them, and what each costs the server.
import { parseArgs } from 'node:util';
import { type CellKey, type Idleness, KINDS, READER_COUNTS, runIdleReaders, type Step } from '@sluice/bench';
import { readCommandLine } from '../command-line.ts';
import { readWholeNumber } from '../whole-number.ts';
import { measuring, say } from './measuring.ts';
import {
  readPositive,
  readServerFlags,
  SERVER_FLAGS,
  SERVER_USAGE,
  type ServerSettings,
} from './server-flags.ts';
import { chooseLists, numbersOf } from './stepped.ts';

const USAGE = `usage: sluice bench readers [--only CELLS ...] [--counts N,N,...] [--subject ...] [--out DIR] [FLAGS]

So many readers ask for a list, each on a connection of its own, and read it slowly (a chunk twice a second), or nothing
of it (vanished), while another one lists as usual. Tells the server's memory for each, up to the number where one of
them is not answered or the usual list fails.

  --only         what is listed, as KIND/REPRESENTATION/ENCODING/HTTP (pods/json/identity/h2)
  --idle         slow or vanished; else one behind the other
  --counts       how many (${READER_COUNTS.join(',')})
  --seconds      how long each number of them stays (10)
  --limit        seconds for an answer to begin, and for the usual list (30)
${SERVER_USAGE}`;

type Plan = {
  servers: ServerSettings;
  cells: CellKey[];
  idlenesses: Idleness[];
  counts: number[];
  staySeconds: number;
  answerSeconds: number;
};

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { servers, cells, idlenesses, ...options } = line.settings;
  await measuring(servers, ['on'], args, async (contestants, add) => {
    for (const key of cells) {
      for (const idleness of idlenesses) {
        for (const contestant of contestants) {
          const { name } = contestant.subject;
          const onStep = (step: Step) => say(`${key.kind}  ${name}  ${describe(idleness, step)}`);
          add(await runIdleReaders(contestant, key, { ...options, idleness, onStep }));
        }
      }
    }
  });
  return 0;
}

function describe(idleness: Idleness, { load, measures, fellBehind }: Step): string {
  const { latency, memoryPerReader } = measures;
  const shown = [
    `${load} ${idleness}`,
    memoryPerReader && `${(memoryPerReader.median / 2 ** 10).toFixed(0)} KiB each`,
    latency && `another one's list ${latency.median.toFixed(3)} s`,
    fellBehind && 'behind',
  ];
  return shown.filter(Boolean).join(', ');
}

const SIZES = { configmaps: '200x100000', pods: '1000x0', customresources: '1000x0' };

function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      ...SERVER_FLAGS,
      only: { type: 'string', multiple: true, default: ['pods/json/identity/h2'] },
      idle: { type: 'string' },
      counts: { type: 'string', default: READER_COUNTS.join(',') },
      seconds: { type: 'string', default: '10' },
      limit: { type: 'string', default: '30' },
    },
  });
  const cells = chooseLists(values.only);
  const { idle } = values;
  if (idle !== undefined && idle !== 'slow' && idle !== 'vanished') {
    throw new Error('--idle must be slow or vanished');
  }
  return {
    servers: readServerFlags(
      values,
      KINDS.filter((kind) => cells.some((cell) => cell.kind === kind)),
      SIZES,
    ),
    cells,
    idlenesses: idle === undefined ? ['slow', 'vanished'] : [idle],
    counts: numbersOf('counts', values.counts),
    staySeconds: readPositive('seconds', values.seconds),
    answerSeconds: readWholeNumber('limit', values.limit, 1),
  };
}
