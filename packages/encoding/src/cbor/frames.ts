// The frames of a CBOR watch (application/cbor-seq, RFC 8742): events behind each other, each ends where its item ends.
//
//   d9d9f7 a2 "type" "ADDED" "object" d9d9f7 a3 …     the object within has the tag as well
import { ByteWriter } from '../json/writer.ts';
import { headOf, MAJOR, SELF_DESCRIBED } from './wire.ts';

/** @param object a whole object, as encodeCbor() gives it. */
export function cborFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = new ByteWriter(object.length + FRAME_BYTES);
  writer.bytes(SELF_DESCRIBED).bytes(headOf(MAJOR.map, 2));
  writer.bytes(byteString('type')).bytes(byteString(type)).bytes(byteString('object')).bytes(object);
  return writer.take();
}

/** More than what stands around the object. */
const FRAME_BYTES = 48;

function byteString(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return Buffer.concat([headOf(MAJOR.bytes, bytes.length), bytes]);
}
