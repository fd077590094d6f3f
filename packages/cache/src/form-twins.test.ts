// Twins of forms: each is made once, all share one budget, what is retired or evicted is let go.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import zlib from 'node:zlib';
import { type EncodingInput, encodeLeaf } from './encode-leaf.ts';
import type { LeafEncoder } from './encoding-workers.ts';
import { type EncodedLeaf, type Form, FormError, formOf, runOf } from './forms.ts';
import type { Leaf } from './leaf.ts';
import {
  CONFIG_MAPS,
  configMapLeaves,
  filledBytes,
  inputOf,
  leafOfTexts,
  noDefinition,
  shownAs,
} from './test-leaves.ts';
import { sizeOf } from './twin.ts';
import { FORMS_PER_LEAF_MAX, Twins } from './twins.ts';

const PRETTY = shownAs('pretty');

/** Encodes on the event loop, a turn later; counts what it is asked for. */
class CountingEncoder implements LeafEncoder {
  asked = 0;
  problemAt = -1;
  async encode(form: Form, input: EncodingInput): Promise<EncodedLeaf> {
    this.asked++;
    await new Promise((resolve) => setImmediate(resolve));
    const encoded = encodeLeaf(form, input);
    if (this.problemAt < 0) return encoded;
    return { ...encoded, problems: [{ index: this.problemAt, message: 'not to be shown' }] };
  }
  prepare(): void {}
  close(): void {}
}

function twinsOf(budgetBytes: number): { twins: Twins; encoder: CountingEncoder } {
  const encoder = new CountingEncoder();
  return { twins: new Twins(budgetBytes, { encoder }), encoder };
}

async function walk(twins: Twins, leaves: readonly Leaf[], form: Form = PRETTY): Promise<void> {
  for (const leaf of leaves) {
    await twins.encoded(leaf, form);
    assert.ok(twins.counts.bytes <= twins.budgetBytes);
  }
}

test('encoded() makes each leaf’s form once for lists that come later, and for those at the same time', async () => {
  const { twins, encoder } = twinsOf(1 << 20);
  const leaves = configMapLeaves(10);
  await Promise.all([walk(twins, leaves), walk(twins, leaves), walk(twins, leaves)]);
  await walk(twins, leaves);
  assert.equal(encoder.asked, 10);
  const { hits, made, kept } = twins.countsByKind.get('pretty')!;
  assert.deepEqual([hits, made, kept], [10, 10, 10]);
});

test('encoded() keeps forms apart', async () => {
  const { twins } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1);
  const other = { ...PRETTY, key: 'another' };
  const first = await twins.encoded(leaf!, PRETTY);
  const second = await twins.encoded(leaf!, other);
  assert.notEqual(first, second);
  assert.equal(await twins.encoded(leaf!, PRETTY), first);
  assert.equal(await twins.encoded(leaf!, other), second);
});

test('some() gives the items asked for, from the twin or made by themselves', async () => {
  for (const isKept of [false, true]) {
    const { twins } = twinsOf(1 << 20);
    const [leaf] = configMapLeaves(1, 10);
    const whole = encodeLeaf(PRETTY, inputOf(leaf!));
    if (isKept) await twins.encoded(leaf!, PRETTY);
    for (const indices of [
      [0],
      [9],
      [1, 2, 3],
      [0, 4, 5, 9],
      [1, 2, 3, 4, 6, 7, 9],
      [...leaf!.keys.keys()],
    ]) {
      const { bytes, ends, problems } = await twins.some(leaf!, PRETTY, indices);
      const pieces = indices.map((index) => runOf(whole, index, index + 1));
      assert.deepEqual(Buffer.from(bytes), Buffer.concat(pieces));
      assert.deepEqual(
        indices.map((_, i) => runOf({ bytes, ends, problems }, i, i + 1).length),
        pieces.map((piece) => piece.length),
      );
    }
  }
});

test('some() makes few items alone, and most of a leaf with the others', async () => {
  const { twins } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1, 10);
  await twins.some(leaf!, PRETTY, [1, 3]);
  assert.equal(twins.counts.made, 0);
  await twins.some(leaf!, PRETTY, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(twins.countsByKind.get('pretty')!.made, 1);
  await twins.some(leaf!, PRETTY, [1, 3]);
  assert.equal(twins.countsByKind.get('pretty')!.hits, 1);
});

