// The stress at a gradient of rates: lists begin at a fixed rate whatever became of those before, rate by rate until the server falls behind.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './cell-run.ts';
import { readWithCurl, type Transfer } from './curl.ts';
import { type CellKey, cellName } from './matrix.ts';
import { refusalOf } from './problem.ts';
import { listRequest } from './requests.ts';
import type { Cell, Step } from './results.ts';
import { openServerMeter } from './server-meter.ts';
import { stepMeasures } from './step-measures.ts';
import { medianOf } from './verdict.ts';

export type GradientOptions = {
  /** Lists per second, ascending. */
  rates: readonly number[];
  /** How long lists begin at one rate, unless that is less than LISTS_MIN lists. */
  stepSeconds: number;
  /** For one list; one that takes longer has failed. */
  answerSeconds: number;
  onStep(step: Step): void;
};

export const RATES: readonly number[] = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A server is behind that serves less than this share of the rate. */
export const SERVED_SHARE = 0.9;

export async function runGradient(
  contestant: Contestant,
  key: CellKey,
  { rates, stepSeconds, answerSeconds, onStep }: GradientOptions,
): Promise<Cell> {
  const steps: Step[] = [];
  const { kind, representation, encoding, http, gate } = key;
  const [warm] = await list(contestant, key, answerSeconds);
  const cell: Cell = {
    ...{ type: 'cell', name: cellName({ ...key, job: 'gradient' }), kind, representation, encoding, http },
    ...{ readers: 1, gate, job: 'gradient', subject: contestant.subject.name },
    objects: contestant.objects[kind] ?? { count: 0, bytes: 0 },
    ...{ outcome: 'measured', measures: {}, steps, knee: null },
  };
  if (!isWhole(warm!)) {
    const { outcome, message } = refusalOf(warm!.code, `curl ended with ${warm!.exit}`);
    return { ...cell, outcome, reason: message };
  }
  let unloaded: number | undefined;
  for (const rate of rates) {
    const step = await runStep(contestant, key, rate, { stepSeconds, answerSeconds, unloaded });
    unloaded ??= step.measures.latency?.median;
    steps.push(step);
    onStep(step);
    if (step.fellBehind) return { ...cell, knee: steps.length - 1 };
  }
  return cell;
}

/**
 * Whether lists that began every 1/rate seconds ended as often: less what one takes alone, from the first beginning to
 * the last end may pass no more than the beginnings took at SERVED_SHARE of the rate.
 */
export function isBehind(
  rate: number,
  lists: number,
  seconds: number,
  unloadedSeconds: number,
  failed: number,
): boolean {
  return failed > 0 || seconds - unloadedSeconds > (lists - 1) / (rate * SERVED_SHARE);
}

const LISTS_MIN = 4;
/** With so many under way the server is behind, and what reads them would be next. */
const UNDER_WAY_MAX = 100;

type StepOptions = Pick<GradientOptions, 'stepSeconds' | 'answerSeconds'> & { unloaded: number | undefined };

async function runStep(
  contestant: Contestant,
  key: CellKey,
  rate: number,
  { stepSeconds, answerSeconds, unloaded }: StepOptions,
): Promise<Step> {
  const lists = Math.max(LISTS_MIN, Math.floor(rate * stepSeconds));
  const meter = openServerMeter(contestant.subject);
  try {
    const { result, use } = await meter.during(() => listAtRate(contestant, key, rate, lists, answerSeconds));
    const { transfers, seconds, isFull } = result;
    const whole = transfers.filter(isWhole);
    const alone = unloaded ?? (whole.length > 0 ? medianOf(whole.map(({ total }) => total)) : 0);
    const failed = transfers.length - whole.length;
    return {
      load: rate,
      ...stepMeasures(whole, use),
      fellBehind: isFull || isBehind(rate, transfers.length, seconds, alone, failed),
    };
  } finally {
    meter.close();
  }
}

async function listAtRate(
  contestant: Contestant,
  key: CellKey,
  rate: number,
  lists: number,
  answerSeconds: number,
): Promise<{ transfers: Transfer[]; seconds: number; isFull: boolean }> {
  const started = performance.now();
  const underWay = new Set<Promise<Transfer[]>>();
  const all: Promise<Transfer[]>[] = [];
  for (let index = 0; index < lists && underWay.size < UNDER_WAY_MAX; index++) {
    await sleep(Math.max(0, started + (index * 1000) / rate - performance.now()));
    const reading = list(contestant, key, answerSeconds);
    all.push(reading);
    underWay.add(reading);
    void reading.finally(() => underWay.delete(reading));
  }
  const isFull = all.length < lists;
  const transfers = (await Promise.all(all)).flat();
  return { transfers, seconds: (performance.now() - started) / 1000, isFull };
}

async function list({ subject }: Contestant, key: CellKey, limitSeconds: number): Promise<Transfer[]> {
  const { uri, accept } = listRequest({ ...key, job: 'list' });
  const http = key.http === 'h2' ? '2' : '1.1';
  const options = { uris: [uri], accept, encoding: key.encoding, http, readers: 1, limitSeconds } as const;
  return (await readWithCurl(subject, options)).flat();
}

function isWhole({ code, exit }: Transfer): boolean {
  return code === 200 && exit === 0;
}
