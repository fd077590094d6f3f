// Label and field selectors against the reference libraries' vectors: canonical text, matches, error texts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compareUtf8 } from '@sluice/encoding';
import { checkFieldLabels } from '../field-labels.ts';
import { openKinds } from '../kinds.ts';
import { ApiError } from '../status.ts';
import { type FieldSelector, parseFieldSelector } from './field.ts';
import { type LabelRequirement, parseLabelSelector } from './label.ts';

type Sets = { labelSets: Record<string, string>[]; fieldSets: Record<string, string>[] };
type Vector = {
  kind: 'label' | 'field';
  in: string;
  out?: string;
  error?: string;
  everything?: boolean;
  requirements?: string[][];
  matches?: number[];
  defaultConversionError?: string;
};

const file = new URL('../../testdata/selectors.ndjson', import.meta.url);
const [sets, ...vectors] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [Sets, ...Vector[]];

test('parseLabelSelector() reads, prints, matches and refuses as the reference does', () => {
  const labelVectors = vectors.filter(({ kind }) => kind === 'label');
  assert.equal(labelVectors.length + vectors.filter(({ kind }) => kind === 'field').length, 178);
  const labelSets = sets.labelSets.map((set) => new Map(Object.entries(set)));
  for (const vector of labelVectors) {
    if (vector.error !== undefined) {
      assert.throws(() => parseLabelSelector(vector.in), { message: vector.error }, vector.in);
      continue;
    }
    const selector = parseLabelSelector(vector.in);
    assert.equal(selector.text, vector.out, vector.in);
    assert.equal(selector.empty, vector.everything ?? false, vector.in);
    assert.deepEqual(
      indices(labelSets, (set) => selector.matches(set)),
      vector.matches ?? [],
      vector.in,
    );
    assert.deepEqual(byKey(selector.requirements), vector.requirements ?? [], vector.in);
  }
});

test('parseFieldSelector() reads, prints, matches and refuses as the reference does', () => {
  for (const vector of vectors.filter(({ kind }) => kind === 'field')) {
    if (vector.error !== undefined) {
      assert.throws(() => parseFieldSelector(vector.in), { message: vector.error }, vector.in);
      continue;
    }
    const selector = parseFieldSelector(vector.in);
    assert.equal(selector.text, vector.out, vector.in);
    assert.equal(selector.empty, vector.everything ?? false, vector.in);
    const matching = indices(sets.fieldSets, (set) => selector.matches((field) => set[field] ?? ''));
    assert.deepEqual(matching, vector.matches ?? [], vector.in);
    assert.equal(refusal(selector), vector.defaultConversionError, vector.in);
  }
});

test('parseFieldSelector() tells the exact value of a field', () => {
  const selector = parseFieldSelector('metadata.name==a,metadata.namespace!=b');
  assert.equal(selector.exact('metadata.name'), 'a');
  assert.equal(selector.exact('metadata.namespace'), undefined);
});

/** Requirements by key, their values sorted, as the reference's library holds them. */
function byKey(requirements: readonly LabelRequirement[]): string[][] {
  return [...requirements]
    .sort((a, b) => compareUtf8(a.key, b.key))
    .map(({ key, operator, values }) => [key, operator, ...[...values].sort(compareUtf8)]);
}

function refusal(selector: FieldSelector): string | undefined {
  const configMaps = openKinds().find('', 'v1', 'configmaps');
  assert.ok(configMaps);
  try {
    checkFieldLabels(configMaps, selector);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 400);
    return error.message;
  }
}

function indices<Item>(items: readonly Item[], matches: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (matches(item) ? [index] : []));
}
