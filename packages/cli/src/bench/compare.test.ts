// What `sluice bench compare` tells of two runs, and the code it ends with.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Cell, Line, Measure, MeasureName } from '@sluice/bench';
import { run as runProgram } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
const VALUES = [1, 1.1, 1.2, 1.3, 1.4, 1.5];
const compare = (...args: string[]) => runProgram(process.execPath, [COMMAND, 'bench', 'compare', ...args]);

test('what is the same is no regression', async (t) => {
  const [file] = written(t, [run('a'), cell('pods/json', { latency: VALUES })]);
  const { code, stdout } = await compare(file!, file!, '--max-regression', '0');
  assert.deepEqual([code, stdout], [0, 'a → a: 0 of 1 figures differ\n']);
});

test('what is worse beyond noise counts past the limit, whether it should be less or more', async (t) => {
  const scaled = (factor: number) => VALUES.map((value) => value * factor);
  const [before, after] = written(
    t,
    [run('a'), cell('pods/json', { latency: VALUES, throughput: VALUES, decodedBytes: VALUES })],
    [run('b'), cell('pods/json', { latency: scaled(3), throughput: scaled(0.2), decodedBytes: scaled(9) })],
  );
  const told = await compare(before!, after!);
  assert.equal(told.code, 0);
  assert.match(told.stdout, /^a → b: 3 of 3 figures differ\n/);
  assert.match(told.stdout, /\nworse {3}pods\/json {2}s {2}throughput {2}1 → 1 {2}x0\.200 /);
  assert.match(told.stdout, /\nworse {3}pods\/json {2}s {2}latency {2}1 → 1 {2}x3\.000 /);
  // That the lists are of different sizes is told, and no matter of worse or better.
  assert.match(told.stdout, /\nother {3}pods\/json {2}s {2}decodedBytes /);
  const past = await compare(before!, after!, '--max-regression', '2.5');
  assert.equal(past.code, 1);
  assert.match(past.stdout, /\n1 worse than allowed:\n {2}pods\/json s throughput\n$/);
  assert.equal((await compare(before!, after!, '--max-regression', '5')).code, 0);
  assert.equal((await compare(after!, before!, '--max-regression', '0')).code, 0);
});

test('few values tell nothing; a cell that is no longer measured is a regression', async (t) => {
  const failed: Cell = { ...cell('pods/yaml', {}), outcome: 'failed', reason: 'not within 60 s' };
  const [before, after] = written(
    t,
    [run('a'), cell('pods/json', { latency: [1, 1, 1] }), cell('pods/yaml', { latency: VALUES })],
    [run('b'), cell('pods/json', { latency: [9, 9, 9] }), failed, cell('pods/new', { latency: VALUES })],
  );
  const { code, stdout } = await compare(before!, after!, '--max-regression', '100');
  assert.equal(code, 1);
  assert.match(stdout, /^a → b: 0 of 1 figures differ\npods\/yaml s: failed, not within 60 s\n/);
});

test('a history is its last two runs, a directory what it holds', async (t) => {
  const [history, directory] = written(
    t,
    [run('a'), cell('pods/json', { latency: [9, 9, 9, 9] }), run('b'), run('c')],
    [run('d')],
  );
  assert.match((await compare(history!)).stdout, /^b → c: 0 of 0 /);
  assert.match((await compare(history!, join(directory!, '..'))).stdout, /^c → d: /);
});

test('what is no result is refused by file and line', async (t) => {
  const [none, other, misplaced, single] = written(
    t,
    [],
    [{ ...run('a'), schema: 2 } as never],
    [cell('a', {})],
    [run('a')],
  );
  for (const [args, code, expected] of [
    [[none!, none!], 1, /no results\n$/],
    [[other!, other!], 1, /results\.jsonl, line 1: results of schema 2, not 1\n$/],
    [[misplaced!, misplaced!], 1, /line 1: a cell before any run\n$/],
    [[single!], 1, /holds one run only\n$/],
    [[], 2, /^two results must be named\n/],
    [[single!, single!, '--max-regression', 'ten'], 2, /^--max-regression must be a share/],
  ] as const) {
    const ended = await compare(...args);
    assert.equal(ended.code, code);
    assert.match(ended.stderr, expected);
  }
});

/** A file for each run, in a directory of its own. */
function written(t: TestContext, ...files: Line[][]): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-compare-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return files.map((lines, index) => {
    const file = join(directory, `${index}`, 'results.jsonl');
    mkdirSync(join(file, '..'));
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  });
}

function run(id: string): Line {
  return {
    ...{ type: 'run', schema: 1, id, startedAt: '2026-05-04T10:11:12Z' },
    machine: { cpu: 'x', cores: 2, memoryBytes: 1, system: 'x' },
    ...{ versions: {}, commit: null, flags: [], subjects: [], ceilings: {} },
  };
}

function cell(name: string, values: Partial<Record<MeasureName, number[]>>): Cell {
  const asMeasure = (all: number[]): Measure => ({
    unit: 'seconds',
    ...{ values: all, min: 1, median: 1, p90: 1, p99: 1, max: 1 },
  });
  const measures = Object.fromEntries(Object.entries(values).map(([key, all]) => [key, asMeasure(all)]));
  return {
    ...{ type: 'cell', name, kind: 'pods', representation: 'json', encoding: 'identity', http: 'h2' },
    ...{ readers: 1, gate: 'on', job: 'list', subject: 's', objects: { count: 1, bytes: 1 } },
    ...{ outcome: 'measured', measures },
  };
}
