// The LMDB files of a store: opened with care, written in whole transactions, its errors in the store's words.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { open as openLmdb, type RootDatabase } from 'lmdb';
import { StoreError } from '../store.ts';
import { inspectDataFile } from './data-file.ts';
import { decodeOwner, encodeOwner, isRunning, newOwner, type Owner } from './lock.ts';
import { encodeState, FORMAT, FORMAT_NAME } from './records.ts';

/** Address space, not memory or disk; LMDB would move a smaller map while views of it are in use. */
const MAP_LIMIT_BYTES = 2 ** 40;
/** Each range that is being read holds one. */
const READER_LIMIT = 1000;
/** Less free space than a transaction's bytes and this much: the disk is full, whatever the error says. */
const DISK_RESERVE_BYTES = 1024 * 1024;

export type ReadTransaction = { done(): void };

/** The part of lmdb's Database that is used here; its own declarations leave out some options. */
export type Table = {
  getBinaryFast(key: Uint8Array, options: { transaction?: ReadTransaction }): Uint8Array | undefined;
  getRange(options: RangeOptions): Iterable<{ key: Uint8Array; value: Uint8Array }>;
  getKeys(options: RangeOptions): Iterable<Uint8Array>;
  put(key: Uint8Array, value: Uint8Array, options?: { append: boolean }): Promise<boolean>;
  remove(key: Uint8Array): Promise<boolean>;
};

type RangeOptions = {
  start?: Uint8Array;
  end?: Uint8Array;
  limit?: number;
  reverse?: boolean;
  transaction?: ReadTransaction;
};

export type Tables = { revisions: Table; current: Table; meta: Table };

export const META: Readonly<Record<'format' | 'state' | 'owner', Buffer>> = {
  format: Buffer.from('format'),
  state: Buffer.from('state'),
  owner: Buffer.from('owner'),
};

export class Database {
  readonly tables: Tables;
  readonly #root: RootDatabase<Buffer, Uint8Array>;
  readonly #directory: string;
  readonly #owner: Owner = newOwner();
  #open = true;

