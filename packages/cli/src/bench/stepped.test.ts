// Lists at rising rates and readers that don't read, with few objects against a real server: steps, knee, memory.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Cell } from '@sluice/bench';
import { lacks, run as runProgram } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
const options = { skip: lacks('curl', '--version'), timeout: 300_000 };

test(
  'sluice bench gradient goes up until the server falls behind, and names that step',
  options,
  async (t) => {
    // 10 MB thousands of times a second is more than any machine serves, a few times in half a minute less.
    const [cell, stdout] = await measured(t, [
      ...['gradient', '--configmaps', '100x100000', '--only', 'configmaps/json/identity/h2'],
      ...['--rates', '2000,0.2', '--seconds', '1', '--limit', '120'],
    ]);
    assert.equal(cell.name, 'configmaps/json/identity/h2/r1/on/gradient');
    assert.deepEqual(
      cell.steps!.map(({ load, fellBehind }) => [load, fellBehind]),
      [
        [0.2, false],
        [2000, true],
      ],
    );
    assert.equal(cell.knee, 1);
    assert.match(stdout, /^configmaps\/json.*gradient {2}sluice: fell behind at 2000 lists a second\n/);
    assert.equal(cell.steps![0]!.measures.latency!.values.length, 4);
    for (const { measures } of cell.steps!) assert.ok(measures.serverCpu!.median > 0);
  },
);

test('sluice bench readers tells what readers cost that read slowly or not at all', options, async (t) => {
  for (const idleness of ['slow', 'vanished']) {
    const [cell] = await measured(t, [
      ...['readers', '--pods', '100', '--idle', idleness, '--counts', '5,20', '--seconds', '1'],
    ]);
    assert.equal(cell.name, `pods/json/identity/h2/r1/on/${idleness}-readers`);
    assert.equal(cell.knee, null);
    assert.deepEqual(
      cell.steps!.map(({ load, fellBehind }) => [load, fellBehind]),
      [
        [5, false],
        [20, false],
      ],
    );
    // Another one's list is served meanwhile; a list that is not read holds 1 MiB at the most, and its connection.
    for (const { measures } of cell.steps!) assert.ok(measures.latency!.values.length > 0);
    if (process.platform === 'linux') {
      const { median } = cell.steps![1]!.measures.memoryPerReader!;
      assert.ok(median >= 0 && median < 4 << 20, `${median}`);
    }
  }
});

test('sluice bench gradient and readers refuse what they do not understand', options, async () => {
  for (const [args, expected] of [
    [['gradient', '--rates', '1,fast'], /^--rates must be a number above 0/],
    [['readers', '--idle', 'gone'], /^--idle must be slow or vanished/],
    [['readers', '--only', 'pods/json/identity/h2/r10'], /selects no cell/],
  ] as const) {
    const { code, stderr } = await runProgram(process.execPath, [COMMAND, 'bench', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, expected);
  }
});

async function measured(t: TestContext, args: readonly string[]): Promise<[Cell, string]> {
  const out = mkdtempSync(join(tmpdir(), 'sluice-stepped-'));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  const ended = await runProgram(process.execPath, [COMMAND, 'bench', ...args, '--out', out]);
  assert.equal(ended.code, 0, ended.stderr);
  const [, cell] = readFileSync(join(out, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return [cell, ended.stdout];
}
