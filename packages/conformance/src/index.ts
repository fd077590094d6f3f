// Replays exchanges recorded from kube-apiserver against any server.
export {
  type CheckOptions,
  checkServer,
  checkTranscript,
  failEvery,
  needsCompaction,
  type Verdict,
} from './check.ts';
export { comparedBy, isSetup, KNOWN_GAPS_FILE, readCollection, SETUPS, type Setup } from './collection.ts';
export type { Target } from './connection.ts';
export { compareWithGaps, describeFailure, type Gaps, parseGaps, printGaps, stepName } from './gaps.ts';
export { recordTranscript } from './record.ts';
export { readTranscript, type Step, type Transcript } from './transcript.ts';
