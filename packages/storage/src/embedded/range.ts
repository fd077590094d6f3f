// Reads every entry below a prefix, a batch each turn of the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { prefixEnd } from '../keys.ts';
import { closed } from '../refusals.ts';
import type { Entry, Key } from '../store.ts';
import { decodeHead, decodeKey } from './records.ts';
import type { Snapshot } from './snapshot.ts';

const BATCH_LIMIT_BYTES = 1024 * 1024;
const BATCH_LIMIT_ENTRIES = 1000;
/** Entries are looked up before their values are: of large ones few fit, so no more are than the last batch held, twice. */
const FIRST_BATCH_ENTRIES = 32;
/** A batch that leaves more of its memory unused is moved to memory of its size. */
const WASTE_LIMIT_BYTES = 256 * 1024;

/**
 * Yields entries in key order. The values of a batch lie in one ArrayBuffer of at most 1 MiB (or one value's size),
 * copied there from LMDB's map once: who keeps one of them keeps its batch. Releases the snapshot in the end.
 */
export async function* rangeBatches(
  snapshot: Snapshot,
  prefix: Key,
  isOpen: () => boolean,
): AsyncGenerator<readonly Entry[]> {
  try {
    const end = prefixEnd(prefix);
    let limit = FIRST_BATCH_ENTRIES;
    for (let start: Key | undefined = prefix; start !== undefined; ) {
      if (!isOpen()) throw closed();
      const batch: Batch = readBatch(snapshot, start, end, limit);
      if (batch.entries.length > 0) yield batch.entries;
      start = batch.next;
      limit = Math.min(2 * batch.entries.length + 1, BATCH_LIMIT_ENTRIES);
      await nextTurn();
    }
  } finally {
    snapshot.release();
  }
}

/** `next`: where the following batch starts; undefined after the last one. */
type Batch = { entries: Entry[]; next: Key | undefined };

function readBatch(snapshot: Snapshot, start: Key, end: Key | undefined, limit: number): Batch {
  const found = snapshot.currentFrom(start, end, limit);
  const places: { entry: Entry; from: number; to: number }[] = [];
  let memory = Buffer.alloc(0);
  let used = 0;
  let next: Key | undefined;
  for (const { key: bytes, modRevision, createRevision } of found) {
    const key = decodeKey(bytes);
    const record = snapshot.record(modRevision);
    const { valueStart } = decodeHead(record);
    const length = record.length - valueStart;
    if (places.length === 0) memory = Buffer.allocUnsafeSlow(Math.max(BATCH_LIMIT_BYTES, length));
    if (used + length > memory.length) {
      next = key;
      break;
    }
    memory.set(record.subarray(valueStart), used);
    places.push({
      entry: { key, value: memory, createRevision, modRevision },
      from: used,
      to: used + length,
    });
    used += length;
  }
  if (next === undefined && found.length === limit) {
    next = `${places.at(-1)!.entry.key}\0`;
  }
  if (memory.length - used > WASTE_LIMIT_BYTES) memory = Buffer.from(memory.subarray(0, used));
  const entries = places.map(({ entry, from, to }) => ({ ...entry, value: memory.subarray(from, to) }));
  return { entries, next };
}