  /** @throws StoreError `locked`, `damaged`, `full`, `failed`. */
  constructor(directory: string) {
    this.#directory = directory;
    let state: 'empty' | 'whole';
    try {
      state = checkDirectory(directory);
      this.#root = openLmdb<Buffer, Uint8Array>({
        path: directory,
        mapSize: MAP_LIMIT_BYTES,
        maxReaders: READER_LIMIT,
        encoding: 'binary',
        keyEncoding: 'binary',
        // With overlapping sync a transaction is seen before it is durable. Without, LMDB's own order holds: pages,
        // fdatasync, meta page through a descriptor that syncs; only then does the promise of a write resolve.
        overlappingSync: false,
        // Otherwise lmdb wraps writes in a promise of its own, which nobody can catch when a transaction fails.
        eventTurnBatching: false,
        ...{ permissionsMode: 0o600 },
      });
    } catch (error) {
      throw storeError(error);
    }
    try {
      this.tables = this.#root.transactionSync(() => this.#prepare(state));
      if (state === 'empty') syncDirectory(directory);
    } catch (error) {
      this.#open = false;
      void this.#root.close();
      throw storeError(error);
    }
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** A view of the newest durable state that doesn't change. */
  read(): ReadTransaction {
    return this.#root.useReadTransaction() as unknown as ReadTransaction;
  }

  /**
   * Makes all writes that `operations` starts, or none of them. The work is done on another thread; resolves once it
   * is on disk. `bytes` is about what the writes take. Call it again only after it has settled.
   * @throws StoreError `full` when nothing was written and the next transaction may succeed, else `failed`.
   */
  async write(operations: () => Promise<boolean>[], bytes: number): Promise<void> {
    let made: Promise<boolean>[] = [];
    const whole = this.#root.batch(() => {
      made = operations();
    });
    try {
      const results = await Promise.all([whole, ...made]);
      if (results.includes(false))
        throw new StoreError('failed', 'LMDB refused one of the writes of a transaction');
    } catch (error) {
      throw await this.#explain(error, bytes);
    }
  }

  async close(): Promise<void> {
    this.#open = false;
    const { meta } = this.tables;
    const held = meta.getBinaryFast(META.owner, {});
    try {
      if (held !== undefined) await this.write(() => [meta.remove(META.owner)], 0);
    } catch {
      // The record is stale as soon as this process ends; until then it keeps others out of a store that failed.
    }
    await this.#root.close();
  }

  #prepare(state: 'empty' | 'whole'): Tables {
    const table = (name: string): Table => {
      const options = { encoding: 'binary', keyEncoding: 'binary' } as const;
      return this.#root.openDB<Buffer, Uint8Array>(name, options) as unknown as Table;
    };
    const tables = { revisions: table('revisions'), current: table('current'), meta: table('meta') };
    const held = tables.meta.getBinaryFast(META.owner, {});
    const owner = held === undefined ? undefined : decodeOwner(held.subarray(0, held.length));
    if (owner !== undefined && isRunning(owner)) {
      throw new StoreError('locked', `${this.#directory} is open in the process with pid ${owner.pid}`);
    }
    void tables.meta.put(META.owner, encodeOwner(this.#owner));
    if (state === 'empty') {
      void tables.meta.put(META.format, Buffer.from(FORMAT));
      void tables.meta.put(META.state, encodeState({ revision: 0n, compacted: 0n }));
    }
    return tables;
  }

  async #explain(error: unknown, bytes: number): Promise<StoreError> {
    if (error instanceof StoreError) return error;
    const hidden = (error as { commitError?: Promise<never> }).commitError;
    const cause: unknown = hidden === undefined ? error : await hidden.catch((reason: unknown) => reason);
    const translated = storeError(cause);
    const full = translated.reason === 'full' || (await this.#isFull(bytes));
    if (!full) return translated;
    try {
      // If writing the meta page failed, LMDB refuses all further transactions; lmdb would never answer the next one.
      this.#root.transactionSync(() => {});
    } catch (panic) {
      return storeError(panic);
    }
    return new StoreError('full', `there is no room left in ${this.#directory}`, { cause });
  }

  /** A write that was cut short by a full disk looks like a broken disk to LMDB. */
  async #isFull(bytes: number): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#directory);
    return bavail * bsize < bytes + DISK_RESERVE_BYTES;
  }
}

function checkDirectory(directory: string): 'empty' | 'whole' {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (existsSync(directory)) throw damaged(directory, 'it is no directory');
    throw storeError(error);
  }
  if (!statSync(directory).isDirectory()) throw damaged(directory, 'it is no directory');
  const file = inspectDataFile(join(directory, 'data.mdb'));
  if (file.state === 'damaged') throw damaged(directory, `data.mdb can't be read: ${file.reason}`);
  if (file.state === 'empty') {
    const foreign = readdirSync(directory).find(
      (name) => !['data.mdb', 'lock.mdb', 'lost+found'].includes(name),
    );
    if (foreign !== undefined) throw damaged(directory, `it has other files in it, such as ${foreign}`);
    return 'empty';
  }
  if (file.format === FORMAT) return 'whole';
  if (file.format?.startsWith(`${FORMAT_NAME} `)) {
    throw damaged(directory, `it has the format '${file.format}', this version reads '${FORMAT}'`);
  }
  throw damaged(directory, 'data.mdb is of another program');
}

function damaged(directory: string, what: string): StoreError {
  return new StoreError('damaged', `${directory} is not a store that can be opened: ${what}`);
}

/** The new file must still have its name after a power failure. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const MDB_DAMAGED = [-30797, -30796, -30794, -30793];
const MDB_MAP_FULL = -30792;
const NO_ROOM = [MDB_MAP_FULL, 28, 122, 'ENOSPC', 'EDQUOT'];

/** What LMDB or the operating system says, in the store's words. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = 0, message } = error as { code?: number | string; message: string };
  if (NO_ROOM.includes(code)) return new StoreError('full', 'there is no room left', { cause: error });
  const reason = MDB_DAMAGED.includes(Number(code)) ? 'damaged' : 'failed';
  return new StoreError(reason, `the store's files can't be used: ${message}`, { cause: error });
}
