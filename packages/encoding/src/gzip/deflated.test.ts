// What deflate() makes inflates back in any order, keeps no more memory than its bytes and gives up on what has no matches.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { type Deflated, deflate, PIECE_BYTES } from './deflated.ts';
import { GzipMember } from './member.ts';

const FINAL_BLOCK = Uint8Array.of(3, 0);

function inflate(parts: readonly Uint8Array[]): Buffer {
  return zlib.inflateRawSync(Buffer.concat([...parts, FINAL_BLOCK]));
}

const inputs: Record<string, Buffer> = {
  'one byte': Buffer.from('x'),
  '64 KiB of text': Buffer.alloc(64 * 1024, '{"metadata":{"name":"pod","uid":"1-2-3"}},'),
  '64 KiB of noise': randomBytes(64 * 1024),
  'exactly a piece': Buffer.alloc(PIECE_BYTES, 'ab'),
  'a piece and a byte': Buffer.alloc(PIECE_BYTES + 1, 'abc'),
  'several pieces of noise': randomBytes(2 * PIECE_BYTES + 77),
};

for (const [name, input] of Object.entries(inputs)) {
  test(`deflate() of ${name} inflates back and tells its sizes`, async () => {
    const deflated = await deflate(input);
    assert.ok(inflate(deflated.parts).equals(input));
    assert.equal(deflated.length, input.length);
    assert.equal(deflated.crc, zlib.crc32(input));
    assert.equal(deflated.parts.length, Math.ceil(input.length / PIECE_BYTES));
    assert.equal(
      deflated.bytes,
      deflated.parts.reduce((sum, part) => sum + part.length, 0),
    );
    for (const part of deflated.parts)
      assert.equal(part.buffer.byteLength, part.length, 'holds other memory');
  });
}

test('deflate() of nothing is nothing', async () => {
  const deflated = await deflate(new Uint8Array(0));
  assert.deepEqual([deflated.parts, deflated.bytes, deflated.length, deflated.crc], [[], 0, 0, 0]);
});

test('deflate() makes noise hardly larger, and digits of noise as small as their entropy', async () => {
  const noise = randomBytes(3 * PIECE_BYTES);
  assert.ok((await deflate(noise)).bytes < noise.length * 1.002);
  const base64 = Buffer.from(noise.toString('base64'));
  assert.ok((await deflate(base64)).bytes < base64.length * 0.76, 'six bits of eight');
});

test('deflate() finds the text after noise at the beginning of a piece', async () => {
  const text = Buffer.alloc(PIECE_BYTES - 20_000, '{"name":"web","image":"registry.example/web:1"},');
  const mixed = Buffer.concat([Buffer.from(randomBytes(15_000).toString('base64')), text]);
  assert.ok((await deflate(mixed)).bytes < 25_000);
});

test('deflate() makes parts that stand in any order, between stored blocks', async () => {
  const made = await Promise.all(Object.values(inputs).map(deflate));
  const choice = fc.oneof(
    fc.nat(made.length - 1).map((index): Deflated => made[index]!),
    fc.uint8Array({ maxLength: 300 }),
  );
  fc.assert(
    fc.property(fc.array(choice, { maxLength: 8 }), (chosen) => {
      const member = new GzipMember();
      const parts = chosen.flatMap((one) =>
        one instanceof Uint8Array ? [member.stored(one)] : member.deflated(one),
      );
      const plain = chosen.map((one) =>
        one instanceof Uint8Array ? one : Object.values(inputs)[made.indexOf(one)]!,
      );
      assert.ok(inflate(parts).equals(Buffer.concat(plain)));
    }),
    { numRuns: 30 },
  );
});
