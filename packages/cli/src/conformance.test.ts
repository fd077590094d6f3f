// Holds Sluice's answers to those recorded from kube-apiserver; what doesn't pass yet must be on the list of known gaps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compareWithGaps, KNOWN_GAPS_FILE, parseGaps, SETUPS, type Setup } from '@sluice/conformance';
import { checkOwnServer, summary } from './conformance.ts';

const LIMIT_MS = 600_000;
/** Of thousands that fail for one reason, some are enough to see it. */
const PROBLEMS_SHOWN = 40;

for (const setup of Object.keys(SETUPS) as Setup[]) {
  test(`sluice serve answers the transcripts "${setup}" as kube-apiserver does`, {
    timeout: LIMIT_MS,
  }, async (t) => {
    const gaps = parseGaps(readFileSync(KNOWN_GAPS_FILE, 'utf8'));
    const verdicts = await checkOwnServer(setup);
    t.diagnostic(summary(verdicts));
    const problems = compareWithGaps(verdicts, gaps);
    assert.equal(
      problems.length,
      0,
      `${problems.length} steps\n${problems.slice(0, PROBLEMS_SHOWN).join('\n')}`,
    );
  });
}
