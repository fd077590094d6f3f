// Looks at a data file before LMDB maps it: a mapped file that is no LMDB file, or is cut short, kills the process.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

//  page        page number 8 · transaction 8 · pad 2 · flags 2 · lower 2 · upper 2 · node offsets 2 each … nodes
//  meta page   … magic 4 · version 4 · address 8 · map size 8 · free tree 48 · main tree 48 · last page 8 · transaction 8
//  tree        page size 4 (in the free tree) · flags 2 · depth 2 · branch, leaf, overflow pages, entries 8 each · root 8
//  node        low 2 · high 2 · flags 2 · key length 2 · key · data; in a branch, low, high and flags are a page number
//
// Pages 0 and 1 are meta pages; the one with the greater transaction counts. Numbers are little endian.

const MAGIC = 0xbeefc0de;
const VERSION = 2;
const PAGE_HEAD_BYTES = 24;
const NODE_HEAD_BYTES = 8;
const META_BYTES = 168;
const TREE_BYTES = 48;
const META_PAGE = 0x08;
const LEAF_PAGE = 0x02;
const BRANCH_PAGE = 0x01;
const BIG_DATA = 0x01;
const NO_PAGE = 0xffffffffffffffffn;
const DEPTH_LIMIT = 32;
/** A store that is open elsewhere changes under our eyes; then we look again. */
const TRY_LIMIT = 20;

/** `reason` is for people: it ends up in a StoreError. */
export type DataFile =
  | { state: 'empty' }
  | { state: 'whole'; format: string | undefined }
  | { state: 'damaged'; reason: string };

class Unsound extends Error {}

/**
 * Tells whether the file can be mapped, and the value of `format` in its tree `meta`. Checks the meta pages and, if
 * the file ends before the last page in use, that all missing pages are free: LMDB never writes those.
 */
export function inspectDataFile(path: string): DataFile {
  if (!existsSync(path)) return { state: 'empty' };
  const fd = openSync(path, 'r');
  try {
    for (let tries = 1; ; tries++) {
      if (fstatSync(fd).size === 0) return { state: 'empty' };
      const before = newestMeta(fd);
      const result = inspectSnapshot(fd, before);
      const changed = newestMeta(fd).transaction !== before.transaction;
      if (!changed || tries === TRY_LIMIT) return result;
    }
  } catch (error) {
    if (error instanceof Unsound) return { state: 'damaged', reason: error.message };
    if (error instanceof RangeError) return { state: 'damaged', reason: 'a page points outside itself' };
    throw error;
  } finally {
    closeSync(fd);
  }
}

type Meta = { pageSize: number; freeRoot: bigint; mainRoot: bigint; lastPage: bigint; transaction: bigint };

function inspectSnapshot(fd: number, meta: Meta): DataFile {
  // LMDB has written its meta pages, and died before the first transaction.
  if (meta.mainRoot === NO_PAGE) return { state: 'empty' };
  const presentPages = BigInt(Math.floor(fstatSync(fd).size / meta.pageSize));
  if (presentPages <= meta.lastPage && !areFree(fd, meta, presentPages)) {
    return { state: 'damaged', reason: `it is cut short: ${presentPages} pages of ${meta.lastPage + 1n}` };
  }
  return { state: 'whole', format: formatOf(fd, meta) };
}

function newestMeta(fd: number): Meta {
  const first = readMeta(fd, 0);
  const second = readMeta(fd, first.pageSize);
  if (second.pageSize !== first.pageSize) throw new Unsound('its two meta pages disagree');
  return first.transaction >= second.transaction ? first : second;
}

function readMeta(fd: number, position: number): Meta {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(fd, bytes, 0, META_BYTES, position) < META_BYTES)
    throw new Unsound('it ends within a meta page');
  if ((bytes.readUInt16LE(18) & META_PAGE) === 0 || bytes.readUInt32LE(24) !== MAGIC) {
    throw new Unsound('it is not an LMDB file');
  }
  const version = bytes.readUInt16LE(28);
  if (version !== VERSION) throw new Unsound(`it has LMDB's file format ${version}, not ${VERSION}`);
  const pageSize = bytes.readUInt32LE(48);
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) {
    throw new Unsound(`its page size is ${pageSize}`);
  }
  return {
    pageSize,
    freeRoot: bytes.readBigUInt64LE(88),
    mainRoot: bytes.readBigUInt64LE(136),
    lastPage: bytes.readBigUInt64LE(144),
    transaction: bytes.readBigUInt64LE(152),
  };
}

