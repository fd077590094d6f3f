// Ages at every border between two spellings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, agesUpTo, humanDuration, Since } from './age.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

test('humanDuration() has two units where one says too little', () => {
  const cases: [number, string][] = [
    [-2 * SECOND, '<invalid>'],
    [-2 * SECOND + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [SECOND - 1, '0s'],
    [2 * MINUTE - 1, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + 5 * MINUTE, '3h5m'],
    [8 * HOUR - 1, '7h59m'],
    [8 * HOUR, '8h'],
    [48 * HOUR - 1, '47h'],
    [48 * HOUR, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - 1, '7y364d'],
    [8 * YEAR, '8y'],
    [1000 * YEAR, '292y'],
    [-1000 * YEAR, '<invalid>'],
  ];
  for (const [milliseconds, text] of cases) assert.equal(humanDuration(milliseconds), text, text);
});

test('age() counts from a time, with a fraction or without, and knows when there is none', () => {
  const ages = agesUpTo(Date.parse('2026-01-01T00:10:00.500Z'));
  for (const [time, text] of [
    ['2026-01-01T00:09:59Z', '1s'],
    ['2026-01-01T00:09:59.600000Z', '0s'],
    ['2026-01-01T00:10:03Z', '<invalid>'],
    ['0001-01-01T00:00:00Z', '292y'],
  ] as const) {
    const since = age(time);
    assert.ok(since instanceof Since);
    assert.equal(ages(since.time), text);
  }
  assert.equal(age(undefined), '<unknown>');
});
