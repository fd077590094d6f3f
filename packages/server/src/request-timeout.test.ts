// Durations of `?timeout=` against Go's time.ParseDuration, its refusals included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from './limits.ts';
import { parseQuery } from './query.ts';
import { readRequestTimeout } from './request-timeout.ts';

const MOST_MS = DEFAULT_LIMITS.requestTimeoutMs;

test('readRequestTimeout() shortens the limit, and never lengthens it', () => {
  for (const [text, milliseconds] of [
    ['5s', 5000],
    ['1m30s', MOST_MS],
    ['.5s', 500],
    ['1.s', 1000],
    ['1500ms', 1500],
    ['+2s', 2000],
    ['0s', MOST_MS],
    ['0', MOST_MS],
    ['-1s', MOST_MS],
    ['', MOST_MS],
    ['32s', 32_000],
  ] as const) {
    assert.equal(
      readRequestTimeout(parseQuery(`timeout=${encodeURIComponent(text)}`), MOST_MS),
      milliseconds,
      text,
    );
  }
  assert.equal(readRequestTimeout(parseQuery(''), MOST_MS), MOST_MS);
});

test('readRequestTimeout() refuses in the words of package time', () => {
  for (const [text, problem] of [
    ['5', 'missing unit in duration "5"'],
    ['x', 'invalid duration "x"'],
    ['-', 'invalid duration "-"'],
    ['.s', 'invalid duration ".s"'],
    ['5d', 'unknown unit "d" in duration "5d"'],
    ['1h-', 'unknown unit "h-" in duration "1h-"'],
    ['1h 2m', 'unknown unit "h " in duration "1h 2m"'],
    ['9999999999h', 'invalid duration "9999999999h"'],
    ['é5s', 'invalid duration "\\xc3\\xa95s"'],
    ['1constructor', 'unknown unit "constructor" in duration "1constructor"'],
  ] as const) {
    assert.throws(
      () => readRequestTimeout(parseQuery(`timeout=${encodeURIComponent(text)}`), MOST_MS),
      { message: `invalid timeout specified in the request URL - time: ${problem}` },
      text,
    );
  }
});
