// Checks the rule by which a server is said to fall behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBehind } from './gradient.ts';

test('a server is behind when it serves less than nine tenths of the rate, or a list fails', () => {
  // Ten lists, one every half second: the last begins after 4.5 s and takes a second.
  assert.equal(isBehind(2, 10, 5.5, 1, 0), false);
  assert.equal(isBehind(2, 10, 5.5, 1, 1), true);
  // 4.5 s of beginnings may become 5.
  assert.equal(isBehind(2, 10, 5.99, 1, 0), false);
  assert.equal(isBehind(2, 10, 6.01, 1, 0), true);
  // That one list takes longer than the time between two is no sign where several are served at a time.
  assert.equal(isBehind(2, 100, 49.5 + 3, 3, 0), false);
});
