// Nested values passed over in WebAssembly end where they end without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { skipValue } from './member.ts';
import { skipStaged, stage, staged } from './nested-skip.ts';

const MIB = 1024 * 1024;

const text = fc
  .array(fc.constantFrom('\\', '"', '{', '}', '[', ']', ',', 'a', 'é', '\\"', '\\\\', 'x'.repeat(60)), {
    maxLength: 9,
  })
  .map((pieces) => pieces.join(''));
const nested = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 7 },
    text,
    fc.constantFrom(null, true, 0, -1.5, 1e300),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(text, tie('any'), { maxKeys: 5 }),
  ),
})).any;

test('skipStaged() ends where skipValue() ends, wherever the value begins and whatever follows', () => {
  fc.assert(
    fc.property(nested, fc.nat(130), fc.constantFrom('', ',', '}', ']"', '"\\'), (value, before, after) => {
      const json = JSON.stringify([value, { value }]);
      const bytes = Buffer.from(`${' '.repeat(before)}${json}${after}`);
      const end = before + Buffer.byteLength(json);
      assert.equal(skipValue(bytes, before), end);
      assert.equal(skipStaged(staged(bytes), before), end);
    }),
    { numRuns: 1000 },
  );
});

test('skipStaged() tells escaped quotes from others at every place of a block', () => {
  for (let before = 0; before < 70; before++) {
    for (let slashes = 0; slashes < 70; slashes += before % 3 === 0 ? 1 : 7) {
      const json = JSON.stringify([
        ' '.repeat(before),
        `${'\\'.repeat(slashes)}"]}`,
        `"${'\\'.repeat(slashes)}`,
        {},
      ]);
      const bytes = Buffer.from(`${json}]]`);
      assert.equal(skipStaged(staged(bytes), 0), Buffer.byteLength(json), json);
    }
  }
});

test('skipStaged() of what has no end is the end', () => {
  for (const json of ['[', '{"a":[1,2]', '["', `["${'x'.repeat(63)}\\`, `[${'[]'.repeat(200)}`]) {
    // What was there before lies behind it.
    staged(Buffer.from(`${json}]}]}]}`));
    const bytes = staged(Buffer.from(json));
    assert.equal(skipStaged(bytes, 0), bytes.length, json);
  }
});

test('skipStaged() goes as deep as brackets go', () => {
  const deep = Buffer.from(`${'[{"":'.repeat(300_000)}1${'}]'.repeat(300_000)},`);
  assert.equal(skipStaged(staged(deep), 0), deep.length - 1);
});

test('staged() gives a copy, and what is too long as it is; skipValue() takes either', () => {
  const small = Buffer.from('{"a":[1,2]},');
  const copy = staged(small);
  assert.equal(copy.buffer, stage);
  assert.deepEqual(Buffer.from(copy), small);
  assert.equal(skipValue(copy.subarray(5), 0), 5);
  const grown = staged(Buffer.from(`[${'1,'.repeat(MIB)}1]`));
  assert.equal(grown.buffer, stage);
  assert.equal(skipValue(grown, 0), grown.length);
  const large = Buffer.from(`[${'1,'.repeat(2 * MIB)}1]`);
  assert.equal(staged(large), large);
  assert.equal(skipValue(large, 0), large.length);
});
