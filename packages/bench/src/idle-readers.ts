// Readers that ask for a list and read it slowly or not at all: what each of them costs the server, and whether others are served meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './cell-run.ts';
import { type Client, openClient } from './client.ts';
import { readWithCurl, type Transfer } from './curl.ts';
import { measureOf } from './figures.ts';
import { type CellKey, cellName } from './matrix.ts';
import { listRequest } from './requests.ts';
import type { Cell, Step } from './results.ts';
import { openServerMeter } from './server-meter.ts';
import { stepMeasures } from './step-measures.ts';

/** `slow`: a chunk now and then; `vanished`: nothing after the headers, and no word of it. */
export type Idleness = 'slow' | 'vanished';

export type IdleReadersOptions = {
  idleness: Idleness;
  /** How many, ascending. */
  counts: readonly number[];
  /** How long each number of them stays. */
  staySeconds: number;
  /** For an answer to begin, and for another reader's list to end. */
  answerSeconds: number;
  onStep(step: Step): void;
};

export const READER_COUNTS: readonly number[] = [10, 30, 100, 300, 1000];

export async function runIdleReaders(
  contestant: Contestant,
  key: CellKey,
  options: IdleReadersOptions,
): Promise<Cell> {
  const { kind, representation, encoding, http, gate } = key;
  const job = `${options.idleness}-readers`;
  const steps: Step[] = [];
  for (const count of options.counts) {
    const step = await runStep(contestant, key, count, options);
    steps.push(step);
    options.onStep(step);
    if (step.fellBehind) break;
  }
  return {
    ...{ type: 'cell', name: cellName({ ...key, job }), kind, representation, encoding, http },
    ...{ readers: 1, gate, job, subject: contestant.subject.name },
    objects: contestant.objects[kind] ?? { count: 0, bytes: 0 },
    ...{ outcome: 'measured', measures: {}, steps },
    knee: steps.at(-1)?.fellBehind ? steps.length - 1 : null,
  };
}

/** Between two numbers of them: the server notices that they are gone. */
const PAUSE_MS = 1_000;
/** Opening all at once would measure the handshakes. */
const OPENED_AT_ONCE = 20;

async function runStep(
  contestant: Contestant,
  key: CellKey,
  count: number,
  { idleness, staySeconds, answerSeconds }: IdleReadersOptions,
): Promise<Step> {
  const meter = openServerMeter(contestant.subject);
  const readers: Reader[] = [];
  try {
    const { result, use } = await meter.during(async () => {
      for (let left = count; left > 0; left -= OPENED_AT_ONCE) {
        const batch = Array.from({ length: Math.min(left, OPENED_AT_ONCE) }, () =>
          openReader(contestant, key, idleness, answerSeconds),
        );
        readers.push(...(await Promise.all(batch)));
      }
      return listMeanwhile(contestant, key, staySeconds, answerSeconds);
    });
    const served = readers.filter(({ isServed }) => isServed).length;
    const whole = result.filter(({ code, exit }) => code === 200 && exit === 0);
    const { measures, memory } = stepMeasures(whole, use);
    const above = measures.rssPeakAboveStart?.max;
    const perReader =
      above === undefined || served === 0 ? undefined : measureOf('memoryPerReader', [above / served]);
    return {
      load: count,
      measures: { ...measures, ...(perReader && { memoryPerReader: perReader }) },
      ...(memory && { memory }),
      fellBehind: served < count || whole.length < result.length,
    };
  } finally {
    for (const reader of readers) reader.close();
    meter.close();
    await sleep(PAUSE_MS);
  }
}

type Reader = { isServed: boolean; close(): void };

/** What a slow reader takes at a time is what a socket hands it. */
const SLOW_PAUSE_MS = 500;

async function openReader(
  { subject }: Contestant,
  key: CellKey,
  idleness: Idleness,
  answerSeconds: number,
): Promise<Reader> {
  const client: Client = openClient(subject, key.http);
  const { uri, accept } = listRequest({ ...key, job: 'list' });
  const late = new AbortController();
  const asked = client
    .ask(uri, { headers: { accept, 'accept-encoding': key.encoding } })
    .catch(() => undefined);
  const answer = await Promise.race([
    asked,
    sleep(answerSeconds * 1000, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  let pause: NodeJS.Timeout | undefined;
  answer?.body.on('error', () => {});
  if (idleness === 'slow') {
    answer?.body.on('data', () => {
      answer.body.pause();
      pause = setTimeout(() => answer.body.resume(), SLOW_PAUSE_MS);
    });
  }
  return {
    isServed: answer?.code === 200,
    close() {
      clearTimeout(pause);
      answer?.cancel();
      client.close();
    },
  };
}

/** An ordinary reader lists again and again while they stay. */
async function listMeanwhile(
  { subject }: Contestant,
  key: CellKey,
  staySeconds: number,
  limitSeconds: number,
): Promise<Transfer[]> {
  const { uri, accept } = listRequest({ ...key, job: 'list' });
  const http = key.http === 'h2' ? '2' : '1.1';
  const until = performance.now() + staySeconds * 1000;
  const transfers: Transfer[] = [];
  while (performance.now() < until) {
    const options = { uris: [uri], accept, encoding: key.encoding, http, readers: 1, limitSeconds } as const;
    transfers.push(...(await readWithCurl(subject, options)).flat());
    await sleep(LIST_EVERY_MS);
  }
  return transfers;
}

const LIST_EVERY_MS = 500;
