// Everything the store knew at one revision, read from LMDB's map into memory of its own.
import type { Entry, Key, Revision, StoreEvent } from '../store.ts';
import { StoreError } from '../store.ts';
import type { Database, ReadTransaction, Table } from './database.ts';
import {
  type CurrentRecord,
  DELETE,
  decodeCurrent,
  decodeHead,
  decodeRevision,
  encodeKey,
  encodeRevision,
  type RecordHead,
} from './records.ts';

export class Snapshot {
  readonly revision: Revision;
  readonly #database: Database;
  readonly #transaction: ReadTransaction;
  #holders = 1;

  constructor(database: Database, revision: Revision) {
    this.revision = revision;
    this.#database = database;
    this.#transaction = database.read();
  }

  hold(): Snapshot {
    this.#holders++;
    return this;
  }

  /** The last holder's release lets LMDB use the pages again. */
  release(): void {
    this.#holders--;
    if (this.#holders === 0 && this.#database.isOpen) this.#transaction.done();
  }

  current(key: Key): CurrentRecord | undefined {
    const record = this.#view(this.#database.tables.current, encodeKey(key));
    return record === undefined ? undefined : decodeCurrent(record);
  }

  entry(key: Key): Entry | undefined {
    const current = this.current(key);
    return current === undefined ? undefined : this.#entryAt(current.modRevision);
  }

  event(revision: Revision): StoreEvent {
    const { head, value } = this.#copy(revision);
    const { key, createRevision, previousRevision } = head;
    const entry = head.op === DELETE ? null : { key, value, createRevision, modRevision: revision };
    return {
      revision,
      key,
      entry,
      previous: previousRevision === 0n ? null : this.#entryAt(previousRevision),
    };
  }

  /** Revisions of events after `after` up to and with `last`, oldest first. */
  revisionsAfter(after: Revision, last: Revision, limit: number): Revision[] {
    const keys = this.#database.tables.revisions.getKeys({
      start: encodeRevision(after + 1n),
      end: encodeRevision(last + 1n),
      limit,
      transaction: this.#transaction,
    });
    return Array.from(keys, decodeRevision);
  }

  /** The keys from `start` to before `end`, with where their values are. */
  currentFrom(start: Key, end: Key | undefined, limit: number): (CurrentRecord & { key: Uint8Array })[] {
    const entries = this.#database.tables.current.getRange({
      start: start === '' ? Buffer.of(0) : encodeKey(start),
      ...(end === undefined ? {} : { end: encodeKey(end) }),
      limit,
      transaction: this.#transaction,
    });
    return Array.from(entries, ({ key, value }) => ({ key, ...decodeCurrent(value) }));
  }

  /** Valid until anything else is read, or the turn ends: the bytes lie in LMDB's map or in its one buffer. */
  record(revision: Revision): Uint8Array {
    const record = this.#view(this.#database.tables.revisions, encodeRevision(revision));
    if (record === undefined)
      throw new StoreError('damaged', `the record of revision ${revision} is missing`);
    return record;
  }

  #entryAt(revision: Revision): Entry {
    const { head, value } = this.#copy(revision);
    return { key: head.key, value, createRevision: head.createRevision, modRevision: revision };
  }

  #copy(revision: Revision): { head: RecordHead; value: Uint8Array } {
    const record = this.record(revision);
    const head = decodeHead(record);
    const value = Buffer.allocUnsafeSlow(record.length - head.valueStart);
    value.set(record.subarray(head.valueStart));
    return { head, value };
  }

  #view(table: Table, key: Uint8Array): Uint8Array | undefined {
    const found = table.getBinaryFast(key, { transaction: this.#transaction });
    // lmdb's one buffer has its length overwritten, which other typed array operations don't see.
    return found?.subarray(0, found.length);
  }
}
