// `sluice bench gradient`: lists at rising rates, until the server falls behind.
import { parseArgs } from 'node:util';
import { type CellKey, KINDS, RATES, runGradient, type Step } from '@sluice/bench';
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

const USAGE = `usage: sluice bench gradient [--only CELLS ...] [--rates R,R,...] [--subject ...] [--out DIR] [FLAGS]

Lists at each rate, whatever became of the lists before, until the server falls behind: it serves less than 0.9 of the
rate, or a list fails. Tells time, CPU and memory of each step, and the step where it fell behind.

  --only         what is listed, as KIND/REPRESENTATION/ENCODING/HTTP (configmaps,customresources/json/identity/h2), of
                 10,000 objects of 100 KB each
  --rates        lists per second (${RATES.join(',')})
  --seconds      for each rate (30), but at least four lists
  --limit        seconds for one list (60); one that takes longer has failed
${SERVER_USAGE}`;

type Plan = {
  servers: ServerSettings;
  cells: CellKey[];
  rates: number[];
  stepSeconds: number;
  answerSeconds: number;
};

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { servers, cells, ...options } = line.settings;
  await measuring(servers, ['on'], args, async (contestants, add) => {
    for (const key of cells) {
      for (const contestant of contestants) {
        const { name } = contestant.subject;
        const onStep = (step: Step) => say(`${key.kind}  ${name}  ${describe(step)}`);
        const cell = await runGradient(contestant, key, { ...options, onStep });
        add(cell);
        const knee = cell.knee == null ? undefined : cell.steps![cell.knee]!.load;
        const end = knee === undefined ? 'did not fall behind' : `fell behind at ${knee} lists a second`;
        process.stdout.write(`${cell.name}  ${name}: ${cell.reason ?? end}\n`);
      }
    }
  });
  return 0;
}

function describe({ load, measures, fellBehind }: Step): string {
  const { latency, serverCpu, rssPeakAboveStart } = measures;
  const shown = [
    `${load}/s`,
    latency && `median ${latency.median.toFixed(3)} s of ${latency.values.length}`,
    serverCpu && `CPU ${serverCpu.median.toFixed(3)} s a list`,
    rssPeakAboveStart && `memory +${(rssPeakAboveStart.max / 2 ** 20).toFixed(0)} MiB`,
    fellBehind && 'behind',
  ];
  return shown.filter(Boolean).join(', ');
}

const SIZES = { configmaps: '10000x100000', pods: '10000x0', customresources: '10000x100000' };

function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      ...SERVER_FLAGS,
      only: { type: 'string', multiple: true, default: ['configmaps,customresources/json/identity/h2'] },
      rates: { type: 'string', default: RATES.join(',') },
      seconds: { type: 'string', default: '30' },
      limit: { type: 'string', default: '60' },
    },
  });
  const cells = chooseLists(values.only);
  const kinds = KINDS.filter((kind) => cells.some((cell) => cell.kind === kind));
  return {
    servers: readServerFlags(values, kinds, SIZES),
    cells,
    rates: numbersOf('rates', values.rates),
    stepSeconds: readPositive('seconds', values.seconds),
    answerSeconds: readWholeNumber('limit', values.limit, 1),
  };
}
