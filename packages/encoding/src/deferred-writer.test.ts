// The deferred writer's decisions: when it compresses, when an error is still clean, and that a cut body never looks whole.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';
import fc from 'fast-check';
import {
  DeferredWriter,
  type DeferredWriterOptions,
  type Destination,
  GZIP_ABOVE_BYTES,
  type Twin,
} from './deferred-writer.ts';
import { deflate } from './gzip/deflated.ts';

/** Keeps what it was given. `rejectAt`: the write from which on the reader is gone. `wait`: each write waits a turn. */
class Recorder implements Destination {
  readonly events: string[] = [];
  readonly #written: Buffer[] = [];
  readonly #rejectAt: number;
  readonly #wait: boolean;

  constructor({ rejectAt = Number.POSITIVE_INFINITY, wait = false } = {}) {
    this.#rejectAt = rejectAt;
    this.#wait = wait;
  }

  start(gzip: boolean): void {
    this.events.push(gzip ? 'gzip' : 'plain');
  }

  write(bytes: Uint8Array, done: () => void): Promise<void> | undefined {
    assert.equal(this.events.length, 1, 'written to before the start or after the end');
    this.#written.push(Buffer.from(bytes));
    done();
    if (this.#written.length > this.#rejectAt) return Promise.reject(new Error('the reader is gone'));
    return this.#wait ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  }

  end(): void {
    this.events.push('end');
  }

  destroy(error: Error): void {
    this.events.push(`destroyed: ${error.message}`);
  }

  get writes(): number {
    return this.#written.length;
  }

  get raw(): Buffer {
    return Buffer.concat(this.#written);
  }

  /** What the reader sees; throws for a cut gzip body. */
  get body(): Buffer {
    return this.events[0] === 'gzip' ? zlib.gunzipSync(this.raw) : this.raw;
  }
}

const KIB = 1024;
const noise = randomBytes(3 * GZIP_ABOVE_BYTES);
const bytes = (length: number): Buffer => noise.subarray(0, length);
const failure = new Error('encoder failed');

async function send(pieces: readonly Buffer[], options: DeferredWriterOptions): Promise<Recorder> {
  const to = new Recorder();
  const writer = new DeferredWriter(to, options);
  for (const piece of pieces) await writer.write(piece);
  await writer.end();
  assert.ok(to.body.equals(Buffer.concat(pieces)));
  return to;
}

/** What must not depend on the number and size of writes: only the sum decides. */
const table: [name: string, sizes: number[], expected: 'plain' | 'gzip'][] = [
  ['no write', [], 'plain'],
  ['one empty write', [0], 'plain'],
  ['one byte', [1], 'plain'],
  ['128 KiB - 1 in one write', [128 * KIB - 1], 'plain'],
  ['128 KiB in one write', [128 * KIB], 'plain'],
  ['128 KiB in two writes', [1, 128 * KIB - 1], 'plain'],
  ['128 KiB and nothing more', [128 * KIB, 0, 0], 'plain'],
  ['128 KiB in many writes', Array.from({ length: 1024 }, () => 128), 'plain'],
  ['128 KiB + 1 in one write', [128 * KIB + 1], 'gzip'],
  ['128 KiB + 1, the first write small', [1, 128 * KIB], 'gzip'],
  ['128 KiB + 1, the first write large', [128 * KIB, 1], 'gzip'],
  ['128 KiB + 1 in two large writes', [64 * KIB + 1, 64 * KIB], 'gzip'],
  ['128 KiB + 1 in many writes', [...Array.from({ length: 1024 }, () => 128), 1], 'gzip'],
  ['two large writes', [300 * KIB, 300 * KIB], 'gzip'],
];

test('GZIP_ABOVE_BYTES is that of kube-apiserver', () => {
  assert.equal(GZIP_ABOVE_BYTES, 131_072);
});

for (const [name, sizes, expected] of table) {
  const pieces = sizes.map(bytes);
  const length = sizes.reduce((sum, size) => sum + size, 0);
  test(`end() after ${name} has sent ${expected}`, async () => {
    assert.deepEqual((await send(pieces, { gzip: true })).events, [expected, 'end']);
    assert.deepEqual((await send(pieces, { gzip: true, length })).events, [expected, 'end']);
    assert.deepEqual((await send(pieces, { gzip: false })).events, ['plain', 'end']);
    assert.deepEqual((await send(pieces, { gzip: false, length })).events, ['plain', 'end']);
  });
}

test('write() of known lengths holds nothing back past a segment', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true, length: 100 * KIB });
  await writer.write(bytes(50 * KIB));
  assert.deepEqual([to.events, to.raw.length], [['plain'], 50 * KIB]);
});

const write = fc.record({
  size: fc.oneof(fc.nat(200), fc.nat(40 * KIB), fc.nat(GZIP_ABOVE_BYTES + 2), fc.nat(noise.length)),
  twin: fc.constantFrom('no', 'now', 'later'),
  from: fc.nat(2),
});

