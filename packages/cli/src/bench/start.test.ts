// `sluice bench start` with few objects: both directories are started, and their memory is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));

test('sluice bench start tells how long an empty and a filled server take', {
  timeout: 120_000,
}, async () => {
  const sizes = ['--configmaps', '20x1000', '--pods', '20'];
  const { code, stdout, stderr } = await run(process.execPath, [
    ...[COMMAND, 'bench', 'start', '--starts', '2'],
    ...sizes,
  ]);
  assert.equal(code, 0, stderr);
  const [empty, filled, above] = stdout.trim().split('\n');
  const memory = process.platform === 'linux' ? ', memory [1-9]\\d* MB' : '';
  assert.match(
    empty!,
    new RegExp(`^empty: ready in \\d+\\.\\d\\d s \\(\\d.*\\d to \\d.*\\d, 2 starts\\)${memory}$`),
  );
  assert.match(
    filled!,
    new RegExp(`^configmaps, pods: 0 MB of JSON: ready in .* s \\(.*, 2 starts\\)${memory}$`),
  );
  if (process.platform === 'linux') assert.match(above!, /^above the empty server: -?\d+\.\d\dx their JSON$/);
});

test('sluice bench start refuses what it does not understand', async () => {
  for (const [args, expected] of [
    [['--starts', '0'], /--starts/],
    [['--pods', 'many'], /^--pods must read COUNTxBYTES/],
  ] as const) {
    const { code, stderr } = await run(process.execPath, [COMMAND, 'bench', 'start', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, expected);
  }
});
