// The project's own transcripts, and the ways a server is set up for them.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { needsCompaction } from './check.ts';
import { readTranscript, type Step, type Transcript } from './transcript.ts';

type Plan = {
  /** Where its transcripts lie. */
  folder: string;
  /** How a server must be started for them. */
  serverFlags: readonly string[];
  /** The store has forgotten its first revisions: the steps that need it are compared, and no others. */
  compacted: boolean;
};

const CBOR = '--feature-gates=CBORServingAndStorage=true';
const FORGETFUL = '--etcd-compaction-interval=1s';

export const SETUPS: Readonly<Record<'default' | 'cbor' | 'compacted' | 'cbor-compacted', Plan>> = {
  default: { folder: 'default', serverFlags: [], compacted: false },
  cbor: { folder: 'cbor', serverFlags: [CBOR], compacted: false },
  compacted: { folder: 'default', serverFlags: [FORGETFUL], compacted: true },
  'cbor-compacted': { folder: 'cbor', serverFlags: [CBOR, FORGETFUL], compacted: true },
};

export type Setup = keyof typeof SETUPS;

/** Which of the transcripts' steps a server that was set up in this way is held to. */
export function comparedBy(setup: Setup): (step: Step) => boolean {
  const { compacted } = SETUPS[setup];
  return (step) => needsCompaction(step) === compacted;
}

/** The list that goes with the transcripts. */
export const KNOWN_GAPS_FILE: string = fileURLToPath(new URL('../known-gaps.txt', import.meta.url));

export function isSetup(name: string): name is Setup {
  return Object.hasOwn(SETUPS, name);
}

export function readCollection(setup: Setup): Transcript[] {
  const folder = new URL(`../transcripts/${SETUPS[setup].folder}/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const transcripts = names.sort().map((name) => readTranscript(fileURLToPath(new URL(name, folder))));
  return transcripts.filter(({ steps }) => steps.some(comparedBy(setup)));
}
