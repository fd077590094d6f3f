// Checks a server against transcripts: some at a time, since each keeps to a namespace of its own.
import { openConnection, type Target } from './connection.ts';
import { playTranscript } from './play.ts';
import type { SettledAnswer, Step, Transcript } from './transcript.ts';

export type Verdict = {
  transcript: string;
  step: string;
  why: string;
  outcome: 'passed' | 'failed' | 'skipped';
  want: SettledAnswer;
  have: SettledAnswer | undefined;
};

export type CheckOptions = {
  /** The steps that are compared; the others are sent all the same. */
  compares?: (step: Step) => boolean;
  /** The store has forgotten its first revisions: play the steps that need it. */
  compacted?: boolean;
  /** Transcripts played at the same time. */
  parallel?: number;
  onVerdict?: (verdict: Verdict) => void;
};

const PARALLEL = 4;

export async function checkServer(
  target: Target,
  transcripts: readonly Transcript[],
  options: CheckOptions = {},
): Promise<Verdict[]> {
  const results: Verdict[][] = [];
  const queue = [...transcripts.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, transcript] = next;
      const verdicts = await checkTranscript(target, transcript, options);
      for (const verdict of verdicts) options.onVerdict?.(verdict);
      results[index] = verdicts;
    }
  };
  await Promise.all(Array.from({ length: options.parallel ?? PARALLEL }, worker));
  return results.flat();
}

export async function checkTranscript(
  target: Target,
  transcript: Transcript,
  options: CheckOptions = {},
): Promise<Verdict[]> {
  const connection = openConnection(target);
  const applies = (step: Step) => !needsCompaction(step) || options.compacted === true;
  try {
    const played = await playTranscript(connection, transcript, applies);
    const answers = new Map(played.map(({ step, got }) => [step, got]));
    return transcript.steps
      .filter((step) => options.compares?.(step) ?? true)
      .map((step) => {
        const have = answers.get(step);
        return {
          transcript: transcript.name,
          step: step.id,
          why: step.why ?? '',
          outcome: have === undefined ? 'skipped' : isSame(step.expect, have) ? 'passed' : 'failed',
          want: step.expect,
          have,
        };
      });
  } finally {
    connection.close();
  }
}

export function needsCompaction(step: Step): boolean {
  return step.needs === 'compaction';
}

/** What a check comes to where there is no server to ask. */
export function failEvery(
  transcripts: readonly Transcript[],
  compares: (step: Step) => boolean,
  error: string,
): Verdict[] {
  return transcripts.flatMap((transcript) =>
    transcript.steps.filter(compares).map((step) => ({
      transcript: transcript.name,
      step: step.id,
      why: step.why ?? '',
      outcome: 'failed',
      want: step.expect,
      have: { error },
    })),
  );
}

function isSame(want: SettledAnswer, have: SettledAnswer): boolean {
  return JSON.stringify(want) === JSON.stringify(have);
}
