// The process that the crash test kills: several writers, each on its own keys, that report every answered write.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import type { Entry, Key, Revision, Store } from '../store.ts';
import { openEmbeddedStore } from './store.ts';

const WRITERS = 8;
const KEYS_OF_A_WRITER = 20;

/** A value starts with the CRC-32 of the rest, which tells its key and revision. */
export function checkValue({ key, value, modRevision }: Entry): void {
  const bytes = Buffer.from(value);
  const rest = bytes.subarray(4);
  assert.equal(bytes.readUInt32BE(0), crc32(rest), `${key} at ${modRevision} is torn`);
  if (rest.length > 0) assert.ok(rest.toString('latin1').startsWith(`${key} ${modRevision} `));
}

function makeValue(key: Key, revision: Revision): Uint8Array {
  const size = randomInt(10) === 0 ? randomInt(100_000) : randomInt(2000);
  const rest = Buffer.from(`${key} ${revision} ${'x'.repeat(size)}`);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(rest));
  return Buffer.concat([sum, rest]);
}

async function write(store: Store, writer: number): Promise<never> {
  for (;;) {
    const key = `writer-${writer}/${randomInt(KEYS_OF_A_WRITER)}`;
    const expect = (await store.get(key))?.modRevision ?? 0n;
    const isDelete = expect > 0n && randomInt(4) === 0;
    const value = isDelete ? null : (revision: Revision): Uint8Array => makeValue(key, revision);
    const { revision } = await store.commit({ key, expect, value });
    writeSync(1, `answered ${key} ${revision} ${isDelete ? 'delete' : 'put'}\n`);
  }
}

async function compactOften(store: Store): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const behind = BigInt(randomInt(50));
    if (store.revision > behind) await store.compact(store.revision - behind);
  }
}

async function main(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory });
  const writers = Array.from({ length: WRITERS }, (_, index) => write(store, index));
  await Promise.all([...writers, compactOften(store)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? '');
