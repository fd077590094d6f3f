// Measures servers from outside.
export { type BenchOptions, runBench } from './bench-run.ts';
export { measureCeilings, type ServingCertificate } from './ceiling.ts';
export type { Contestant } from './cell-run.ts';
export { askWhole, type Client, openClient } from './client.ts';
export { type Change, type Comparison, compareRuns, regressionsOf } from './compare.ts';
export { readContents, readVersion } from './contents.ts';
export type { Access } from './curl.ts';
export { measureOf } from './figures.ts';
export { RATES, runGradient } from './gradient.ts';
export { type Idleness, READER_COUNTS, runIdleReaders } from './idle-readers.ts';
export { type ListOptions, type Measured, measureLists, type Subject } from './list-load.ts';
export { failedLists, printTable } from './list-table.ts';
export {
  allCells,
  type CellKey,
  cellName,
  KINDS,
  type Kind,
  quickCells,
  selectCells,
  standardCells,
} from './matrix.ts';
export { judgeMemory, MEMORY_ABOVE_DATA_MAX_BYTES } from './memory-gate.ts';
export { readOwnMemory } from './process-meter.ts';
export { collection } from './requests.ts';
export {
  type Cell,
  type Line,
  MEASURES,
  type Measure,
  type MeasureName,
  RESULTS_SCHEMA,
  type Run,
  type Step,
  type Unit,
} from './results.ts';
export { appendToHistory, openResults, RESULTS_FILE, type Recorded, readResults } from './results-file.ts';
export {
  compareMeasures,
  compareValues,
  independentValues,
  LEAST_DIFFERENCE,
  medianOf,
  type Verdict,
} from './verdict.ts';
export { PAGE_DATA_MAX_BYTES, PAGE_FILE, PAGE_RUNS_MAX, type PageOptions, writePage } from './write-page.ts';
