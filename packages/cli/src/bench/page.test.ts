// What `sluice bench page` writes of results that are there.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run as runProgram } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
const page = (...args: string[]) => runProgram(process.execPath, [COMMAND, 'bench', 'page', ...args]);

test('a page is drawn of directories and files together; what is missing is told', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-page-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const files = ['one', 'two'].map((id) => {
    mkdirSync(join(directory, id));
    writeFileSync(join(directory, id, 'results.jsonl'), `{"type":"run","schema":1,"id":"${id}"}\n`);
    return join(directory, id);
  });
  const out = join(directory, 'not', 'there');
  const { code, stdout } = await page(files[0]!, join(files[1]!, 'results.jsonl'), '--out', out);
  assert.deepEqual([code, stdout], [0, `${join(out, 'index.html')}\n`]);
  const text = readFileSync(join(out, 'index.html'), 'utf8');
  assert.match(text, /^<!doctype html>/);
  for (const id of ['one', 'two']) assert.ok(text.includes(`"id":"${id}"`));
  assert.match((await page(files[0]!)).stderr, /^--out must name a directory\n/);
  assert.equal((await page('--out', out)).code, 2);
  assert.equal((await page(join(directory, 'none'), '--out', out)).code, 1);
});
