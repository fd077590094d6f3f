// What a transcript is: requests to send in order, and the answers that kube-apiserver gave to them.
import { readFileSync } from 'node:fs';

/** One transcript file. Setup and cleanup are sent, not compared; cleanup always runs. */
export type Transcript = {
  name: string;
  why: string;
  setup?: Step[];
  steps: RecordedStep[];
  cleanup?: Step[];
};

export type RecordedStep = Step & { id: string; expect: SettledAnswer };

/**
 * One request. `${name}` in path, headers and body stands for a variable: `run` is unique to the run
 * and has nine characters, others come from `save` and `saveHeaders` of earlier steps.
 */
export type Step = {
  id?: string;
  why?: string;
  /** GET when absent. */
  method?: string;
  path: string;
  /** A header that is null is not sent, not even where it has a default. */
  headers?: Record<string, string | null>;
  /** Text goes out as it is, anything else as JSON. */
  body?: unknown;
  bodyBase64?: string;
  /** `@PAD@` in the body becomes as many "x" as make it this many bytes long. */
  pad?: number;
  protocol?: 'h1' | 'h2';
  /** Sends at the start of a second: managedFields are ordered by whole seconds, then by manager. */
  align?: boolean;
  /** Asks again until this status comes, or the time is over. */
  retry?: { until: number; ms: number };
  /** A watch: reads until so many events or frames have come, or the time is over. */
  collect?: { events?: number; frames?: number; ms?: number; end?: boolean };
  /** Sent while the watch is read. */
  during?: Step[];
  /** Variable name → dotted path in the JSON answer, or `#bytes` for the body's length. */
  save?: Record<string, string>;
  saveHeaders?: Record<string, string>;
  /** The step holds only once the store has forgotten its first revisions. */
  needs?: 'compaction';
} & Comparison;

/** How an answer is read before it is compared. */
export type Comparison = {
  /** bytes (default), json, protobuf, frames, cbor, cbor-seq, status, or prefix:N */
  compare?: string;
  /** Object members that are left out: managedFields unless said otherwise. */
  ignore?: string[];
  headersToo?: string[];
  /** Table columns that show ages. */
  ignoreCells?: string[];
  /** Regular expressions: what matches becomes `<masked>`. */
  mask?: string[];
  /** With json: only these dotted paths; a closing `*` keeps the keys of a map. */
  pick?: string[];
  /** "rank" keeps resourceVersions comparable within an answer. */
  rvs?: 'rank';
};

/** An answer without what varies by nature. Answers are equal when their JSON texts are. */
export type SettledAnswer = { status?: number; headers?: Record<string, string>; [part: string]: unknown };

export function readTranscript(file: string): Transcript {
  return JSON.parse(readFileSync(file, 'utf8')) as Transcript;
}
