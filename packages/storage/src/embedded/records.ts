// How the store's records are laid out, byte by byte. Changing anything here changes FORMAT.
import type { Key, Revision } from '../store.ts';

//  database    key                 value
//  revisions   revision            op 1 · create revision 8 · previous revision 8 · key length 2 · key · value
//  current     key                 mod revision 8 · create revision 8
//  meta        format              FORMAT
//              state               newest revision 8 · compacted revision 8
//              owner               which process has the store open (lock.ts)
//
// Numbers are big endian, so that revisions are appended at the right end of their tree. `previous revision` is
// what the key held before (0: nothing), so an event finds the entry it replaced, and compaction what it buried.

/** The first word tells what the file is, the second which layout. */
export const FORMAT = 'sluice-store 1';
export const FORMAT_NAME = 'sluice-store';

export const PUT = 1;
export const DELETE = 2;

export type RecordHead = {
  op: number;
  createRevision: Revision;
  previousRevision: Revision;
  key: Key;
  valueStart: number;
};

export type CurrentRecord = { modRevision: Revision; createRevision: Revision };

const FIXED_HEAD_BYTES = 19;

/** The record and, in its own memory, the value as a part of it. */
export function encodeRecord(
  head: Omit<RecordHead, 'valueStart'>,
  value: Uint8Array,
): { record: Buffer; value: Uint8Array } {
  const valueStart = FIXED_HEAD_BYTES + head.key.length;
  const record = Buffer.allocUnsafeSlow(valueStart + value.length);
  record[0] = head.op;
  record.writeBigUInt64BE(head.createRevision, 1);
  record.writeBigUInt64BE(head.previousRevision, 9);
  record.writeUInt16BE(head.key.length, 17);
  record.write(head.key, FIXED_HEAD_BYTES, 'latin1');
  record.set(value, valueStart);
  return { record, value: record.subarray(valueStart) };
}

export function decodeHead(record: Uint8Array): RecordHead {
  const valueStart = FIXED_HEAD_BYTES + (record[17]! << 8) + record[18]!;
  return {
    op: record[0]!,
    createRevision: readUint64(record, 1),
    previousRevision: readUint64(record, 9),
    key: decodeKey(record.subarray(FIXED_HEAD_BYTES, valueStart)),
    valueStart,
  };
}

export function encodeCurrent({ modRevision, createRevision }: CurrentRecord): Buffer {
  return twoRevisions(modRevision, createRevision);
}

export function decodeCurrent(record: Uint8Array): CurrentRecord {
  return { modRevision: readUint64(record, 0), createRevision: readUint64(record, 8) };
}

export type State = { revision: Revision; compacted: Revision };

export function encodeState({ revision, compacted }: State): Buffer {
  return twoRevisions(revision, compacted);
}

export function decodeState(record: Uint8Array): State {
  return { revision: readUint64(record, 0), compacted: readUint64(record, 8) };
}

export function encodeRevision(revision: Revision): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(revision);
  return bytes;
}

export function decodeRevision(bytes: Uint8Array): Revision {
  return readUint64(bytes, 0);
}

export function encodeKey(key: Key): Buffer {
  return Buffer.from(key, 'latin1');
}

export function decodeKey(bytes: Uint8Array): Key {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function twoRevisions(first: Revision, second: Revision): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigUInt64BE(first, 0);
  bytes.writeBigUInt64BE(second, 8);
  return bytes;
}

function readUint64(bytes: Uint8Array, at: number): bigint {
  const high = bytes[at]! * 0x1000000 + ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
  const low = bytes[at + 4]! * 0x1000000 + ((bytes[at + 5]! << 16) | (bytes[at + 6]! << 8) | bytes[at + 7]!);
  return (BigInt(high) << 32n) | BigInt(low);
}
