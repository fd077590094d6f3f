// The micro-benchmarks run, write their figures down, and are compared with those of another time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../scripts/bench-micro.mjs', import.meta.url));

test('npm run bench:micro measures what is named, and tells what differs from another time', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-micro-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'figures.json');
  const micro = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  };
  const lines = micro('pods/metadata', 'customresources/protobuf', '--save', file);
  assert.equal(lines.length, 2, 'custom resources have no Protobuf');
  for (const line of lines) assert.match(line, /^pods\/metadata\/(identity|gzip) +\d+ µs +\d+ MB\/s$/);
  const figures = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(Object.keys(figures), ['pods/metadata/identity', 'pods/metadata/gzip']);
  for (const values of Object.values(figures)) assert.ok(values.length >= 4 && values.every((ms) => ms > 0));
  const [compared] = micro('pods/metadata/identity', '--against', file);
  assert.match(compared, /MB\/s {2}x\d+\.\d{3} \(\d+\.\d{3}–\d+\.\d{3}\) {2}(differs|can't tell)$/);
});
