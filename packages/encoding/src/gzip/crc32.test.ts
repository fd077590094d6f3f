// Joined CRC-32s against those computed over the joined bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { combineCrc32, crc32Shift } from './crc32.ts';

const bytes = (): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array));

test('combineCrc32() gives the checksum of the joined bytes, wherever they are split', () => {
  fc.assert(
    fc.property(fc.array(bytes(), { maxLength: 6 }), (pieces) => {
      const joined = pieces.reduce(
        (crc, piece) => combineCrc32(crc, zlib.crc32(piece), crc32Shift(piece.length)),
        0,
      );
      assert.equal(joined, zlib.crc32(Buffer.concat(pieces)));
    }),
  );
});

test('combineCrc32() with nothing on either side gives the other side', () => {
  const crc = zlib.crc32(Buffer.from('abc'));
  assert.equal(combineCrc32(crc, 0, crc32Shift(0)), crc);
  assert.equal(combineCrc32(0, crc, crc32Shift(3)), crc);
  assert.equal(combineCrc32(0, 0, crc32Shift(0)), 0);
});

test('combineCrc32() takes large pieces', () => {
  const a = Buffer.alloc(3_000_001, 'a');
  const b = Buffer.alloc(5_123_457, 'bcd');
  const joined = combineCrc32(zlib.crc32(a), zlib.crc32(b), crc32Shift(b.length));
  assert.equal(joined, zlib.crc32(b, zlib.crc32(a)));
});

test('combineCrc32() takes lengths past 2^32', () => {
  // A block of zeros doubled until it is longer than any checksum's own 32 bits: joined in either order it is the same.
  const mebibyte = Buffer.alloc(1 << 20);
  const doubled = [zlib.crc32(mebibyte)];
  for (let k = 1; k <= 14; k++) {
    const half = doubled[k - 1]!;
    doubled.push(combineCrc32(half, half, crc32Shift(2 ** (19 + k))));
  }
  assert.equal(doubled[4], zlib.crc32(Buffer.alloc(16 << 20)));
  const [crc, length] = [doubled[14]!, 2 ** 34];
  const tail = Buffer.from('tail');
  const tailAfter = combineCrc32(crc, zlib.crc32(tail), crc32Shift(tail.length));
  assert.equal(tailAfter, zlib.crc32(tail, crc), 'a short piece after a huge one');
  const before = combineCrc32(zlib.crc32(tail), crc, crc32Shift(length));
  const halves = combineCrc32(zlib.crc32(tail), doubled[13]!, crc32Shift(length / 2));
  assert.equal(
    before,
    combineCrc32(halves, doubled[13]!, crc32Shift(length / 2)),
    'a huge piece at once or in two',
  );
});

test('crc32Shift() repeats after 2^32 - 1 bits: the polynomial is primitive', () => {
  // x^(2^32) = x. In bytes: 2^29 of them multiply by x^(2^32), which is x.
  assert.equal(crc32Shift(2 ** 29), 0x40000000);
  assert.equal(crc32Shift(2 ** 32), 0x00800000, 'x^(2^35) = x^8, the shift of one byte');
  assert.equal(crc32Shift(2 ** 32), crc32Shift(1));
});
