// The benchmark as a person runs it, with few objects against a real server: what it leaves behind, and what it refuses.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Cell, Run } from '@sluice/bench';
import { lacks, run as runProgram } from '../clients/program.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
const options = { skip: lacks('curl', '--version'), timeout: 300_000 };
const SIZES = ['--pods', '40', '--configmaps', '40x2000', '--customresources', '40', '--minutes', '0.1'];

test(
  'sluice bench measures every job and representation, and writes down what it found',
  options,
  async (t) => {
    const directory = temporary(t);
    const history = join(directory, 'history.jsonl');
    const only = [
      ...['--only', 'pods/*/gzip/h2/r1/on/list', '--only', 'pods/json/identity/h1/r10/off/list'],
      ...['--only', 'configmaps/json/identity/h2/r1/on/paged,selector,watchlist,watch'],
      ...['--only', 'customresources/protobuf,table/identity/h2/r10/on/list,watch'],
    ];
    const out = join(directory, 'first');
    const { code, stdout, stderr } = await sluice([
      'bench',
      ...only,
      ...SIZES,
      '--out',
      out,
      '--history',
      history,
    ]);
    assert.equal(code, 0, stderr);
    const [run, ...cells] = readLines(join(out, 'results.jsonl'));
    assert.match(
      stdout,
      new RegExp(`^${cells.length} results in .*results\\.jsonl, drawn in .*index\\.html\n$`),
    );
    assert.equal(cells.length, 7 + 1 + 4 + 4);
    assert.deepEqual(
      run.subjects.map(({ name }) => name),
      ['sluice'],
    );
    for (const speed of [run.ceilings.h1, run.ceilings.h2]) assert.ok(speed! > 1e6);
    assert.deepEqual(run.flags.slice(0, 2), only.slice(0, 2));

    const refused = cells.filter(({ outcome }) => outcome !== 'measured');
    assert.deepEqual(
      refused.map(({ name, outcome, reason }) => [name, outcome, reason?.slice(0, 4)]),
      [
        ['customresources/protobuf/identity/h2/r10/on/list', 'refused', '406 '],
        ['customresources/protobuf/identity/h2/r10/on/watch', 'refused', '406 '],
      ],
    );
    for (const cell of cells) if (cell.outcome === 'measured') checkMeasured(cell);
    const named = new Map(cells.map((cell) => [cell.name, cell]));
    const size = (name: string) => named.get(name)!.measures.decodedBytes!.median;
    // The same 40 objects: a tenth of them is a tenth of the bytes, pages are the list and their heads again.
    const whole = named.get('configmaps/json/identity/h2/r1/on/paged')!;
    assert.equal(whole.objects.count, 40);
    assert.ok(Math.abs(size(whole.name) / whole.objects.bytes - 1) < 0.1);
    const tenth = size('configmaps/json/identity/h2/r1/on/selector');
    assert.ok(Math.abs(tenth / (4 * 2000) - 1) < 0.4, `${tenth}`);
    const gzip = named.get('pods/json/gzip/h2/r1/on/list')!.measures;
    assert.ok(gzip.wireBytes!.median * 3 < gzip.decodedBytes!.median);
    const ten = named.get('pods/json/identity/h1/r10/off/list')!.measures.latency!;
    assert.equal(ten.perRound! % 10, 0);
    assert.equal(ten.values.length % ten.perRound!, 0);

    assert.deepEqual(readLines(history), [run, ...cells]);
    assert.ok(readFileSync(join(out, 'index.html'), 'utf8').includes(run.id));
  },
);

test('sluice bench takes turns with a server that is named', options, async (t) => {
  const directory = temporary(t);
  const { startOwnServer } = await import('../own-server.ts');
  const other = await startOwnServer([]);
  t.after(() => other.stop());
  const out = join(directory, 'two');
  const { code, stderr } = await sluice([
    ...['bench', ...SIZES, '--only', 'pods/json,cbor/identity/h2/r1/on/list', '--out', out],
    ...['--subject', `other=${other.kubeconfig}`],
  ]);
  assert.equal(code, 0, stderr);
  const [, ...cells] = readLines(join(out, 'results.jsonl'));
  assert.deepEqual(
    cells.map(({ subject, representation, outcome }) => [subject, representation, outcome]),
    [
      ['sluice', 'json', 'measured'],
      ['other', 'json', 'measured'],
      ['sluice', 'cbor', 'measured'],
      ['other', 'cbor', 'refused'],
    ],
  );
  // Without its process id the other one is asked at /metrics.
  for (const { measures } of cells.slice(0, 2)) {
    assert.ok(measures.serverCpu!.median > 0);
    assert.ok(measures.rssStart!.median > 10e6);
  }
});

test(
  'sluice bench fills no server that is not on this machine, and says what it does not understand',
  options,
  async (t) => {
    const kubeconfig = join(temporary(t), 'kubeconfig');
    writeFileSync(
      kubeconfig,
      `{"clusters":[{"name":"a","cluster":{"server":"https://192.0.2.7:6443"}}],
      "contexts":[{"name":"a","context":{"cluster":"a"}}],"current-context":"a"}`,
    );
    for (const [args, expected] of [
      [['--subject', `far=${kubeconfig}`], /^far at https:\/\/192\.0\.2\.7:6443 is not on this machine/],
      [['--subject', 'x'], /^--subject x does not read NAME=KUBECONFIG/],
      [['--only', 'pots'], /^--only pots selects no cell/],
      [['--pods', 'many'], /^--pods must read COUNTxBYTES/],
      [['--without-own'], /^--without-own needs a --subject/],
    ] as const) {
      const { code, stderr } = await sluice(['bench', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, expected);
    }
  },
);

function checkMeasured({ name, job, measures, memory }: Cell): void {
  const expected = [
    'latency',
    'wireBytes',
    'decodedBytes',
    'throughput',
    'clientCpu',
    'serverCpu',
    'rssStart',
  ];
  for (const measure of [
    ...expected,
    job === 'watch' ? 'eventLag' : 'firstByte',
  ] as (keyof typeof measures)[]) {
    const { min, median, p90, p99, max, values } =
      measures[measure] ?? assert.fail(`${name} lacks ${measure}`);
    assert.ok(
      values.length > 0 && values.every((value) => value >= min && value <= max),
      `${name} ${measure}`,
    );
    assert.ok(min <= median && median <= p90 && p90 <= p99 && p99 <= max, `${name} ${measure}`);
    assert.ok(median > 0, `${name} ${measure}`);
  }
  assert.ok(memory!.rssBytes.length > 0 && memory!.rssBytes.every((bytes) => bytes > 10e6));
}

function sluice(args: readonly string[]): ReturnType<typeof runProgram> {
  return runProgram(process.execPath, [COMMAND, ...args]);
}

function readLines(file: string): [Run, ...Cell[]] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [Run, ...Cell[]];
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
