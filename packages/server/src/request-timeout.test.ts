// Durations of `?timeout=` against Go's time.ParseDuration, its refusals included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './query.ts';
import { REQUEST_TIMEOUT_MS, readRequestTimeout } from './request-timeout.ts';

test('readRequestTimeout() shortens the limit, and never lengthens it', () => {
  for (const [text, milliseconds] of [
    ['5s', 5000],
    ['1m30s', REQUEST_TIMEOUT_MS],
    ['.5s', 500],
    ['1.s', 1000],
    ['1500ms', 1500],
    ['+2s', 2000],
    ['0s', REQUEST_TIMEOUT_MS],
    ['0', REQUEST_TIMEOUT_MS],
    ['-1s', REQUEST_TIMEOUT_MS],
    ['', REQUEST_TIMEOUT_MS],
    ['32s', 32_000],
  ] as const) {
    assert.equal(readRequestTimeout(parseQuery(`timeout=${encodeURIComponent(text)}`)), milliseconds, text);
  }
  assert.equal(readRequestTimeout(parseQuery('')), REQUEST_TIMEOUT_MS);
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
      () => readRequestTimeout(parseQuery(`timeout=${encodeURIComponent(text)}`)),
      { message: `invalid timeout specified in the request URL - time: ${problem}` },
      text,
    );
  }
});
