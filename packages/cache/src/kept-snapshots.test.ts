// What keeping snapshots may cost, over all resources: in time, in number, in bytes of leaves nobody else holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptSnapshots, type Line, SNAPSHOT_KEPT_MS, SNAPSHOTS_KEPT_MAX } from './kept-snapshots.ts';
import { EMPTY_LEAF } from './leaf.ts';
import { RootSnapshot } from './snapshot.ts';

type TestLine = Line & { replacedBytes: number };

function lineOf(prefix: string): TestLine {
  return { prefix, replacedBytes: 0 };
}

function snapshotOf(line: Line, revision: bigint, ownBytes = 0): RootSnapshot {
  return new RootSnapshot(EMPTY_LEAF, revision, { replacedBefore: line.replacedBytes, ownBytes });
}

function knownOf(kept: KeptSnapshots, line: Line, upTo: number): number[] {
  return Array.from({ length: upTo }, (_, i) => i + 1).filter(
    (n) => kept.find(line, BigInt(n)) !== undefined,
  );
}

test('find() knows a snapshot for its time, which begins anew when it is kept again', () => {
  let now = 0;
  const kept = new KeptSnapshots(() => now);
  const pods = lineOf('/registry/pods/');
  const first = snapshotOf(pods, 1n);
  kept.keep(pods, first);
  now += SNAPSHOT_KEPT_MS - 1;
  assert.equal(kept.find(pods, 1n), first);
  kept.keep(pods, first);
  kept.keep(pods, snapshotOf(pods, 2n));
  now += SNAPSHOT_KEPT_MS - 1;
  assert.deepEqual(knownOf(kept, pods, 3), [1, 2]);
  now += 1;
  assert.deepEqual(knownOf(kept, pods, 3), []);
  assert.equal(kept.count, 0);
});

test('find() tells resources apart', () => {
  const kept = new KeptSnapshots(() => 0);
  const [pods, secrets] = [lineOf('/registry/pods/'), lineOf('/registry/secrets/')];
  const ofPods = snapshotOf(pods, 1n);
  kept.keep(pods, ofPods);
  assert.equal(kept.find(secrets, 1n), undefined);
  kept.keep(secrets, snapshotOf(secrets, 1n));
  assert.equal(kept.find(pods, 1n), ofPods);
});

test('keep() lets the one go that was kept longest ago when there are too many', () => {
  const kept = new KeptSnapshots(() => 0);
  const pods = lineOf('/registry/pods/');
  const first = snapshotOf(pods, 1n);
  for (let n = 1; n <= SNAPSHOTS_KEPT_MAX; n++)
    kept.keep(pods, n === 1 ? first : snapshotOf(pods, BigInt(n)));
  kept.keep(pods, first);
  kept.keep(pods, snapshotOf(pods, 5_000n));
  assert.equal(kept.count, SNAPSHOTS_KEPT_MAX);
  assert.equal(kept.find(pods, 1n), first);
  assert.equal(kept.find(pods, 2n), undefined);
});

test('replaced() lets those go that hold most, not one more than it must', () => {
  const kept = new KeptSnapshots(() => 0, 1_000);
  const pods = lineOf('/registry/pods/');
  for (let n = 1; n <= 30; n++) {
    kept.keep(pods, snapshotOf(pods, BigInt(n)));
    pods.replacedBytes += 100;
    kept.replaced(100);
    const known = knownOf(kept, pods, 30);
    assert.equal(known.length, Math.min(n, 10), 'what ten hold is 1,000');
    assert.equal(known.at(-1), n);
  }
});

test('keeping a snapshot longer does not make it cheaper', () => {
  const kept = new KeptSnapshots(() => 0, 1_000);
  const pods = lineOf('/registry/pods/');
  const first = snapshotOf(pods, 1n);
  for (let n = 0; n <= 10; n++) {
    kept.keep(pods, first);
    assert.equal(kept.find(pods, 1n), first);
    pods.replacedBytes += 100;
    kept.replaced(100);
  }
  assert.equal(kept.find(pods, 1n), undefined);
});

test('keep() counts what was replaced before it was called', () => {
  const kept = new KeptSnapshots(() => 0, 1_000);
  const pods = lineOf('/registry/pods/');
  const slow = snapshotOf(pods, 1n);
  pods.replacedBytes += 1_001;
  kept.replaced(1_001);
  kept.keep(pods, slow);
  assert.equal(kept.count, 0);
});

test('the limit is one for all resources, and counts what undone roots have of their own', () => {
  const kept = new KeptSnapshots(() => 0, 1_000);
  const [pods, secrets] = [lineOf('/registry/pods/'), lineOf('/registry/secrets/')];
  kept.keep(pods, snapshotOf(pods, 1n));
  kept.keep(pods, snapshotOf(pods, 2n, 300));
  kept.keep(secrets, snapshotOf(secrets, 1n, 300));
  pods.replacedBytes += 400;
  kept.replaced(400);
  assert.equal(kept.count, 3);
  secrets.replacedBytes += 1;
  kept.replaced(1);
  assert.equal(kept.find(pods, 2n), undefined, 'holds 700');
  assert.equal(kept.count, 2);
  for (let n = 3; n <= 100; n++) kept.keep(secrets, snapshotOf(secrets, BigInt(n), 100));
  assert.ok(kept.count <= 10);
});

test('replaced() is free while what was kept shares all it holds', () => {
  const kept = new KeptSnapshots(() => 0, 1_000);
  const [pods, secrets] = [lineOf('/registry/pods/'), lineOf('/registry/secrets/')];
  kept.keep(pods, snapshotOf(pods, 1n));
  for (let n = 0; n < 100; n++) {
    secrets.replacedBytes += 500;
    kept.replaced(500);
  }
  assert.equal(kept.count, 1);
  kept.clear();
  assert.equal(kept.count, 0);
});
