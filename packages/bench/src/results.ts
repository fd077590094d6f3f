// What a run leaves in results.jsonl, on one page: its first line is a Run, every other line a Cell. Pages and comparisons read nothing else.
// A history is such files one behind the other: with each Run another run begins, oldest first.
//
//   {"type":"run","schema":1,"id":"2026-05-04T10-11-12Z", … machine, versions, flags, subjects, ceilings}
//   {"type":"cell","name":"pods/protobuf/gzip/h2/r1/on/list","subject":"sluice", … measures, memory}
//   {"type":"cell","name":"pods/protobuf/gzip/h2/r1/on/list","subject":"kube-apiserver", …}

/** Raised when a line's meaning changes. Fields may be added without. */
export const RESULTS_SCHEMA = 1;

export type Line = Run | Cell;

export type Run = {
  type: 'run';
  schema: typeof RESULTS_SCHEMA;
  /** The time it began, as a file name can hold it: unique, sorts by time. */
  id: string;
  /** RFC 3339, UTC. */
  startedAt: string;
  machine: { cpu: string; cores: number; memoryBytes: number; system: string };
  /** Of the measuring side: node, sluice, curl, … */
  versions: Record<string, string>;
  /** The commit of the measuring side; null: not a clone. */
  commit: string | null;
  /** As typed. */
  flags: string[];
  subjects: { name: string; version: string }[];
  /** What the load client reads from a plain source of bytes, by `h1`, `h2`, …: bytes per second it can't exceed. */
  ceilings: Record<string, number>;
};

export type Cell = {
  type: 'cell';
  /** kind/representation/encoding/http/rREADERS/GATE/job: what `--only` selects by. */
  name: string;
  kind: string;
  representation: string;
  encoding: 'identity' | 'gzip';
  http: 'h1' | 'h2';
  readers: number;
  gate: 'on' | 'off';
  job: string;
  subject: string;
  objects: { count: number; bytes: number };
  /** `refused`: the subject has no such representation or verb; that is a result as well. */
  outcome: 'measured' | 'refused' | 'failed';
  /** Why, when it was not measured. */
  reason?: string;
  measures: Partial<Record<MeasureName, Measure>>;
  /** The server's memory while the cell ran. */
  memory?: { everySeconds: number; rssBytes: number[] };
  /** Of gradients: one for each rate, or number of readers. */
  steps?: Step[];
  /** Of gradients: the step where the server fell behind, as an index of `steps`; null: it never did. */
  knee?: number | null;
};

/** A figure with its spread over runs: quantiles are of `values`. */
export type Measure = {
  unit: Unit;
  values: number[];
  /** So many neighbours among `values` were taken in the same round (10 readers at once): by each other they prove nothing. */
  perRound?: number;
  min: number;
  median: number;
  p90: number;
  p99: number;
  max: number;
};

export type Unit = 'seconds' | 'bytes' | 'bytes/second' | 'count';

export type Step = {
  /** What grows from step to step: lists per second, or readers. */
  load: number;
  measures: Partial<Record<MeasureName, Measure>>;
  memory?: { everySeconds: number; rssBytes: number[] };
  fellBehind: boolean;
};

export type MeasureName =
  | 'latency'
  | 'firstByte'
  | 'wireBytes'
  | 'decodedBytes'
  | 'throughput'
  | 'serverCpu'
  | 'clientCpu'
  | 'rssStart'
  | 'rssMedian'
  | 'rssPeakAboveStart'
  | 'memoryAboveData'
  | 'longestTurn'
  | 'gcPause'
  | 'eventLag'
  | 'memoryPerReader';

/** The measures there are. A cell has those that could be taken: a server's own need its process id. */
export const MEASURES: Readonly<
  Record<MeasureName, { unit: Unit; better: 'less' | 'more' | 'same'; of: string }>
> = {
  latency: { unit: 'seconds', better: 'less', of: 'from the request to the last byte' },
  firstByte: { unit: 'seconds', better: 'less', of: 'from the request to the first byte' },
  wireBytes: { unit: 'bytes', better: 'less', of: 'body bytes of one answer as sent' },
  decodedBytes: { unit: 'bytes', better: 'same', of: 'body bytes of one answer, decompressed' },
  throughput: { unit: 'bytes/second', better: 'more', of: 'decompressed bytes of all readers by wall time' },
  serverCpu: { unit: 'seconds', better: 'less', of: 'CPU time of the server for one answer' },
  clientCpu: { unit: 'seconds', better: 'less', of: 'CPU time of the load client for one answer' },
  rssStart: { unit: 'bytes', better: 'less', of: 'resident memory of the server before' },
  rssMedian: { unit: 'bytes', better: 'less', of: 'resident memory of the server while it ran, median' },
  rssPeakAboveStart: { unit: 'bytes', better: 'less', of: 'resident memory at its peak above the start' },
  memoryAboveData: {
    unit: 'bytes',
    better: 'less',
    of: 'memory of the server at its peak, mapped files left out, above the empty server, its objects, history and twins',
  },
  longestTurn: { unit: 'seconds', better: 'less', of: 'the longest turn of the event loop' },
  gcPause: { unit: 'seconds', better: 'less', of: 'garbage collection during one answer' },
  eventLag: { unit: 'seconds', better: 'less', of: 'from the sending of a write to its event at a watcher' },
  memoryPerReader: {
    unit: 'bytes',
    better: 'less',
    of: 'resident memory above the start by the number of readers',
  },
};
