// Varints of every size, and what a reader says of bytes that are no message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { copyBytes, ProtobufError, varintLength, WireReader, WireWriter } from './wire.ts';

test('varint64() and varint() carry any 64 bits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const writer = new WireWriter(1);
      const bits = BigInt.asUintN(64, value);
      writer.varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
      const reader = readerOf(writer);
      reader.varint();
      assert.equal(reader.signed(), value);
      assert.equal(reader.unsigned(), String(bits));
      assert.equal(reader.at, reader.end);
    }),
    {
      examples: [
        [0n],
        [127n],
        [128n],
        [2n ** 32n - 1n],
        [2n ** 32n],
        [2n ** 63n - 1n],
        [-(2n ** 63n)],
        [-1n],
      ],
    },
  );
});

test('integer() writes what Number holds exactly, negative ones in ten bytes', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const writer = new WireWriter(1);
      writer.integer(value);
      assert.equal(writer.length, value < 0 ? 10 : varintLength(value));
      const reader = readerOf(writer);
      reader.varint();
      assert.equal(reader.signed(), BigInt(value));
    }),
    {
      examples: [
        [Number.MAX_SAFE_INTEGER],
        [Number.MIN_SAFE_INTEGER],
        [2 ** 31],
        [2 ** 31 - 1],
        [2 ** 32],
        [-1],
      ],
    },
  );
});

test('copyBytes() copies short and long parts', () => {
  for (const length of [0, 1, 47, 48, 49, 5000]) {
    const source = Buffer.from(Array.from({ length: length + 2 }, (_, at) => at % 251));
    const to = Buffer.alloc(length + 3);
    copyBytes(source, 1, length + 1, to, 2);
    assert.deepEqual(to.subarray(2, length + 2), source.subarray(1, length + 1));
    assert.equal(to[length + 2], 0);
  }
});

test('skip() walks over a field of any wire type, and groups however deep', () => {
  const deep = 1_000_000;
  const fields: [string, number[]][] = [
    ['varint', [0x08, 0xff, 0x01]],
    ['fixed64', [0x09, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['bytes', [0x0a, 2, 1, 2]],
    ['group', [0x0b, 0x10, 1, 0x0c]],
    ['fixed32', [0x0d, 1, 2, 3, 4]],
  ];
  for (const [what, bytes] of fields) {
    const reader = new WireReader(Uint8Array.from([...bytes, 9]));
    reader.skip();
    assert.equal(reader.at, bytes.length, what);
  }
  const groups = new Uint8Array(deep * 2).fill(0x0b, 0, deep).fill(0x0c, deep);
  const reader = new WireReader(groups);
  reader.skip();
  assert.equal(reader.at, groups.length);
});

test('a reader refuses what it cannot follow, in the words of the Go code', () => {
  const ones = (count: number): number[] => Array(count).fill(0xff);
  const refused: [string, number[], (reader: WireReader) => void][] = [
    ['unexpected EOF', [], (reader) => reader.varint()],
    ['unexpected EOF', [0x80], (reader) => reader.varint()],
    ['proto: integer overflow', [...ones(10), 1], (reader) => reader.varint()],
    ['proto: negative length found during unmarshaling', [...ones(9), 1], (reader) => reader.delimited()],
    ['unexpected EOF', [...ones(8), 0x07], (reader) => reader.delimited()],
    ['proto: negative length found during unmarshaling', [...ones(8), 0x7f], (reader) => reader.delimited()],
    ['unexpected EOF', [2, 1], (reader) => reader.delimited()],
    ['unexpected EOF', [0x0a, 5, 1], (reader) => reader.skip()],
    ['proto: negative length found during unmarshaling', [0x0a, ...ones(9), 1], (reader) => reader.skip()],
    ['proto: integer overflow', [0x08, ...ones(10), 1], (reader) => reader.skip()],
    ['unexpected EOF', [0x08, 0x80], (reader) => reader.skip()],
    ['unexpected EOF', [0x09, 1], (reader) => reader.skip()],
    ['unexpected EOF', [0x0d, 1], (reader) => reader.skip()],
    ['unexpected EOF', [0x0b, 0x08, 1], (reader) => reader.skip()],
    ['proto: unexpected end of group', [0x0c], (reader) => reader.skip()],
    ['proto: illegal wireType 6', [0x0e], (reader) => reader.skip()],
    ['proto: illegal wireType 7', [0x0f], (reader) => reader.skip()],
  ];
  for (const [message, bytes, read] of refused) {
    assert.throws(() => read(new WireReader(Uint8Array.from(bytes))), new ProtobufError(message), `${bytes}`);
  }
});

function readerOf(writer: WireWriter): WireReader {
  return new WireReader(writer.buffer.subarray(0, writer.length));
}