/** As the cache makes them: from some index on, at once or in time. */
async function twinOf(piece: Buffer, kind: string, from: number): Promise<Twin | undefined> {
  if (kind === 'no' || from > piece.length) return undefined;
  const deflated = await deflate(piece.subarray(from));
  return { from, deflated: kind === 'now' ? () => deflated : async () => deflated };
}

test('write() sends any pattern of bytes and twins as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 12, size: 'max' }),
      fc.boolean(),
      fc.boolean(),
      async (writes, gzip, wait) => {
        const to = new Recorder({ wait });
        const writer = new DeferredWriter(to, { gzip });
        const expected: Buffer[] = [];
        for (const { size, twin, from } of writes) {
          const piece = noise.subarray(expected.length).subarray(0, size);
          expected.push(piece);
          await writer.write(piece, await twinOf(piece, twin, from));
        }
        await writer.end();
        const body = Buffer.concat(expected);
        assert.ok(to.body.equals(body));
        assert.deepEqual(to.events, [gzip && body.length > GZIP_ABOVE_BYTES ? 'gzip' : 'plain', 'end']);
      },
    ),
    { numRuns: 60 },
  );
});

test('write() asks for a twin only under gzip', async () => {
  const twin: Twin = { from: 0, deflated: () => assert.fail('asked') };
  for (const options of [{ gzip: false }, { gzip: true, length: 600 }, { gzip: true }]) {
    const writer = new DeferredWriter(new Recorder(), options);
    await writer.write(bytes(600), twin);
    await writer.end();
  }
});

test('write() refuses a twin of other bytes', async () => {
  const deflated = await deflate(bytes(1000));
  const writer = new DeferredWriter(new Recorder(), { gzip: true, length: 1e6 });
  await assert.rejects(
    async () => writer.write(bytes(1000), { from: 1, deflated: () => deflated }),
    /other bytes/,
  );
});

test('write() of small pieces needs no promise until a segment is full', () => {
  for (const gzip of [false, true]) {
    const writer = new DeferredWriter(new Recorder(), { gzip });
    for (let i = 0; i < 128; i++) assert.equal(writer.write(bytes(KIB)), undefined);
  }
});

test('write() while the one before waits is refused: their bytes would mix', async () => {
  const to = new Recorder({ wait: true });
  const writer = new DeferredWriter(to, { gzip: false });
  const first = writer.write(bytes(GZIP_ABOVE_BYTES));
  assert.ok(first instanceof Promise);
  assert.throws(() => writer.write(bytes(1)), /has not resolved/);
  await assert.rejects(() => writer.flush(), /has not resolved/);
  await assert.rejects(() => writer.end(), /has not resolved/);
  await first;
  await writer.write(bytes(1));
  await writer.end();
  assert.equal(to.body.length, GZIP_ABOVE_BYTES + 1);
});

test('write() and end() after the end are refused', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  await writer.end();
  assert.throws(() => writer.write(bytes(1)), /ended/);
  await assert.rejects(() => writer.end(), /ended/);
  assert.equal(writer.fail(failure), false);
  assert.deepEqual(to.events, ['plain', 'end']);
});

test('flush() sends the head, then what was written, uncompressed', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  await writer.flush();
  assert.deepEqual([to.events, to.raw.length], [['plain'], 0]);
  await writer.write(Buffer.from('event 1\n'));
  assert.equal(to.raw.length, 0);
  await writer.flush();
  await writer.write(Buffer.from('event 2\n'));
  await writer.flush();
  assert.deepEqual([to.raw.toString(), to.writes], ['event 1\nevent 2\n', 2]);
  await writer.end();
  assert.deepEqual(to.events, ['plain', 'end']);
});

test('flush() sends what was held', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  await writer.write(Buffer.from('held'));
  await writer.flush();
  assert.deepEqual([to.events, to.raw.toString()], [['plain'], 'held']);
  assert.equal(writer.clean, false);
});

test('flush() under gzip lets the reader decode all that was written', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  await writer.write(bytes(200 * KIB));
  await writer.write(Buffer.from('the end so far'));
  await writer.flush();
  const seen = zlib.gunzipSync(to.raw, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
  assert.ok(seen.equals(Buffer.concat([bytes(200 * KIB), Buffer.from('the end so far')])));
  await writer.write(Buffer.from('more'));
  await writer.end();
  assert.equal(to.body.length, 200 * KIB + 18);
});

