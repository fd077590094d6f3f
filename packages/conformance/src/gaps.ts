// The list of steps that don't pass yet: read, compared with a run, written anew with the reasons kept.
import type { Verdict } from './check.ts';

/** `transcript/step` → why it doesn't pass yet. */
export type Gaps = Map<string, string>;

const NO_REASON = 'not built yet';

/** One gap a line, `transcript/step  reason`; a line with `#` in front is a remark. */
export function parseGaps(text: string): Gaps {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [name = '', ...reason] = line.split(/\s+/);
      return [name, reason.join(' ')];
    }),
  );
}

/** What a run and the list disagree on. A skipped step says nothing. */
export function compareWithGaps(verdicts: readonly Verdict[], gaps: Gaps): string[] {
  return verdicts.flatMap((verdict) => {
    const isListed = gaps.has(stepName(verdict));
    if (verdict.outcome === 'failed' && !isListed) return [describeFailure(verdict)];
    if (verdict.outcome === 'passed' && isListed) {
      return [`${stepName(verdict)} passes: take it off the list of known gaps`];
    }
    return [];
  });
}

/** The list after a run: what failed, and what was skipped and listed before. */
export function printGaps(verdicts: readonly Verdict[], before: Gaps): string {
  const lines = verdicts
    .filter(
      (verdict) =>
        verdict.outcome === 'failed' || (verdict.outcome === 'skipped' && before.has(stepName(verdict))),
    )
    .map((verdict) => `${stepName(verdict)}  ${before.get(stepName(verdict)) ?? NO_REASON}\n`);
  return `# Steps that don't pass yet: transcript/step  reason. Written by \`sluice conformance --write-gaps\`.\n${lines.join('')}`;
}

export function stepName(verdict: Verdict): string {
  return `${verdict.transcript}/${verdict.step}`;
}

export function describeFailure(verdict: Verdict): string {
  const { why, want, have } = verdict;
  return `${stepName(verdict)}  ${why}\n  want ${JSON.stringify(want)}\n  have ${JSON.stringify(have)}`;
}