test('some() tells which of the items asked for can’t be shown', async () => {
  const { twins, encoder } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1, 10);
  encoder.problemAt = 4;
  await twins.encoded(leaf!, PRETTY);
  assert.deepEqual((await twins.some(leaf!, PRETTY, [1, 4])).problems, [
    { index: 1, message: 'not to be shown' },
  ]);
  assert.deepEqual((await twins.some(leaf!, PRETTY, [1, 5])).problems, []);
});

test('rows are made once, for lists at any time, and what they take or deflate to is never known', async () => {
  const { twins, encoder } = twinsOf(1 << 20);
  const item = '{"metadata":{"name":"a","creationTimestamp":"2026-01-01T00:00:00Z"}}';
  const leaf = leafOfTexts(Array.from({ length: 10 }, () => item));
  const rows = formOf(CONFIG_MAPS, { shows: 'row', version: 'v1', include: 'None' }, 'json', noDefinition)!;
  for (const [now, age] of [
    ['2026-01-01T00:01:00Z', '60s'],
    ['2026-01-03T00:00:00Z', '2d'],
  ] as const) {
    const text = (encoded: EncodedLeaf): string =>
      Buffer.from(filledBytes(encoded, rows, Date.parse(now))).toString();
    const row = `,{"cells":["a",0,"${age}"],"object":null}`;
    assert.equal(text(await twins.encoded(leaf, rows)), row.repeat(10));
    assert.equal(text(await twins.some(leaf, rows, [0, 2, 3, 7, 9])), row.repeat(5));
  }
  assert.equal(encoder.asked, 1);
  assert.deepEqual([twins.counts.made, twins.counts.hits], [1, 3]);
  assert.equal(twins.sizeOf(leaf, rows), undefined);
  assert.deepEqual(twins.problemsOf(leaf, rows), []);
  assert.throws(() => twins.deflated(leaf, rows), TypeError);
});

test('sizeOf() is known once a form was made, also when it is kept no more', async () => {
  const { twins } = twinsOf(0);
  const [leaf] = configMapLeaves(1);
  assert.equal(twins.sizeOf(leaf!), leaf!.join().length);
  assert.equal(twins.sizeOf(leaf!, PRETTY), undefined);
  const { bytes } = await twins.encoded(leaf!, PRETTY);
  assert.equal(twins.counts.kept, 0);
  assert.equal(twins.sizeOf(leaf!, PRETTY), bytes.length);
  twins.retire(leaf!);
  assert.equal(twins.sizeOf(leaf!, PRETTY), bytes.length);
});

test('deflated() of a form is of its bytes without the first comma, and doesn’t keep what it is made of', async () => {
  const { twins, encoder } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1);
  const deflated = await twins.deflated(leaf!, PRETTY);
  const inflated = zlib.inflateRawSync(Buffer.concat(deflated.parts), {
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
  });
  const { bytes } = encodeLeaf(PRETTY, inputOf(leaf!));
  assert.deepEqual(inflated, Buffer.from(bytes.subarray(1)));
  assert.equal(twins.countsByKind.get('pretty')!.kept, 0);
  assert.equal(twins.countsByKind.get('deflated pretty')!.kept, 1);
  await twins.deflated(leaf!, PRETTY);
  assert.equal(encoder.asked, 1);
});

test('deflated() and encoded() at the same time share the encoding, which is then kept', async () => {
  for (const order of ['deflated first', 'encoded first']) {
    const { twins, encoder } = twinsOf(1 << 20);
    const [leaf] = configMapLeaves(1);
    const asks = [() => twins.deflated(leaf!, PRETTY), () => twins.encoded(leaf!, PRETTY)];
    if (order === 'encoded first') asks.reverse();
    await Promise.all(asks.map((ask) => ask()));
    assert.equal(encoder.asked, 1);
    assert.equal(twins.countsByKind.get('pretty')!.kept, 1);
    assert.equal(twins.countsByKind.get('deflated pretty')!.kept, 1);
  }
});

