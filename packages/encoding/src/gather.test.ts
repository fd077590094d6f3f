// The gatherer keeps order and bytes, writes few and bounded segments, and never touches a buffer that is still looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COPY_MAX_BYTES, Gatherer, SEGMENT_BYTES, WRITE_MAX_BYTES } from './gather.ts';

/** Looks at what it was given again when it says that it is done, `behind` writes later. */
class LateReader {
  readonly taken: Buffer[] = [];
  readonly #open: { bytes: Uint8Array; copy: Buffer; done: () => void }[] = [];
  readonly #behind: number;
  readonly #waits: boolean;
  waiting = 0;

  constructor(behind: number, waits: boolean) {
    this.#behind = behind;
    this.#waits = waits;
  }

  write = (bytes: Uint8Array, done: () => void): Promise<void> | undefined => {
    assert.equal(this.waiting, 0, 'written to while there is no room');
    const copy = Buffer.from(bytes);
    this.taken.push(copy);
    this.#open.push({ bytes, copy, done });
    if (this.#open.length > this.#behind) this.#finish();
    if (!this.#waits) return undefined;
    this.waiting++;
    return new Promise((resolve) =>
      setImmediate(() => {
        this.waiting--;
        resolve();
      }),
    );
  };

  drain(): void {
    while (this.#open.length > 0) this.#finish();
  }

  #finish(): void {
    const { bytes, copy, done } = this.#open.shift()!;
    assert.ok(copy.equals(bytes), 'a buffer was reused before it was done with');
    done();
    done();
  }
}

const size = fc.oneof(
  { weight: 6, arbitrary: fc.nat(300) },
  { weight: 3, arbitrary: fc.nat(COPY_MAX_BYTES + 1) },
  { weight: 1, arbitrary: fc.constantFrom(0, COPY_MAX_BYTES, COPY_MAX_BYTES + 1, SEGMENT_BYTES) },
  { weight: 1, arbitrary: fc.nat(3 * SEGMENT_BYTES) },
);
const noise = Buffer.from(Array.from({ length: 4 * SEGMENT_BYTES }, (_, i) => (i * i) >> 5));

/** Each piece begins elsewhere in the noise, so that a lost or moved piece shows. */
function piecesOf(sizes: readonly number[]): Buffer[] {
  return sizes.map((length, i) => noise.subarray((i * 131) % SEGMENT_BYTES).subarray(0, length));
}

test('add() keeps bytes and order, whatever the pieces and however late the reader', async () => {
  const pattern = fc.array(size, { maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(pattern, fc.nat(4), fc.boolean(), async (sizes, behind, waits) => {
      const reader = new LateReader(behind, waits);
      const gatherer = new Gatherer(reader.write);
      const pieces = piecesOf(sizes);
      for (const piece of pieces) await gatherer.add(piece);
      await gatherer.flush();
      reader.drain();
      assert.equal(gatherer.pending, 0);
      assert.ok(Buffer.concat(reader.taken).equals(Buffer.concat(pieces)));
      for (const bytes of reader.taken) assert.ok(bytes.length > 0 && bytes.length <= WRITE_MAX_BYTES);
    }),
    { numRuns: 60 },
  );
});

test('add() makes few writes: small pieces fill segments, large ones cost two writes at most for each segment', async () => {
  for (const length of [100, 5_000, COPY_MAX_BYTES, COPY_MAX_BYTES + 1, 100_000, SEGMENT_BYTES, 390_000]) {
    const reader = new LateReader(0, false);
    const gatherer = new Gatherer(reader.write);
    const comma = Buffer.from(',');
    const large = length > COPY_MAX_BYTES;
    const count = Math.ceil((8 * SEGMENT_BYTES) / length);
    for (const piece of piecesOf(Array.from({ length: count }, () => length))) {
      await gatherer.add(piece);
      await gatherer.add(comma);
    }
    await gatherer.flush();
    const total = count * (length + 1);
    // A segment is sent when the next piece doesn't fit: all but the last are three quarters full.
    const most = large
      ? count * (1 + Math.ceil(length / WRITE_MAX_BYTES))
      : Math.ceil(total / (SEGMENT_BYTES * 0.75)) + 1;
    assert.ok(reader.taken.length <= most, `${reader.taken.length} writes for pieces of ${length}`);
  }
});

test('add() of small pieces waits for nothing until a segment is full', () => {
  const writes: number[] = [];
  const gatherer = new Gatherer((bytes) => {
    writes.push(bytes.length);
    return new Promise(() => {});
  });
  for (let i = 0; i < SEGMENT_BYTES / 1024; i++)
    assert.equal(gatherer.add(noise.subarray(0, 1024)), undefined);
  assert.deepEqual([gatherer.pending, writes], [SEGMENT_BYTES, []]);
  assert.ok(gatherer.add(noise.subarray(0, 1)) instanceof Promise);
  assert.deepEqual(writes, [SEGMENT_BYTES]);
});

test('add() of a large piece asks for room between segments', async () => {
  let writes = 0;
  const room: (() => void)[] = [];
  const gatherer = new Gatherer(() => {
    writes++;
    return new Promise((resolve) => room.push(resolve));
  });
  const added = gatherer.add(Buffer.alloc(3 * WRITE_MAX_BYTES + 1));
  for (const expected of [1, 2, 3]) {
    await new Promise(setImmediate);
    assert.equal(writes, expected);
    room.shift()!();
  }
  await added;
  assert.equal(gatherer.pending, 1, 'the small rest waits for more');
});

test('add() rejects when the reader is gone, and nothing is written afterwards', async () => {
  const gone = new Error('gone');
  let writes = 0;
  const gatherer = new Gatherer(() => {
    writes++;
    return Promise.reject(gone);
  });
  await assert.rejects(async () => gatherer.add(Buffer.alloc(5 * SEGMENT_BYTES)), gone);
  gatherer.add(noise.subarray(0, 10));
  await assert.rejects(async () => gatherer.add(Buffer.alloc(SEGMENT_BYTES)), gone);
  assert.equal(writes, 2);
});

test('drop() forgets what was gathered, and its buffer serves again', async () => {
  const reader = new LateReader(0, false);
  const gatherer = new Gatherer(reader.write);
  gatherer.add(Buffer.from('dropped'));
  gatherer.drop();
  gatherer.drop();
  assert.equal(gatherer.pending, 0);
  await gatherer.flush();
  gatherer.add(Buffer.from('kept'));
  await gatherer.flush();
  assert.equal(Buffer.concat(reader.taken).toString(), 'kept');
});
