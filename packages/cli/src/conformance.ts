// `sluice conformance`: replays what kube-apiserver answered against a server, and says where it answers otherwise.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  checkServer,
  comparedBy,
  describeFailure,
  failEvery,
  isSetup,
  KNOWN_GAPS_FILE,
  parseGaps,
  printGaps,
  readCollection,
  readTranscript,
  recordTranscript,
  SETUPS,
  type Setup,
  stepName,
  type Transcript,
  type Verdict,
} from '@sluice/conformance';
import { readCommandLine } from './command-line.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { startOwnServer } from './own-server.ts';

const USAGE = `usage: sluice conformance --kubeconfig FILE [--step ID] [--compacted] [--verbose] [--set NAME] [TRANSCRIPT...]
       sluice conformance --kubeconfig FILE --record DIR [--set NAME] [TRANSCRIPT...]
       sluice conformance --write-gaps

  --set         the transcripts when no file is named: ${Object.keys(SETUPS).join(', ')} (default)
  --step        compares this step only
  --compacted   the store has forgotten its first revisions: plays the steps that need it
  --verbose     names the steps that passed, too
  --record      writes the transcripts with this server's answers into DIR
  --write-gaps  plays all transcripts against a Sluice started for it and writes the list of steps that don't pass

Exit code 1 when an answer differs.
`;

type Settings = {
  kubeconfig: string | undefined;
  step: string | undefined;
  compacted: boolean;
  verbose: boolean;
  set: Setup;
  record: string | undefined;
  writeGaps: boolean;
  files: string[];
};

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { settings } = line;
  if (settings.writeGaps) return writeGaps();
  const target = readKubeconfig(settings.kubeconfig!);
  const transcripts =
    settings.files.length > 0 ? settings.files.map(readTranscript) : readCollection(settings.set);
  return settings.record === undefined
    ? check(target, transcripts, settings)
    : record(target, transcripts, settings.record);
}

type Target = ReturnType<typeof readKubeconfig>;

async function check(target: Target, transcripts: Transcript[], settings: Settings): Promise<number> {
  const verdicts = await checkServer(target, transcripts, {
    ...(settings.step !== undefined && { compares: (step) => step.id === settings.step }),
    compacted: settings.compacted,
    onVerdict(verdict) {
      if (verdict.outcome === 'failed') process.stdout.write(`FAIL  ${describeFailure(verdict)}\n`);
      else if (settings.verbose)
        process.stdout.write(`${verdict.outcome === 'passed' ? 'ok    ' : 'skip  '}${stepName(verdict)}\n`);
    },
  });
  process.stdout.write(`${summary(verdicts)}\n`);
  return count(verdicts, 'failed') > 0 ? 1 : 0;
}

async function record(target: Target, transcripts: Transcript[], directory: string): Promise<number> {
  for (const transcript of transcripts) {
    await recordTranscript(target, transcript, directory);
    process.stdout.write(`${transcript.name}: ${transcript.steps.length} answers recorded\n`);
  }
  return 0;
}

/** Reasons that are in the list stay there. */
async function writeGaps(): Promise<number> {
  const verdicts: Verdict[] = [];
  for (const setup of Object.keys(SETUPS) as Setup[]) verdicts.push(...(await checkOwnServer(setup)));
  const before = parseGaps(readFileSync(KNOWN_GAPS_FILE, 'utf8'));
  writeFileSync(KNOWN_GAPS_FILE, printGaps(verdicts, before));
  process.stdout.write(`${summary(verdicts)}\n`);
  return 0;
}

/** The first compaction of a server that was started for it is over. */
const COMPACTED_AFTER_MS = 2_000;

/** All transcripts of a set against a Sluice started the way they ask for; where it refuses to, all of them fail. */
export async function checkOwnServer(setup: Setup): Promise<Verdict[]> {
  const { serverFlags, compacted } = SETUPS[setup];
  const server = await startOwnServer(serverFlags).catch((error: Error) => error);
  if (server instanceof Error) {
    if (serverFlags.length === 0) throw server;
    const why = `sluice serve ${serverFlags.join(' ')} does not start`;
    return failEvery(readCollection(setup), comparedBy(setup), why);
  }
  try {
    if (compacted) await setTimeout(COMPACTED_AFTER_MS);
    const options = { compares: comparedBy(setup), compacted };
    return await checkServer(readKubeconfig(server.kubeconfig), readCollection(setup), options);
  } finally {
    await server.stop();
  }
}

export function summary(verdicts: readonly Verdict[]): string {
  const skipped = count(verdicts, 'skipped');
  const numbers = `${count(verdicts, 'passed')} passed, ${count(verdicts, 'failed')} failed`;
  return skipped > 0 ? `${numbers}, ${skipped} skipped` : numbers;
}

function count(verdicts: readonly Verdict[], outcome: Verdict['outcome']): number {
  return verdicts.filter((verdict) => verdict.outcome === outcome).length;
}

function readSettings(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      kubeconfig: { type: 'string' },
      step: { type: 'string' },
      compacted: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      set: { type: 'string', default: 'default' },
      record: { type: 'string' },
      'write-gaps': { type: 'boolean', default: false },
    },
  });
  if (values.kubeconfig === undefined && !values['write-gaps']) throw new Error('--kubeconfig is missing');
  if (!isSetup(values.set)) throw new Error(`--set must be one of ${Object.keys(SETUPS).join(', ')}`);
  const { kubeconfig, step, compacted, verbose, set, record, 'write-gaps': writeGaps } = values;
  return { kubeconfig, step, compacted, verbose, set, record, writeGaps, files: positionals };
}
