// `sluice bench`: the whole table, against Sluices of its own and any server that is named.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  allCells,
  appendToHistory,
  type Cell,
  type CellKey,
  cellName,
  judgeMemory,
  KINDS,
  measureCeilings,
  openResults,
  quickCells,
  RESULTS_FILE,
  runBench,
  selectCells,
  standardCells,
} from '@sluice/bench';
import { makeCertificates } from '../certificates.ts';
import { readCommandLine } from '../command-line.ts';
import { readWholeNumber } from '../whole-number.ts';
import { openContestants, type Size, type Sizes } from './contestants.ts';
import { type NamedSubject, readSubject, refuseRemote, SUBJECT_SHOWN } from './subjects.ts';
import { describeRun, runId } from './surroundings.ts';

const USAGE = `usage: sluice bench [--quick] [--only CELLS ...] [--subject ${SUBJECT_SHOWN} ...] [--out DIR]
       sluice bench list | compare      --help tells more of each

Starts Sluice on a directory that it removes again, fills it, measures cell by cell, and writes DIR/${RESULTS_FILE}. A cell is named
KIND/REPRESENTATION/ENCODING/HTTP/rREADERS/GATE/JOB, such as pods/protobuf/gzip/h2/r1/on/list.

  --quick        some of the cells, of fewer objects, in 3 minutes
  --only         cells whose name begins so, word by word: pods/json,cbor/*/h2; of all 1,680 there are
  --subject      one more server, filled and measured in turn with the others; with a process id its CPU and memory are
                 read from /proc, else from its /metrics; gate=off: it runs without the gates of streamed lists
  --without-own  starts no Sluice: only the subjects
  --i-know       fills servers that are not on this machine, too
  --configmaps, --pods, --customresources
                 COUNTxBYTES: how many objects, and how much random text in each (200x100000, 1000x0, 1000x0)
  --minutes      for all cells together (25; quick: 2); cells get fewer rounds when there are many
  --limit        seconds for one answer (60; quick: 20); what takes longer is a failure
  --out          where results go (bench-results/TIME)
  --history      a file that the results are added to
  --gate         exit code 1 when the memory of the server goes more than 64 MiB above its objects and its budget for twins;
                 unless cells are named, those without the gates of streamed lists are left out
  --cells        names the cells, and measures nothing
`;

type Plan = {
  cells: CellKey[];
  subjects: NamedSubject[];
  sizes: Sizes;
  own: boolean;
  seconds: number;
  answerSeconds: number;
  out: string;
  history: string | undefined;
  onlyNames: boolean;
  memoryGate: boolean;
  flags: string[];
};

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { settings: plan } = line;
  if (plan.onlyNames) {
    process.stdout.write(plan.cells.map((cell) => `${cellName(cell)}\n`).join(''));
    return 0;
  }
  const cells = await measure(plan);
  if (!plan.memoryGate) return 0;
  const { judged, above } = judgeMemory(cells);
  process.stdout.write(`memory gate: ${judged} cells judged, ${above.length} above 64 MiB\n`);
  for (const text of above) process.stdout.write(`  ${text}\n`);
  return judged > 0 && above.length === 0 ? 0 : 1;
}

export async function measure(plan: Plan): Promise<Cell[]> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const gates = [...new Set(plan.cells.map(({ gate }) => gate))];
  const { all, close } = await openContestants(plan.subjects, plan.own ? gates : [], plan.sizes, say);
  try {
    const ceilings = await readCeilings();
    mkdirSync(plan.out, { recursive: true });
    const file = join(plan.out, RESULTS_FILE);
    const results = openResults(file, await describeRun(all, plan.flags, ceilings));
    const cells = await runBench(all, plan.cells, {
      ...plan,
      onCell(cell, { at, of }) {
        results.add(cell);
        say(`${at}/${of}  ${describe(cell)}`);
      },
    });
    if (plan.history !== undefined) appendToHistory(plan.history, file);
    process.stdout.write(`${cells.length} results in ${file}\n`);
    return cells;
  } finally {
    await close();
  }
}

async function readCeilings(): Promise<Record<string, number>> {
  const { authority, serving } = await makeCertificates(['127.0.0.1'], new Date());
  return measureCeilings({ key: serving.key, cert: serving.cert, ca: authority.cert });
}

function describe({ name, subject, outcome, reason, measures }: Cell): string {
  if (outcome !== 'measured') return `${name}  ${subject}: ${outcome}, ${reason}`;
  const { latency, serverCpu } = measures;
  const shown = [
    latency && `${(latency.median * 1000).toFixed(1)} ms of ${latency.values.length}`,
    serverCpu && `CPU ${(serverCpu.median * 1000).toFixed(1)} ms`,
  ];
  return `${name}  ${subject}: ${shown.filter(Boolean).join(', ')}`;
}

const STANDARD = {
  sizes: { configmaps: '200x100000', pods: '1000x0', customresources: '1000x0' },
  minutes: 25,
  limit: 60,
};
const QUICK = {
  sizes: { configmaps: '50x100000', pods: '300x0', customresources: '300x0' },
  minutes: 2,
  limit: 20,
};

export function readPlan(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      subject: { type: 'string', multiple: true, default: [] },
      'without-own': { type: 'boolean', default: false },
      'i-know': { type: 'boolean', default: false },
      configmaps: { type: 'string' },
      pods: { type: 'string' },
      customresources: { type: 'string' },
      minutes: { type: 'string' },
      limit: { type: 'string' },
      out: { type: 'string', default: join('bench-results', runId(new Date())) },
      history: { type: 'string' },
      cells: { type: 'boolean', default: false },
      gate: { type: 'boolean', default: false },
    },
  });
  const usual = values.quick ? QUICK : STANDARD;
  const cells = chooseCells(values);
  const subjects = values.subject.map(readSubject);
  refuseRemote(subjects, values['i-know']);
  if (values['without-own'] && subjects.length === 0) throw new Error('--without-own needs a --subject');
  const needed = KINDS.filter((kind) => cells.some((cell) => cell.kind === kind));
  return {
    cells,
    subjects,
    sizes: Object.fromEntries(
      needed.map((kind) => [kind, readSize(kind, values[kind] ?? usual.sizes[kind])]),
    ),
    own: !values['without-own'],
    seconds: 60 * readMinutes(values.minutes ?? String(usual.minutes)),
    answerSeconds: readWholeNumber('limit', values.limit ?? String(usual.limit), 1),
    out: values.out,
    history: values.history,
    onlyNames: values.cells,
    memoryGate: values.gate,
    flags: args,
  };
}

function chooseCells({ only, quick, gate }: { only: string[]; quick: boolean; gate: boolean }): CellKey[] {
  if (only.length > 0) return selectCells(allCells(), only);
  const cells = quick ? quickCells() : standardCells();
  return gate ? cells.filter((cell) => cell.gate === 'on') : cells;
}

function readMinutes(text: string): number {
  const minutes = text === '' ? Number.NaN : Number(text);
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
  return minutes;
}

function readSize(flag: string, text: string): Size {
  const match = /^(\d+)(?:x(\d+))?$/.exec(text);
  if (!match) throw new Error(`--${flag} must read COUNTxBYTES`);
  return { count: readWholeNumber(flag, match[1], 1), bytes: Number(match[2] ?? 0) };
}
