// Holds the in-memory engine to the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testStore } from '../contract.ts';
import { SortedKeys } from './sorted-keys.ts';
import { openMemoryStore } from './store.ts';

testStore('memory', openMemoryStore);

test('openMemoryStore() forgets the older half of its history when it holds too many bytes', async () => {
  const store = await openMemoryStore({ historyLimitBytes: 1_000_000 });
  let last = 0n;
  for (let i = 0; i < 500; i++) {
    const { revision } = await store.commit({ key: 'a', expect: last, value: () => Buffer.alloc(10_000) });
    last = revision;
  }
  assert.ok(store.compacted > 350n && store.compacted < 500n, String(store.compacted));
  assert.throws(() => store.watch(1n, { onEvents() {}, onEnd() {} }), { reason: 'compacted' });
  assert.equal((await store.get('a'))?.modRevision, 500n);
  await store.close();
});

test('SortedKeys.startingWith() gives what filtering and sorting all keys gives', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\xff'), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.boolean()), { maxLength: 3000, size: 'max' }),
      key,
      (changes, prefix) => {
        const keys = new SortedKeys();
        const model = new Set<string>();
        for (const [changed, isAdded] of changes) {
          if (isAdded && !model.has(changed)) {
            keys.add(changed);
            model.add(changed);
          } else if (!isAdded) {
            keys.delete(changed);
            model.delete(changed);
          }
        }
        const sorted = [...model].sort();
        assert.deepEqual(keys.startingWith(''), sorted);
        const start = prefix.slice(0, 2);
        assert.deepEqual(
          keys.startingWith(start),
          sorted.filter((one) => one.startsWith(start)),
        );
      },
    ),
    { numRuns: 30 },
  );
});
