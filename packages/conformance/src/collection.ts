// The project's own transcripts, in one folder for each way the recorded server was set up.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTranscript, type Transcript } from './transcript.ts';

/** How a server must be started for the transcripts of a folder. */
export const SETUPS: Readonly<Record<'default' | 'cbor', { serverFlags: readonly string[] }>> = {
  default: { serverFlags: [] },
  cbor: { serverFlags: ['--feature-gates=CBORServingAndStorage=true'] },
};

export type Setup = keyof typeof SETUPS;

/** The list that goes with the transcripts. */
export const KNOWN_GAPS_FILE: string = fileURLToPath(new URL('../known-gaps.txt', import.meta.url));

export function isSetup(name: string): name is Setup {
  return Object.hasOwn(SETUPS, name);
}

export function readCollection(setup: Setup): Transcript[] {
  const folder = new URL(`../transcripts/${setup}/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => readTranscript(fileURLToPath(new URL(name, folder))));
}
