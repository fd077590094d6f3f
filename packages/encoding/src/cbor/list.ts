// What stands around a list's items in CBOR. Its keys are sorted like all keys, so `items` is in their midst.
//
//   d9d9f7 a4 "kind" "PodList"  "items" 9a0001d4c0 ┆ item item … ┆ "metadata" {…}  "apiVersion" "v1"
//   └── head ──────────────────────────────────────┘             └── tail ──────────────────────────┘
import { eachMember } from '../json/member.ts';
import { ByteWriter } from '../json/writer.ts';
import { encodeCborItem } from './value.ts';
import { headOf, MAJOR, NULL, SELF_DESCRIBED } from './wire.ts';

/**
 * @param envelope the list's other members as compact JSON: `{"kind":…,"apiVersion":…,"metadata":{…}}`.
 * @param count how many items follow; null: the list has none to show, not even an empty array.
 */
export function cborListHead(envelope: Uint8Array, count: number | null): Uint8Array {
  const members = encodedMembers(envelope);
  const writer = new ByteWriter().bytes(SELF_DESCRIBED).bytes(headOf(MAJOR.map, members.length + 1));
  for (const { key, value } of members) if (isBeforeItems(key)) writer.bytes(key).bytes(value);
  writer.bytes(ITEMS).bytes(count === null ? Uint8Array.of(NULL) : headOf(MAJOR.array, count));
  return writer.take();
}

export function cborListTail(envelope: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  for (const { key, value } of encodedMembers(envelope)) {
    if (!isBeforeItems(key)) writer.bytes(key).bytes(value);
  }
  return writer.take();
}

type Member = { key: Uint8Array; value: Uint8Array };

const ITEMS = encoded(Buffer.from('"items"'));

function encodedMembers(envelope: Uint8Array): Member[] {
  const members: Member[] = [];
  eachMember(envelope, 0, (keyStart, keyEnd, valueStart, valueEnd) => {
    const key = encoded(envelope.subarray(keyStart - 1, keyEnd + 1));
    members.push({ key, value: encoded(envelope.subarray(valueStart, valueEnd)) });
    return true;
  });
  return members.sort((left, right) => Buffer.compare(left.key, right.key));
}

function isBeforeItems(key: Uint8Array): boolean {
  return Buffer.compare(key, ITEMS) < 0;
}

function encoded(json: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  encodeCborItem(json, writer);
  return writer.take();
}
