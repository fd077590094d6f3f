// The figures of a cell, from what its rounds gave.
import { measureOf } from './figures.ts';
import type { Probe, Round } from './list-jobs.ts';
import type { Cell, Measure, MeasureName } from './results.ts';
import type { ServerUse } from './server-meter.ts';

/** One round: what was read, and what that took of the server and of the clients. */
export type Taken = { round: Round; use: ServerUse; clientCpu: number };

/** `emptyBytes`: the server's memory when it held nothing, where that is known. */
export function cellMeasures(
  taken: readonly Taken[],
  { decodedBytes }: Probe,
  emptyBytes: number | undefined,
): Cell['measures'] {
  const measures: Partial<Record<MeasureName, Measure>> = {};
  const add = (name: MeasureName, values: (number | undefined)[], perRound = 1) => {
    const told = values.filter((value) => value !== undefined);
    const measure = told.length === values.length ? measureOf(name, told, perRound) : undefined;
    if (measure !== undefined) measures[name] = measure;
  };
  const perRound = taken[0]?.round.readings.length ?? 0;
  const readings = taken.flatMap(({ round }) => round.readings);
  const ofUse = (read: (use: ServerUse) => number | undefined) => taken.map(({ use }) => read(use));
  const ofEach = (part: number | undefined) => (part === undefined ? undefined : part / perRound);
  add(
    'latency',
    readings.map(({ latency }) => latency),
    perRound,
  );
  add(
    'firstByte',
    readings.map(({ firstByte }) => firstByte),
    perRound,
  );
  add(
    'eventLag',
    readings.map(({ eventLag }) => eventLag),
    perRound,
  );
  // Sizes hardly vary: one a round says it all.
  add(
    'wireBytes',
    taken.map(({ round }) => round.readings[0]?.wireBytes),
  );
  add('decodedBytes', [decodedBytes]);
  add(
    'throughput',
    taken.map(({ round }) => (decodedBytes * perRound) / round.seconds),
  );
  add(
    'serverCpu',
    ofUse(({ cpuSeconds }) => ofEach(cpuSeconds)),
  );
  add(
    'clientCpu',
    taken.map(({ clientCpu }) => ofEach(clientCpu)),
  );
  add(
    'rssStart',
    ofUse(({ rssStart }) => rssStart),
  );
  add(
    'rssMedian',
    ofUse(({ rssBytes }) => medianSample(rssBytes)),
  );
  add(
    'rssPeakAboveStart',
    ofUse(({ rssStart, rssPeak }) => aboveStart(rssStart, rssPeak)),
  );
  add(
    'memoryAboveData',
    ofUse(({ ownAboveHeld }) => aboveEmpty(ownAboveHeld, emptyBytes)),
  );
  add(
    'longestTurn',
    ofUse(({ longestTurn }) => longestTurn),
  );
  add(
    'gcPause',
    ofUse(({ gcSeconds }) => ofEach(gcSeconds)),
  );
  return measures;
}

function medianSample(rssBytes: readonly number[]): number | undefined {
  const sorted = [...rssBytes].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** What is below is none: a collection may have given back some of the empty server's. */
function aboveEmpty(above: number | undefined, empty: number | undefined): number | undefined {
  return above === undefined || empty === undefined ? undefined : Math.max(0, above - empty);
}

function aboveStart(start: number | undefined, peak: number | undefined): number | undefined {
  return start === undefined || peak === undefined ? undefined : Math.max(0, peak - start);
}
