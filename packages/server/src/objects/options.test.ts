// Options of writes and deletes, as they are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@sluice/resources';
import { parseQuery } from '../query.ts';
import { readPatchOptions, readWriteOptions } from './options.ts';

test('readWriteOptions() takes what is given, and Warn by default', () => {
  assert.deepEqual(readWriteOptions(parseQuery('dryRun=All&fieldValidation=Strict'), 'CreateOptions'), {
    dryRun: true,
    fieldValidation: 'Strict',
  });
  assert.deepEqual(readWriteOptions(parseQuery(''), 'UpdateOptions'), {
    dryRun: false,
    fieldValidation: 'Warn',
  });
});

const REFUSED: [query: string, message: string][] = [
  ['dryRun=Yes', 'dryRun: Unsupported value: ["Yes"]: supported values: "All"'],
  ['dryRun=', 'dryRun: Unsupported value: [""]: supported values: "All"'],
  [
    'fieldManager=%C3%A9%01',
    'fieldManager: Invalid value: "é\\x01": invalid character U+0001 (at position 2)',
  ],
  [`fieldManager=${'m'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
  [
    'fieldValidation=strict',
    'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
  ],
];

for (const [query, message] of REFUSED) {
  test(`readWriteOptions() refuses ${query.slice(0, 30)}`, () => {
    assert.throws(
      () => readWriteOptions(parseQuery(query), 'CreateOptions'),
      (error) =>
        error instanceof ApiError &&
        error.code === 422 &&
        error.message === `CreateOptions.meta.k8s.io "" is invalid: ${message}`,
    );
  });
}

test('readPatchOptions() keeps force for apply', () => {
  assert.throws(
    () => readPatchOptions(parseQuery('force=false'), 'merge'),
    /force: Forbidden: may not be specified for non-apply patch/,
  );
  assert.throws(() => readPatchOptions(parseQuery(''), 'apply'), /fieldManager: Required value/);
  assert.equal(readPatchOptions(parseQuery('fieldManager=m&force=true'), 'apply').dryRun, false);
});
