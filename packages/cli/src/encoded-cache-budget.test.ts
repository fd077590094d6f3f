// The default of --encoded-cache-bytes on machines and in containers of several sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodedCacheBudget } from './encoded-cache-budget.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

test('encodedCacheBudget() is a sixteenth of the memory, within bounds', () => {
  for (const [machine, limit, expected] of [
    [24 * GIB, 0, 1536 * MIB],
    [24 * GIB, 4 * GIB, 256 * MIB],
    [24 * GIB, 2 ** 63, 1536 * MIB],
    [512 * MIB, 0, 64 * MIB],
    [512 * GIB, 0, 4 * GIB],
  ] as const) {
    assert.equal(encodedCacheBudget(machine, limit), expected, `${machine} ${limit}`);
  }
});

test('encodedCacheBudget() knows this machine', () => {
  assert.ok(encodedCacheBudget() >= 64 * MIB);
});
