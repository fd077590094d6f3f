// Measures one cell: subjects take turns, round by round, and from what their rounds gave come the cell's figures.
import { cellMeasures, type Taken } from './cell-measures.ts';
import { thinned } from './figures.ts';
import { type Probe, probeList, type Round, runLists } from './list-jobs.ts';
import type { Subject } from './list-load.ts';
import { type CellKey, cellName } from './matrix.ts';
import { CellProblem } from './problem.ts';
import { readChildrensCpu } from './process-meter.ts';
import type { Cell } from './results.ts';
import { openServerMeter } from './server-meter.ts';
import { runFanOut, runWatchLists } from './watch-jobs.ts';

/** A server that is filled. */
export type Contestant = {
  subject: Subject;
  /** Cells of the other gate are not its own. */
  gate: 'on' | 'off';
  /** Where the benchmark's objects are. */
  namespace: string;
  /** Its memory when it held nothing, mapped files left out. */
  emptyBytes?: number;
  objects: Readonly<Record<string, { count: number; bytes: number }>>;
};

export type CellLimits = {
  /** What the rounds of one subject may take together, unless fewer than ROUNDS_MIN fit. */
  budgetSeconds: number;
  /** For one answer. */
  answerSeconds: number;
};

/** A line for each contestant of the cell's gate, in their order. */
export async function runCell(
  contestants: readonly Contestant[],
  key: CellKey,
  limits: CellLimits,
): Promise<Cell[]> {
  const entries: Entry[] = [];
  for (const contestant of contestants.filter(({ gate }) => gate === key.gate)) {
    entries.push(await openEntry(contestant, key, limits));
  }
  for (let turn = 0; entries.some((entry) => isDue(entry, limits)); turn++) {
    // There and back: what drifts while a cell runs falls on all alike.
    for (const entry of turn % 2 === 0 ? entries : entries.toReversed()) {
      if (isDue(entry, limits)) await takeRound(entry, key, limits);
    }
  }
  return entries.map((entry) => asCell(entry, key));
}

/** A verdict needs four values on each side. */
const ROUNDS_MIN = 4;
const ROUNDS_MAX = 10;
/** For those four a slow subject may take this many times its budget. */
const STRETCH = 3;
/** A round reads long enough for its CPU time to be told, but only so many answers a reader. */
const ROUND_SECONDS = 0.1;
const TIMES_MAX = 20;

type Entry = {
  contestant: Contestant;
  probe: Probe;
  times: number;
  taken: Taken[];
  spentSeconds: number;
  problem: CellProblem | undefined;
};

async function openEntry(contestant: Contestant, key: CellKey, limits: CellLimits): Promise<Entry> {
  const entry: Entry = {
    contestant,
    probe: { seconds: 0, decodedBytes: 0 },
    times: 1,
    taken: [],
    spentSeconds: 0,
    problem: undefined,
  };
  try {
    const first = await probe(contestant, key, limits);
    // The first answer may have had to be made; the second tells how long one takes.
    entry.probe = first.seconds < limits.budgetSeconds ? await probe(contestant, key, limits) : first;
    entry.times = Math.min(TIMES_MAX, Math.max(1, Math.ceil(ROUND_SECONDS / entry.probe.seconds)));
  } catch (error) {
    entry.problem = asProblem(error);
  }
  return entry;
}

/** Finds out whether there is an answer and how long it takes; what a server makes at first asking is made by it. */
async function probe(contestant: Contestant, key: CellKey, limits: CellLimits): Promise<Probe> {
  const alone = { ...key, readers: 1 };
  if (key.job !== 'watch' && key.job !== 'watchlist') {
    const { subject, objects } = contestant;
    return probeList(subject, alone, objects[key.kind]?.count ?? 0, limits.answerSeconds);
  }
  const { seconds, decodedBytes } = await runRound(contestant, alone, 1, limits);
  return { seconds, decodedBytes: decodedBytes ?? 0 };
}

function isDue({ problem, taken, spentSeconds }: Entry, { budgetSeconds }: CellLimits): boolean {
  if (problem !== undefined || taken.length >= ROUNDS_MAX) return false;
  if (taken.length === 0) return true;
  const next = spentSeconds + spentSeconds / taken.length;
  return next <= budgetSeconds || (taken.length < ROUNDS_MIN && next <= budgetSeconds * STRETCH);
}

async function takeRound(entry: Entry, key: CellKey, limits: CellLimits): Promise<void> {
  const { contestant, times } = entry;
  const meter = openServerMeter(contestant.subject);
  const started = performance.now();
  try {
    const { result, use } = await meter.during(async () => {
      const before = clientCpuNow();
      const round = await runRound(contestant, key, times, limits);
      return { round, clientCpu: clientCpuNow() - before };
    });
    entry.taken.push({ ...result, use });
  } catch (error) {
    entry.problem = asProblem(error);
  } finally {
    meter.close();
    entry.spentSeconds += (performance.now() - started) / 1000;
  }
}

function runRound(
  { subject, objects, namespace }: Contestant,
  key: CellKey,
  times: number,
  { answerSeconds }: CellLimits,
): Promise<Round & { decodedBytes?: number }> {
  if (key.job === 'watchlist') return runWatchLists(subject, key, times, answerSeconds);
  if (key.job === 'watch') return runFanOut(subject, key, namespace, times, answerSeconds);
  return runLists(subject, key, times, objects[key.kind]?.count ?? 0, answerSeconds);
}

/** Of this process and of those it has waited for: curl and whatever reads beside it. */
function clientCpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (process.platform === 'linux' ? readChildrensCpu() : 0);
}

/** What is wrong with this program is no result. */
function asProblem(error: unknown): CellProblem {
  if (error instanceof CellProblem) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') throw error;
  return new CellProblem('failed', (error as Error).message);
}

function asCell({ contestant, probe, taken, problem }: Entry, key: CellKey): Cell {
  const { kind, representation, encoding, http, readers, gate, job } = key;
  const isMeasured = problem === undefined;
  const rssBytes = taken.flatMap(({ use }) => use.rssBytes);
  const everySeconds = taken[0]?.use.everySeconds ?? 0;
  return {
    ...{ type: 'cell', name: cellName(key), kind, representation, encoding, http, readers, gate, job },
    subject: contestant.subject.name,
    objects: contestant.objects[kind] ?? { count: 0, bytes: 0 },
    outcome: problem?.outcome ?? 'measured',
    ...(problem && { reason: problem.message }),
    measures: isMeasured ? cellMeasures(taken, probe, contestant.emptyBytes) : {},
    ...(isMeasured && rssBytes.length > 0 && { memory: thinned({ everySeconds, rssBytes }) }),
  };
}
