// The figures of one step of a gradient: of the lists that were read meanwhile, and of the server.
import type { Transfer } from './curl.ts';
import { measureOf, thinned } from './figures.ts';
import type { Measure, MeasureName, Step } from './results.ts';
import type { ServerUse } from './server-meter.ts';

export function stepMeasures(
  transfers: readonly Transfer[],
  use: ServerUse,
): Pick<Step, 'measures' | 'memory'> {
  const { everySeconds, rssBytes, rssStart, rssPeak, cpuSeconds } = use;
  const sorted = [...rssBytes].sort((a, b) => a - b);
  const values: Partial<Record<MeasureName, (number | undefined)[]>> = {
    latency: transfers.map(({ total }) => total),
    firstByte: transfers.map(({ firstByte }) => firstByte),
    wireBytes: transfers.slice(0, 1).map(({ bytes }) => bytes),
    serverCpu: [cpuSeconds === undefined ? undefined : cpuSeconds / Math.max(1, transfers.length)],
    rssStart: [rssStart],
    rssMedian: [sorted[sorted.length >> 1]],
    rssPeakAboveStart: [rssStart === undefined ? undefined : Math.max(0, rssPeak! - rssStart)],
    longestTurn: [use.longestTurn],
    gcPause: [use.gcSeconds],
  };
  const measures: Partial<Record<MeasureName, Measure>> = {};
  for (const [name, all] of Object.entries(values) as [MeasureName, (number | undefined)[]][]) {
    const told = all.filter((value) => value !== undefined);
    const measure = measureOf(name, told);
    if (measure !== undefined) measures[name] = measure;
  }
  return { measures, ...(rssBytes.length > 0 && { memory: thinned({ everySeconds, rssBytes }) }) };
}
