// What is no store, or no whole one, is refused without a change, and without a crash.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { open as openLmdb } from 'lmdb';
import { put, refused, remove } from '../contract.ts';
import { inspectDataFile } from './data-file.ts';
import { openInChild } from './open-child.ts';
import { openEmbeddedStore } from './store.ts';

const PAGE = 4096;
const scratch = mkdtempSync(join(tmpdir(), 'sluice-damage-'));
const whole = join(scratch, 'whole');
after(() => rmSync(scratch, { recursive: true, force: true }));

before(async () => {
  const store = await openEmbeddedStore({ directory: whole });
  // The deleted large values leave free pages at the end of the file.
  for (let index = 1n; index <= 40n; index++) await put(store, `large ${index}`, 0n, 'l'.repeat(20_000));
  for (let index = 1n; index <= 40n; index++) await put(store, `small ${index}`, 0n);
  for (let index = 1n; index <= 40n; index++) await remove(store, `large ${index}`, index);
  await store.compact(store.revision);
  for (let index = 1n; index <= 10n; index++) await put(store, `late ${index}`, 0n);
  await store.close();
});

let count = 0;
function directoryWith(files: Record<string, Uint8Array>): string {
  const directory = join(scratch, `damaged ${++count}`);
  mkdirSync(directory);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(directory, name), bytes);
  return directory;
}

function state(directory: string): string[] {
  return readdirSync(directory).map((name) => {
    const bytes = readFileSync(join(directory, name));
    return `${name} ${createHash('sha256').update(bytes).digest('hex')} ${statSync(join(directory, name)).mtimeMs}`;
  });
}

async function refuses(directory: string, why: RegExp): Promise<void> {
  const was = state(directory);
  const child = await openInChild('read', directory);
  assert.match(child.said, why);
  assert.match(child.said, /^damaged: /);
  assert.equal(await child.exit, '0');
  assert.deepEqual(state(directory), was);
}

const wholeFile = (): Buffer => readFileSync(join(whole, 'data.mdb'));

test('openEmbeddedStore() refuses a data file of random bytes', async () => {
  await refuses(directoryWith({ 'data.mdb': randomBytes(100_000) }), /not an LMDB file/);
  await refuses(directoryWith({ 'data.mdb': randomBytes(10) }), /ends within a meta page/);
  await refuses(directoryWith({ 'data.mdb': Buffer.alloc(50_000) }), /not an LMDB file/);
});

test('openEmbeddedStore() refuses a data file that was cut short', async () => {
  const bytes = wholeFile();
  for (const pages of [2, 5, 10]) {
    await refuses(directoryWith({ 'data.mdb': bytes.subarray(0, pages * PAGE) }), /cut short|missing/);
  }
  await refuses(directoryWith({ 'data.mdb': bytes.subarray(0, PAGE) }), /ends within a meta page/);
});

test('inspectDataFile() lets a file be short by pages that are free, and by no others', async () => {
  const bytes = wholeFile();
  const lengths = Array.from({ length: bytes.length / PAGE - 2 }, (_, index) => index + 2);
  const path = join(directoryWith({}), 'data.mdb');
  const whole = lengths.filter((pages) => {
    writeFileSync(path, bytes.subarray(0, pages * PAGE));
    return inspectDataFile(path).state === 'whole';
  });
  const shortest = whole[0]!;
  assert.ok(
    shortest > 2 && shortest < bytes.length / PAGE - 10,
    `${shortest} of ${bytes.length / PAGE} pages are in use`,
  );
  assert.deepEqual(whole, lengths.slice(lengths.indexOf(shortest)));
  const directory = directoryWith({ 'data.mdb': bytes.subarray(0, shortest * PAGE) });
  assert.equal((await openInChild('read', directory)).said, '50 entries at 130');
});

test('inspectDataFile() survives any page filled with garbage', () => {
  const bytes = wholeFile();
  for (let page = 0; page < bytes.length / PAGE; page++) {
    for (const fill of [randomBytes(PAGE), Buffer.alloc(PAGE), Buffer.alloc(PAGE, 0xff)]) {
      const garbled = Buffer.from(bytes);
      garbled.set(fill, page * PAGE);
      const path = join(directoryWith({ 'data.mdb': garbled }), 'data.mdb');
      const found = inspectDataFile(path).state;
      assert.ok(
        found === 'whole' || (found === 'damaged' && page < bytes.length / PAGE),
        `page ${page}: ${found}`,
      );
      if (page < 2) assert.equal(found, 'damaged');
    }
  }
});

test('openEmbeddedStore() refuses directories that hold something else', async () => {
  await refuses(
    directoryWith({ 'notes.txt': Buffer.from('mine') }),
    /has other files in it, such as notes.txt/,
  );
  const file = join(directoryWith({ 'a file': Buffer.from('x') }), 'a file');
  await assert.rejects(openEmbeddedStore({ directory: file }), refused('damaged'));
  await assert.rejects(openEmbeddedStore({ directory: join(file, 'below') }), refused('failed'));
});

test('openEmbeddedStore() refuses the data files of other programs and of later versions', async () => {
  const other = directoryWith({});
  const lmdb = openLmdb({ path: other });
  await lmdb.put('some', 'thing');
  await lmdb.close();
  await refuses(other, /of another program/);

  const later = directoryWith({});
  copyFileSync(join(whole, 'data.mdb'), join(later, 'data.mdb'));
  const tables = openLmdb({ path: later, overlappingSync: false });
  const meta = tables.openDB<Buffer, Uint8Array>('meta', { encoding: 'binary', keyEncoding: 'binary' });
  meta.putSync(Buffer.from('format'), Buffer.from('sluice-store 2'));
  await tables.close();
  await refuses(later, /has the format 'sluice-store 2', this version reads 'sluice-store 1'/);
});

test('openEmbeddedStore() takes a file that LMDB had only begun', async () => {
  const directory = directoryWith({});
  const bytes = wholeFile();
  const begun = Buffer.alloc(2 * PAGE);
  for (const page of [0, PAGE]) {
    bytes.copy(begun, page, page, page + PAGE);
    begun.fill(0xff, page + 88, page + 96).fill(0xff, page + 136, page + 144);
    begun.writeBigUInt64LE(1n, page + 144);
    begun.writeBigUInt64LE(0n, page + 152);
  }
  writeFileSync(join(directory, 'data.mdb'), begun);
  const store = await openEmbeddedStore({ directory });
  assert.equal((await put(store, 'a', 0n)).revision, 1n);
  await store.close();
  writeFileSync(join(directoryWith({}), 'data.mdb'), Buffer.alloc(0));
});