function formatOf(fd: number, meta: Meta): string | undefined {
  for (const tree of nodesOf(fd, meta, meta.mainRoot)) {
    if (tree.key.toString('latin1').replace(/\0$/, '') !== 'meta' || tree.data.length !== TREE_BYTES)
      continue;
    for (const node of nodesOf(fd, meta, tree.data.readBigUInt64LE(40))) {
      if (node.key.toString('latin1') === 'format') return node.data.toString('latin1');
    }
  }
  return undefined;
}

/** Whether the free tree lists every page from `first` to the last one. */
function areFree(fd: number, meta: Meta, first: bigint): boolean {
  let free = 0n;
  for (const { data } of nodesOf(fd, meta, meta.freeRoot)) {
    // A count, then page numbers; a negative number is the length of a run whose first page follows.
    for (let at = 8; at + 8 <= data.length && at / 8 <= Number(data.readBigUInt64LE(0)); at += 8) {
      const item = data.readBigInt64LE(at);
      const run = item < 0n ? -item : 1n;
      if (item < 0n) at += 8;
      const page = data.readBigInt64LE(at);
      const from = page > first ? page : first;
      if (from < page + run) free += page + run - from;
    }
  }
  return free === meta.lastPage - first + 1n;
}

type Node = { key: Buffer; data: Buffer };

/** The nodes of a tree's leaves. */
function* nodesOf(fd: number, meta: Meta, root: bigint, depth = 0): Generator<Node> {
  if (root === NO_PAGE) return;
  if (depth > DEPTH_LIMIT) throw new Unsound('a tree has no end');
  const page = readPages(fd, meta, root, 1);
  const flags = page.readUInt16LE(18);
  const count = page.readUInt16LE(20) >> 1;
  for (let index = 0; index < count; index++) {
    const start = PAGE_HEAD_BYTES + page.readUInt16LE(PAGE_HEAD_BYTES + 2 * index);
    const dataStart = start + NODE_HEAD_BYTES + page.readUInt16LE(start + 6);
    const key = page.subarray(start + NODE_HEAD_BYTES, dataStart);
    if ((flags & LEAF_PAGE) !== 0) {
      yield { key, data: dataOf(fd, meta, page, start, dataStart) };
    } else if ((flags & BRANCH_PAGE) !== 0) {
      const child = BigInt(page.readUInt32LE(start)) | (BigInt(page.readUInt16LE(start + 4)) << 32n);
      yield* nodesOf(fd, meta, child, depth + 1);
    } else {
      throw new Unsound(`page ${root} is neither branch nor leaf`);
    }
  }
}

function dataOf(fd: number, meta: Meta, page: Buffer, start: number, dataStart: number): Buffer {
  const length = page.readUInt32LE(start);
  if ((page.readUInt16LE(start + 4) & BIG_DATA) === 0) return page.subarray(dataStart, dataStart + length);
  const pages = Math.ceil((PAGE_HEAD_BYTES + length) / meta.pageSize);
  const big = readPages(fd, meta, page.readBigUInt64LE(dataStart), pages);
  return big.subarray(PAGE_HEAD_BYTES, PAGE_HEAD_BYTES + length);
}

function readPages(fd: number, meta: Meta, first: bigint, count: number): Buffer {
  if (first < 2n || first + BigInt(count) > meta.lastPage + 1n)
    throw new Unsound(`there is no page ${first}`);
  const length = count * meta.pageSize;
  const bytes = Buffer.allocUnsafe(length);
  const position = Number(first) * meta.pageSize;
  if (readSync(fd, bytes, 0, length, position) < length) throw new Unsound(`page ${first} is missing`);
  return bytes;
}