for (const gzip of [true, false]) {
  test(`fail() is clean as long as nothing was sent, ${gzip ? 'gzip' : 'plain'}`, async () => {
    for (const sizes of [[], [0], [1], [1000, 2000], [30 * KIB, 30 * KIB], [128 * KIB]]) {
      if (!gzip && sizes[0] === 128 * KIB) continue;
      const to = new Recorder();
      const writer = new DeferredWriter(to, { gzip });
      for (const size of sizes) await writer.write(bytes(size));
      assert.equal(writer.clean, true);
      assert.equal(writer.fail(failure), true);
      assert.equal(writer.fail(new Error('again')), true);
      assert.deepEqual(to.events, []);
      assert.throws(() => writer.write(bytes(1)), failure);
      await assert.rejects(() => writer.end(), failure);
      await assert.rejects(() => writer.flush(), failure);
      assert.deepEqual([to.events, to.writes], [[], 0]);
    }
  });

  test(`fail() after the first byte destroys, and what was sent is not whole, ${gzip ? 'gzip' : 'plain'}`, async () => {
    const to = new Recorder();
    const writer = new DeferredWriter(to, { gzip });
    for (let i = 0; i < 3; i++) await writer.write(bytes(200 * KIB));
    assert.equal(writer.clean, false);
    assert.equal(writer.fail(failure), false);
    assert.equal(writer.fail(failure), false);
    assert.deepEqual(to.events, [gzip ? 'gzip' : 'plain', 'destroyed: encoder failed']);
    if (gzip) assert.throws(() => to.body, { code: 'Z_BUF_ERROR' });
    else assert.ok(to.body.length < 600 * KIB || to.events[1] !== 'end');
  });
}

test('fail() while bytes are being deflated stays clean: what comes late is refused', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  const late = writer.write(bytes(300 * KIB));
  assert.equal(writer.fail(failure), true);
  await assert.rejects(async () => late, failure);
  assert.deepEqual([to.events, to.writes], [[], 0]);
});

test('fail() while a twin is being made stays clean', async () => {
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true, length: 1e6 });
  const deflated = await deflate(bytes(300 * KIB));
  const late = writer.write(bytes(300 * KIB), { from: 0, deflated: async () => deflated });
  assert.equal(writer.fail(failure), true);
  await assert.rejects(async () => late, failure);
  assert.deepEqual([to.events, to.writes], [[], 0]);
});

test('fail() while end() waits rejects it, and the body gets no end', async () => {
  for (const gzip of [true, false]) {
    const to = new Recorder({ wait: true });
    const writer = new DeferredWriter(to, { gzip });
    await writer.write(bytes(300 * KIB));
    await writer.write(bytes(1000));
    const ending = writer.end();
    assert.equal(writer.fail(failure), false);
    await assert.rejects(() => ending, failure);
    assert.equal(to.events[1], 'destroyed: encoder failed');
    assert.equal(to.events.length, 2);
  }
});

test('write() rejects when a twin can not be made; the error is clean if nothing was sent', async () => {
  const refused: Twin = { from: 0, deflated: () => Promise.reject(new Error('no twin')) };
  const to = new Recorder();
  const writer = new DeferredWriter(to, { gzip: true });
  await writer.write(bytes(100));
  await assert.rejects(async () => writer.write(bytes(200 * KIB), refused), /no twin/);
  assert.throws(() => writer.write(bytes(1)), /has not resolved/, 'after a rejection there is only fail()');
  assert.equal(writer.fail(failure), true);
  assert.deepEqual(to.events, []);
});

test('write() or end() rejects when the reader is gone, at whatever write', async () => {
  const pieces = [100, 200 * KIB, 20, 90 * KIB, 90 * KIB, 300 * KIB, 500].map(bytes);
  for (const gzip of [true, false]) {
    const whole = await send(pieces, { gzip });
    for (let rejectAt = 0; rejectAt < whole.writes; rejectAt++) {
      const to = new Recorder({ rejectAt });
      const writer = new DeferredWriter(to, { gzip });
      const all = async (): Promise<void> => {
        for (const piece of pieces) await writer.write(piece);
        await writer.end();
      };
      await assert.rejects(all, /the reader is gone/);
      assert.equal(to.writes, rejectAt + 1, 'nothing is written after it');
      assert.equal(writer.fail(failure), false);
      assert.deepEqual(to.events, [gzip ? 'gzip' : 'plain', 'destroyed: encoder failed']);
    }
  }
});

test('write() holds no more than a segment of a plain body, and of a gzip body what it deflates', async () => {
  for (const gzip of [true, false]) {
    const to = new Recorder({ wait: true });
    const writer = new DeferredWriter(to, { gzip });
    let taken = 0;
    for (let i = 0; i < 400; i++) {
      await writer.write(noise.subarray((i % 70) * 5000).subarray(0, 5000));
      taken += 5000;
      const held = taken - to.raw.length;
      assert.ok(held <= (gzip ? 2 : 1) * GZIP_ABOVE_BYTES + 5000, `holds ${held}`);
    }
    await writer.end();
  }
});

test('write() of a byte at a time holds bytes, not pieces', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = vm.runInNewContext('gc');
  const writer = new DeferredWriter(new Recorder(), { gzip: true });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < GZIP_ABOVE_BYTES; i++) writer.write(Buffer.from([7]));
  collectGarbage();
  // A view of one byte takes about a hundred: kept, they would take 12 MiB.
  assert.ok(process.memoryUsage().heapUsed - before < 2 << 20);
  await writer.end();
});
