// The pool of encoding threads: same bytes as on the event loop, in order, and what becomes of jobs when threads die or can't start.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeLeaf } from './encode-leaf.ts';
import {
  EncodingWorkers,
  type EncodingWorkersOptions,
  JOBS_PER_WORKER,
  LIGHT_JOBS_PER_WORKER,
} from './encoding-workers.ts';
import { type EncodedLeaf, formOf } from './forms.ts';
import type { Leaf } from './leaf.ts';
import { CONFIG_MAPS, configMapLeaves, inputOf, noDefinition, shownAs } from './test-leaves.ts';

const PRETTY = shownAs('pretty');

function workersOf(context: TestContext, options?: EncodingWorkersOptions): EncodingWorkers {
  const workers = new EncodingWorkers(options);
  context.after(() => workers.close());
  return workers;
}

/** A thread that does what the text says instead of encoding. */
function threadThat(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

const READY = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready');";

function here(leaf: Leaf): EncodedLeaf {
  return encodeLeaf(PRETTY, inputOf(leaf));
}

function there(workers: EncodingWorkers, leaf: Leaf): Promise<EncodedLeaf> {
  return workers.encode(PRETTY, inputOf(leaf));
}

test('encode() gives what encodeLeaf() gives, and leaves the leaf as it is', async (context) => {
  const workers = workersOf(context, { workers: 2 });
  const leaves = configMapLeaves(30);
  const before = leaves.map((leaf) => Buffer.from(leaf.join()).toString());
  const encoded = await Promise.all(leaves.map((leaf) => there(workers, leaf)));
  for (const [i, leaf] of leaves.entries()) {
    assert.deepEqual(Buffer.from(encoded[i]!.bytes), Buffer.from(here(leaf).bytes));
    assert.deepEqual(encoded[i]!.ends, here(leaf).ends);
    assert.deepEqual(encoded[i]!.problems, []);
    assert.equal(encoded[i]!.bytes.buffer.byteLength, encoded[i]!.bytes.length, 'holds nothing else');
    assert.equal(Buffer.from(leaf.join()).toString(), before[i]);
  }
});

test('encode() starts no thread before it is needed, and no more than it may', async (context) => {
  const workers = workersOf(context, { workers: 2 });
  assert.equal(workers.counts.threads, 0);
  const leaves = configMapLeaves(20);
  const asked = leaves.map((leaf) => there(workers, leaf));
  assert.deepEqual(workers.counts, { threads: 2, waiting: 20 - 2 * JOBS_PER_WORKER });
  await Promise.all(asked);
  assert.deepEqual(workers.counts, { threads: 2, waiting: 0 });
});

test('encode() of metadata alone wakes a second thread only when the first has as much as a list asks for', async (context) => {
  const workers = workersOf(context, { workers: 2 });
  const metadata = formOf(CONFIG_MAPS, { shows: 'metadata', version: 'v1' }, 'json', noDefinition)!;
  const leaves = configMapLeaves(LIGHT_JOBS_PER_WORKER + 1).map(inputOf);
  const first = leaves.slice(1).map((leaf) => workers.encode(metadata, leaf));
  assert.equal(workers.counts.threads, 1);
  const last = workers.encode(metadata, leaves[0]!);
  assert.equal(workers.counts.threads, 2);
  await Promise.all([...first, last]);
});

test('prepare() starts all threads once, and none after the end', async (context) => {
  const workers = workersOf(context, { workers: 2 });
  workers.prepare();
  workers.prepare();
  assert.deepEqual(workers.counts, { threads: 2, waiting: 0 });
  await there(workers, configMapLeaves(1)[0]!);
  assert.equal(workers.counts.threads, 2);
  workers.close();
  workers.prepare();
  assert.equal(workers.counts.threads, 0);
});

test('encode() answers in the order asked for where there is one thread', async (context) => {
  const workers = workersOf(context, { workers: 1 });
  const order: number[] = [];
  const leaves = configMapLeaves(10);
  await Promise.all(leaves.map((leaf, i) => there(workers, leaf).then(() => order.push(i))));
  assert.deepEqual(order, [...leaves.keys()]);
});

test('encode() rejects the job a thread died over, and gives the others to a new one', async (context) => {
  // Dies over leaves of one item, and counts the bytes of all others.
  const text = `${READY} parentPort.on('message', ({ id, json, lengths }) => {
    if (lengths.length === 1) process.exit(1);
    const ends = Uint32Array.of(json.length);
    parentPort.postMessage({ id, encoded: { bytes: new Uint8Array(), ends, problems: [] } });
  });`;
  const workers = workersOf(context, { workers: 1, script: threadThat(text) });
  const [[deadly], leaves] = [configMapLeaves(1, 1), configMapLeaves(5)];
  const first = there(workers, leaves[0]!);
  const died = assert.rejects(there(workers, deadly!), /thread has ended/);
  const others = leaves.slice(1).map((leaf) => there(workers, leaf));
  await died;
  const ends = (await Promise.all([first, ...others])).map((encoded) => encoded.ends[0]);
  assert.deepEqual(
    ends,
    leaves.map((leaf) => leaf.join().length),
  );
  assert.equal(workers.counts.threads, 1);
});

test('encode() tells what a thread threw outside of a job', async (context) => {
  const text = `${READY} parentPort.on('message', () => { throw new Error('out of luck'); });`;
  const workers = workersOf(context, { workers: 1, script: threadThat(text) });
  await assert.rejects(there(workers, configMapLeaves(1)[0]!), /out of luck/);
});

test('encode() rejects when a thread needs more memory than it may have', async (context) => {
  const text = `${READY} parentPort.on('message', () => {
    const held = []; for (;;) held.push(new Array(100_000).fill(held.length));
  });`;
  const workers = workersOf(context, { workers: 1, script: threadThat(text) });
  await assert.rejects(there(workers, configMapLeaves(1)[0]!), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
});

test('encode() does the work on the event loop, in slices, where no thread can start', async (context) => {
  for (const script of [new URL('./no-such-file.js', import.meta.url), threadThat('throw new Error("no")')]) {
    const workers = workersOf(context, { workers: 2, script });
    const leaves = [...configMapLeaves(10), ...configMapLeaves(1, 500, 400)];
    const [encoded, longest] = await longestTurn(() =>
      Promise.all(leaves.map((leaf) => there(workers, leaf))),
    );
    for (const [i, leaf] of leaves.entries()) assert.deepEqual(encoded[i], here(leaf));
    assert.ok(longest < 100, `${longest} ms`);
    assert.equal(workers.counts.threads, 0);
  }
});

test('encode() holds the event loop for no long time', async (context) => {
  const workers = workersOf(context, { workers: 1 });
  const leaves = configMapLeaves(60, 200, 1000);
  for (const leaf of leaves) leaf.join();
  await there(workers, leaves[0]!);
  const [, longest] = await longestTurn(() => Promise.all(leaves.map((leaf) => there(workers, leaf))));
  assert.ok(longest < 100, `${longest} ms`);
});

test('close() rejects what is not done, and what comes after', async (context) => {
  const workers = workersOf(context, { workers: 1 });
  const leaves = configMapLeaves(10);
  await there(workers, leaves[0]!);
  const asked = leaves.map((leaf) => there(workers, leaf));
  workers.close();
  workers.close();
  for (const one of asked) await assert.rejects(one, /have ended/);
  await assert.rejects(there(workers, leaves[0]!), /have ended/);
  assert.deepEqual(workers.counts, { threads: 0, waiting: 0 });
});

async function longestTurn<T>(act: () => Promise<T>): Promise<[T, number]> {
  let [longest, last, over] = [0, performance.now(), false];
  const watch = (async () => {
    while (!over) {
      await delay(1);
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
  })();
  const result = await act();
  over = true;
  await watch;
  return [result, longest];
}
