// Amounts rounded up to thousandths, as kube-apiserver 1.37.2 rounded them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@sluice/encoding';
import { canonicalQuantity } from '../schema/quantity.ts';
import { addMissing, roundUp } from './resource-lists.ts';

const ROUNDED: Readonly<Record<string, string>> = {
  '0.1m': '1m',
  '1.5e-3': '2e-3',
  '1500u': '2m',
  '1000u': '1m',
  '500.5u': '1m',
  '-1.5m': '-2m',
  '1n': '1m',
  '1.0005': '1001m',
  '999999.9u': '1',
  '0.1Ki': '102400m',
  '1.5Gi': '1536Mi',
  '2': '2',
  '1e3': '1e3',
  '0': '0',
};

test('roundUp() rounds away from zero and spells canonically', () => {
  for (const [sent, rounded] of Object.entries(ROUNDED)) {
    const canonical = canonicalQuantity(sent);
    assert.ok('text' in canonical);
    const list: JsonObject = new Map([['cpu', canonical.text]]);
    roundUp(list);
    assert.equal(list.get('cpu'), rounded, sent);
  }
});

test('addMissing() leaves what is there, and makes no empty list', () => {
  const owner: JsonObject = new Map([['requests', new Map([['cpu', '1']])]]);
  addMissing(
    owner,
    'requests',
    new Map([
      ['cpu', '2'],
      ['memory', '3'],
    ]),
  );
  addMissing(owner, 'limits', new Map());
  const requests = new Map([
    ['cpu', '1'],
    ['memory', '3'],
  ]);
  assert.deepEqual(owner, new Map([['requests', requests]]));
});
