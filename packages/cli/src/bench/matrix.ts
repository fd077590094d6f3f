// `sluice bench`: the whole table, against Sluices of its own and any server that is named.
import { parseArgs } from 'node:util';
import {
  allCells,
  type Cell,
  type CellKey,
  cellName,
  judgeMemory,
  KINDS,
  quickCells,
  runBench,
  selectCells,
  standardCells,
} from '@sluice/bench';
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

const USAGE = `usage: sluice bench [--quick] [--only CELLS ...] [--subject ...] [--out DIR] [FLAGS]
       sluice bench list | gradient | readers | start | compare | page      --help tells more of each

Starts Sluice on a directory that it removes again, fills it, measures cell by cell, and writes DIR/results.jsonl
and a page that draws it, DIR/index.html.
A cell is named KIND/REPRESENTATION/ENCODING/HTTP/rREADERS/GATE/JOB, such as pods/protobuf/gzip/h2/r1/on/list.
Lists are read by curl, watches within this process; how fast both can read at all is measured first and written down.

  --quick        some of the cells, of fewer objects, in 3 minutes
  --only         cells whose name begins so, word by word: pods/json,cbor/*/h2; of all 1,680 there are
  --minutes      for all cells together (25; quick: 2); cells get fewer rounds when there are many
  --limit        seconds for one answer (30; quick: 20); what takes longer is a failure
  --gate         exit code 1 when the memory of the server goes more than 64 MiB above its objects and its budget for twins;
                 unless cells are named, those without the gates of streamed lists are left out
  --cells        names the cells, and measures nothing
${SERVER_USAGE}`;

type Plan = {
  servers: ServerSettings;
  cells: CellKey[];
  seconds: number;
  answerSeconds: number;
  onlyNames: boolean;
  memoryGate: boolean;
};

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { settings: plan } = line;
  if (plan.onlyNames) {
    process.stdout.write(plan.cells.map((cell) => `${cellName(cell)}\n`).join(''));
    return 0;
  }
  const cells = await measure(plan, args);
  if (!plan.memoryGate) return 0;
  const { judged, above } = judgeMemory(cells);
  process.stdout.write(`memory gate: ${judged} cells judged, ${above.length} above 64 MiB\n`);
  for (const text of above) process.stdout.write(`  ${text}\n`);
  return judged > 0 && above.length === 0 ? 0 : 1;
}

function measure({ servers, cells, seconds, answerSeconds }: Plan, args: string[]): Promise<Cell[]> {
  const gates = [...new Set(cells.map(({ gate }) => gate))];
  return measuring(servers, gates, args, async (contestants, add) => {
    await runBench(contestants, cells, {
      seconds,
      answerSeconds,
      onCell(cell, { at, of }) {
        add(cell);
        say(`${at}/${of}  ${describe(cell)}`);
      },
    });
  });
}

function describe({ name, subject, outcome, reason, measures }: Cell): string {
  if (outcome !== 'measured') return `${name}  ${subject}: ${outcome}, ${reason}`;
  const { latency, eventLag, serverCpu } = measures;
  const told = eventLag ?? latency;
  const shown = [
    told && `${(told.median * 1000).toFixed(1)} ms of ${told.values.length}`,
    serverCpu && `CPU ${(serverCpu.median * 1000).toFixed(1)} ms`,
  ];
  return `${name}  ${subject}: ${shown.filter(Boolean).join(', ')}`;
}

const STANDARD = {
  sizes: { configmaps: '200x100000', pods: '1000x0', customresources: '1000x0' },
  minutes: 25,
  limit: 30,
};
const QUICK = {
  sizes: { configmaps: '50x100000', pods: '300x0', customresources: '300x0' },
  minutes: 2,
  limit: 20,
};

function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      ...SERVER_FLAGS,
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string' },
      limit: { type: 'string' },
      cells: { type: 'boolean', default: false },
      gate: { type: 'boolean', default: false },
    },
  });
  const usual = values.quick ? QUICK : STANDARD;
  const cells = chooseCells(values);
  const kinds = KINDS.filter((kind) => cells.some((cell) => cell.kind === kind));
  return {
    servers: readServerFlags(values, kinds, usual.sizes),
    cells,
    seconds: 60 * readPositive('minutes', values.minutes ?? String(usual.minutes)),
    answerSeconds: readWholeNumber('limit', values.limit ?? String(usual.limit), 1),
    onlyNames: values.cells,
    memoryGate: values.gate,
  };
}

function chooseCells({ only, quick, gate }: { only: string[]; quick: boolean; gate: boolean }): CellKey[] {
  if (only.length > 0) return selectCells(allCells(), only);
  const cells = quick ? quickCells() : standardCells();
  return gate ? cells.filter((cell) => cell.gate === 'on') : cells;
}