test('twins of all kinds stay within one budget, and a list in one form pushes out one nobody wants', async () => {
  const leaves = configMapLeaves(40);
  const forms = [PRETTY, { ...PRETTY, key: 'another' }];
  const one = sizeOf(encodeLeaf(PRETTY, inputOf(leaves[0]!)));
  const { twins } = twinsOf(45 * one);
  for (let n = 0; n < 3; n++) {
    for (const leaf of leaves) {
      for (const form of forms) await twins.encoded(leaf, form);
      await twins.deflated(leaf);
      await twins.deflated(leaf, PRETTY);
      assert.ok(twins.counts.bytes <= twins.budgetBytes);
    }
  }
  const bytes = [...twins.countsByKind.values()].reduce((sum, counts) => sum + counts.bytes, 0);
  assert.equal(bytes, twins.counts.bytes);
  for (let n = 0; n < 60; n++) await walk(twins, leaves, forms[1]);
  const before = twins.counts.hits;
  await walk(twins, leaves, forms[1]);
  assert.equal(twins.counts.hits - before, 40);
  assert.ok(twins.counts.evicted > 0);
});

test('retire() lets all twins of the leaf go, and none that is being made is kept', async () => {
  const { twins } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1);
  const ask = (): Promise<unknown> =>
    Promise.all([twins.encoded(leaf!, PRETTY), twins.deflated(leaf!, PRETTY), twins.deflated(leaf!)]);
  await ask();
  assert.equal(twins.counts.kept, 3);
  twins.retire(leaf!);
  assert.deepEqual([twins.counts.kept, twins.counts.bytes], [0, 0]);
  await ask();
  await twins.encoded(leaf!, { ...PRETTY, key: 'another' });
  assert.equal(twins.counts.kept, 0);
  const [late] = configMapLeaves(1);
  const asked = twins.encoded(late!, PRETTY);
  twins.retire(late!);
  await asked;
  assert.deepEqual([twins.counts.kept, twins.counts.bytes], [0, 0]);
});

test('a leaf remembers no more than FORMS_PER_LEAF_MAX forms', async () => {
  const { twins } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1);
  const forms = Array.from({ length: FORMS_PER_LEAF_MAX + 5 }, (_, n) => ({ ...PRETTY, key: `${n}` }));
  const beingMade = twins.encoded(leaf!, { ...PRETTY, key: 'the oldest' });
  for (const form of forms) await twins.encoded(leaf!, form);
  await beingMade;
  assert.equal(leaf!.twins!.forms.size, FORMS_PER_LEAF_MAX);
  assert.equal(twins.counts.kept, FORMS_PER_LEAF_MAX);
  assert.equal(twins.sizeOf(leaf!, forms[0]!), undefined);
});

test('deflated() rejects when an item can’t be shown, encoded() says which', async () => {
  const { twins, encoder } = twinsOf(1 << 20);
  const [leaf] = configMapLeaves(1);
  encoder.problemAt = 1;
  await assert.rejects(
    async () => await twins.deflated(leaf!, PRETTY),
    (error) => error instanceof FormError && error.message === 'not to be shown',
  );
  assert.equal((await twins.encoded(leaf!, PRETTY)).problems[0]!.index, 1);
  twins.retire(leaf!);
  assert.equal(twins.problemsOf(leaf!, PRETTY)![0]!.index, 1, 'known as long as the leaf lives');
  assert.equal(twins.problemsOf(leaf!, { ...PRETTY, key: 'another' }), undefined);
});

test('100 leaves in several forms take no more memory than the budget and what is under way', async (context) => {
  const twins = new Twins(8 << 20);
  closing(context, twins);
  const leaves = configMapLeaves(100, 100, 2000);
  const forms = [PRETTY, { ...PRETTY, key: 'another' }, { ...PRETTY, key: 'a third' }];
  for (const leaf of leaves) leaf.join();
  await collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 2; n++) {
    for (const leaf of leaves) {
      await Promise.all(forms.flatMap((form) => [twins.encoded(leaf, form), twins.deflated(leaf, form)]));
    }
  }
  await collectGarbage();
  const more = process.memoryUsage().arrayBuffers - before;
  assert.ok(more < 24 << 20, `${more >> 20} MiB more for ${forms.length * 100} leaves of 200 KiB`);
});

test('close() rejects what is being encoded', async () => {
  const twins = new Twins(1 << 20);
  const leaves = configMapLeaves(5);
  const asked = leaves.map((leaf) => twins.encoded(leaf, PRETTY));
  twins.close();
  for (const one of asked) await assert.rejects(async () => await one, /have ended/);
  assert.equal(twins.counts.kept, 0);
});

function closing(context: TestContext, twins: Twins): void {
  context.after(() => twins.close());
}

async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
}
