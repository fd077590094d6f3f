// Measures a server from outside.
export { type ListOptions, type Measured, measureLists, type Subject } from './list-load.ts';
export { failedLists, printTable } from './list-table.ts';
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
export {
  compareMeasures,
  compareValues,
  independentValues,
  LEAST_DIFFERENCE,
  medianOf,
  type Verdict,
} from './verdict.ts';
