// Checks the verdict: what it tells apart, what it never claims, and how often it is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Measure } from './results.ts';
import { compareMeasures, compareValues, independentValues } from './verdict.ts';

const figures = (minLength: number, maxLength: number) =>
  fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength, maxLength });

test('values that lie apart differ, from four on each side', () => {
  assert.equal(compareValues([1, 1.1, 1.2], [5, 6, 7]).verdict, "can't tell");
  const told = compareValues([1, 1.1, 1.2, 1.3], [5, 6, 7, 8]);
  assert.equal(told.verdict, 'differs');
  // All ratios lie between the smallest and the largest pair.
  assert.deepEqual([told.low, told.high], [5 / 1.3, 8]);
  assert.ok(told.ratio! > told.low! && told.ratio! < told.high!);
});

test('a certain difference of less than 2% is none', () => {
  assert.equal(compareValues([100, 100, 100, 100], [101, 101, 101, 101]).verdict, "can't tell");
  assert.equal(compareValues([100, 100, 100, 100], [103, 103, 103, 103]).verdict, 'differs');
});

test('zeros are compared by their difference', () => {
  const told = compareValues([0, 0, 0, 0, 0], [3, 4, 5, 6, 7]);
  assert.deepEqual(told, { verdict: 'differs', ratio: null, low: null, high: null });
  assert.equal(compareValues([0, 0, 0, 0], [0, 0, 0, 0]).verdict, "can't tell");
  assert.equal(compareValues([], [1]).verdict, "can't tell");
});

test('readers of one round count as one value', () => {
  const measure = (values: number[], perRound: number): Measure => ({
    ...{ unit: 'seconds', values, perRound, min: 0, median: 0, p90: 0, p99: 0, max: 0 },
  });
  assert.deepEqual(independentValues(measure([1, 2, 3, 7, 8, 9], 3)), [2, 8]);
  const slow = measure([2, 2, 2, 2, 2, 2, 2, 2], 4);
  const fast = measure([1, 1, 1, 1, 1, 1, 1, 1], 4);
  assert.equal(compareMeasures(slow, fast).verdict, "can't tell");
});

test('the order of the sides and of the values changes nothing, scale neither', () => {
  fc.assert(
    fc.property(figures(4, 9), figures(4, 9), fc.constantFrom(0.5, 2, 1024), (before, after, scale) => {
      const there = compareValues(before, after);
      const back = compareValues([...after].reverse(), [...before].reverse());
      const scaled = compareValues(
        before.map((value) => value * scale),
        after.map((value) => value * scale),
      );
      assert.ok(Math.abs(there.low! * back.high! - 1) < 1e-9);
      assert.deepEqual(scaled, there);
      assert.ok(there.low! <= there.ratio! && there.ratio! <= there.high!);
    }),
  );
});

test('what was drawn from the same values is rarely said to differ', () => {
  // Every way to split eight values into four and four: two of seventy lie wholly apart.
  const values = [1, 2, 3, 4, 5, 6, 7, 8];
  let splits = 0;
  let claimed = 0;
  for (let bits = 0; bits < 256; bits++) {
    const before = values.filter((_, index) => bits & (1 << index));
    if (before.length !== 4) continue;
    splits++;
    const after = values.filter((value) => !before.includes(value));
    if (compareValues(before, after).verdict === 'differs') claimed++;
  }
  assert.deepEqual([splits, claimed], [70, 2]);
});

test('many values are told apart by the normal distribution as few are by counting', () => {
  const ramp = (length: number, from: number) => Array.from({ length }, (_, index) => from + index / length);
  const exact = compareValues(ramp(50, 1), ramp(50, 1.4));
  const normal = compareValues(ramp(51, 1), ramp(51, 1.4));
  assert.equal(exact.verdict, 'differs');
  assert.ok(Math.abs(exact.low! - normal.low!) < 0.02 && Math.abs(exact.high! - normal.high!) < 0.02);
});
