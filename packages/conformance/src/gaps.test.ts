// Checks the list of known gaps: what it forbids, what it keeps, and that each of its lines names a step there is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Verdict } from './check.ts';
import { KNOWN_GAPS_FILE, readCollection, SETUPS, type Setup } from './collection.ts';
import { compareWithGaps, parseGaps, printGaps } from './gaps.ts';

const VERDICTS = [verdict('a', 'passed'), verdict('b', 'failed'), verdict('c', 'skipped')];

test('compareWithGaps() names new failures and gaps that are closed', () => {
  assert.deepEqual(compareWithGaps(VERDICTS, parseGaps('t/b  a reason\nt/c  later\n')), []);
  const [closed, failed] = compareWithGaps(VERDICTS, parseGaps('# remark\nt/a  was hard\n'));
  assert.match(closed ?? '', /t\/a passes: take it off/);
  assert.match(failed ?? '', /^t\/b .*\n {2}want \{"status":200\}\n {2}have \{"status":404\}$/s);
});

test('printGaps() keeps reasons, and gaps whose steps were skipped', () => {
  const text = printGaps(VERDICTS, parseGaps('t/a  gone\nt/b  a reason\nt/c  later\n'));
  assert.deepEqual(
    [...parseGaps(text)],
    [
      ['t/b', 'a reason'],
      ['t/c', 'later'],
    ],
  );
});

test('known-gaps.txt names only steps that exist, each with a reason', () => {
  const steps = new Set(
    (Object.keys(SETUPS) as Setup[])
      .flatMap(readCollection)
      .flatMap((transcript) => transcript.steps.map((step) => `${transcript.name}/${step.id}`)),
  );
  assert.ok(steps.size > 2000);
  for (const [name, reason] of parseGaps(readFileSync(KNOWN_GAPS_FILE, 'utf8'))) {
    assert.ok(steps.has(name), name);
    assert.notEqual(reason, '', name);
  }
});

function verdict(step: string, outcome: Verdict['outcome']): Verdict {
  const have = outcome === 'failed' ? { status: 404 } : { status: 200 };
  return { transcript: 't', step, why: 'why', outcome, want: { status: 200 }, have };
}
