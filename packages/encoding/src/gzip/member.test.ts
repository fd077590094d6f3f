// Stitched members, read by every gunzip at hand; a cut one is whole to none.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { type Deflated, deflate } from './deflated.ts';
import { GZIP_HEADER, GzipMember } from './member.ts';

const text = Buffer.alloc(300_000, '{"metadata":{"name":"pod"}},');
const PARTS: readonly Buffer[] = [
  Buffer.from('{"items":['),
  text,
  Buffer.from(','),
  Buffer.alloc(70_000, 'stored in two blocks '),
  Buffer.from(']}\n'),
];

/** Stores all but the text. */
async function stitch(parts: readonly Buffer[]): Promise<Buffer> {
  const member = new GzipMember();
  const out: Uint8Array[] = [GZIP_HEADER];
  for (const part of parts) {
    if (part === text) out.push(...member.deflated(await deflate(part)));
    else out.push(member.stored(part));
  }
  assert.equal(member.length, Buffer.concat(parts).length);
  out.push(member.trailer());
  return Buffer.concat(out);
}

test('GzipMember() makes members that node decodes', async () => {
  for (const parts of [
    [],
    [Buffer.alloc(0)],
    [Buffer.from('x')],
    PARTS,
    [text, text],
    [...PARTS].reverse(),
  ]) {
    assert.ok(zlib.gunzipSync(await stitch(parts)).equals(Buffer.concat(parts)));
  }
});

for (const size of [1, 65_534, 65_535, 65_536, 131_070, 200_000]) {
  test(`stored() of ${size} bytes adds 5 bytes for each 65535`, () => {
    const member = new GzipMember();
    const raw = Buffer.alloc(size, 'raw');
    const stored = member.stored(raw);
    assert.equal(stored.length, size + 5 * Math.ceil(size / 65_535));
    assert.ok(zlib.gunzipSync(Buffer.concat([GZIP_HEADER, stored, member.trailer()])).equals(raw));
  });
}

const PYTHON = 'import gzip,sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))';
for (const [command, ...args] of [
  ['gunzip', '-c'],
  ['gzip', '-dc'],
  ['python3', '-c', PYTHON],
] as const) {
  const absent = spawnSync(command, ['--version']).status !== 0;
  test(`GzipMember() makes members that ${command} decodes`, {
    skip: absent && `no ${command} here`,
  }, async () => {
    for (const parts of [[], PARTS]) {
      const run = spawnSync(command, args, { input: await stitch(parts), maxBuffer: 1 << 24 });
      assert.equal(run.status, 0, run.stderr.toString());
      assert.ok(run.stdout.equals(Buffer.concat(parts)));
    }
  });
}

test('trailer() has the length modulo 2^32 and the checksum of it all', async () => {
  const once: Deflated = await deflate(Buffer.alloc(16 << 20));
  const member = new GzipMember();
  for (let i = 0; i < 256; i++) member.deflated(once);
  member.stored(Buffer.from('tail'));
  assert.equal(member.length, 2 ** 32 + 4);
  const trailer = Buffer.from(member.trailer());
  assert.equal(trailer.readUInt32LE(6), 4);
  let crc = 0;
  const zeros = Buffer.alloc(64 << 20);
  for (let i = 0; i < 64; i++) crc = zlib.crc32(zeros, crc);
  assert.equal(trailer.readUInt32LE(2), zlib.crc32(Buffer.from('tail'), crc));
});

test('a member cut anywhere is whole to nobody', async () => {
  const small = Buffer.alloc(900, 'abcdefg');
  const member = new GzipMember();
  const parts = [GZIP_HEADER, member.stored(Buffer.from('head')), ...member.deflated(await deflate(small))];
  const whole = Buffer.concat([...parts, member.stored(Buffer.from('tail')), member.trailer()]);
  assert.equal(zlib.gunzipSync(whole).length, 908);
  for (let cut = 1; cut < whole.length; cut++) {
    assert.throws(() => zlib.gunzipSync(whole.subarray(0, cut)), { code: 'Z_BUF_ERROR' }, `cut at ${cut}`);
  }
});
