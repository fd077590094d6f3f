// Work in steps: what sorting in steps gives, and that a long selector is read in many steps, none of them long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldSelectorSteps } from './field.ts';
import { labelSelectorSteps } from './label.ts';
import { finish, type Steps, sortSteps } from './steps.ts';

test('sortSteps() sorts as Array.sort() does, equal items in their order', () => {
  const pairs = fc.array(fc.tuple(fc.nat(50), fc.nat()), { maxLength: 3000, size: 'max' });
  const byFirst = (a: readonly number[], b: readonly number[]): number => a[0]! - b[0]!;
  fc.assert(
    fc.property(pairs, (items) => {
      assert.deepEqual(finish(sortSteps(items, byFirst)), [...items].sort(byFirst));
    }),
    { numRuns: 30 },
  );
});

test('selectors as long as headers may be are read in as many steps as they have parts', () => {
  const parts = 20_000;
  const values = Array.from({ length: parts }, (_, i) => `v${i}`);
  for (const text of [
    values.join(','),
    values.map((value) => `!${value}`).join(','),
    values.map((value) => `key!=${value}`).join(','),
    `key in (${values.join(',')}),key in (${values.join(',')})`,
    `key notin (${values.join(',')})`,
  ]) {
    assert.ok(countOf(labelSelectorSteps(text)) >= parts, text.slice(0, 30));
  }
  const fields = values.map((value) => `metadata.name!=${value}`).join(',');
  assert.ok(countOf(fieldSelectorSteps(fields)) >= 2 * parts);
});

test('one look at an object is as short for many requirements as for few', () => {
  const values = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
  const text = `${values.map((value) => `!${value}`).join(',')},key notin (${values.join(',')})`;
  const selector = finish(labelSelectorSteps(text));
  let looks = 0;
  class Counting extends Map<string, string> {
    override has(key: string): boolean {
      looks++;
      return super.has(key);
    }
    override get(key: string): string | undefined {
      looks++;
      return super.get(key);
    }
  }
  assert.equal(selector.matches(new Counting([['key', 'other']])), true);
  assert.equal(selector.matches(new Counting([['key', 'v7']])), false);
  assert.equal(selector.matches(new Counting([['v3', '']])), false);
  assert.ok(looks <= 3, `${looks} looks`);
});

function countOf(steps: Steps<unknown>): number {
  let count = 0;
  while (!steps.next().done) count++;
  return count;
}
