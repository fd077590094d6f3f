// The memory gate in a small form: streamed lists pass it, lists that are gathered whole don't.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lacks, run as runProgram } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
const skip = process.platform === 'linux' ? lacks('curl', '--version') : 'memory is read from /proc';

test('sluice bench --gate fails where lists cost memory, and only there', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-gate-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  // 12 MB of JSON: ten readers of a list that is held whole hold more than the gate allows.
  const gate = (...only: string[]) =>
    runProgram(process.execPath, [
      ...[COMMAND, 'bench', '--gate', '--configmaps', '120x100000', '--minutes', '0.2'],
      ...['--out', directory, ...only.flatMap((cells) => ['--only', cells])],
    ]);
  const streamed = await gate('configmaps/json,protobuf,yaml/identity,gzip/h2/r10/on/list');
  assert.match(streamed.stdout, /\nmemory gate: 6 cells judged, 0 above 64 MiB\n$/, streamed.stderr);
  assert.equal(streamed.code, 0);
  const gathered = await gate('configmaps/json/identity/h2/r10/on,off/list');
  assert.match(
    gathered.stdout,
    /\nmemory gate: 2 cells judged, 1 above 64 MiB\n {2}.*\/off\/list sluice: [0-9]+ MiB\n$/,
  );
  assert.equal(gathered.code, 1);
});
