// A watch as Protobuf: each event is a length of four bytes and a WatchEvent that holds an enveloped object.
//
//   length │ 0a type │ 12 length │ 0a length │ k8s\0 … the object as a whole body … 1a 00 22 00
import { ByteWriter } from '../json/writer.ts';
import { delimited, ENVELOPE_TAIL, envelopeHead, header, type ProtobufType } from './envelope.ts';
import { framedSize } from './list.ts';

const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;
const LENGTH_BYTES = 4;

/** @param body a whole Protobuf body: an object or a Status in its envelope. */
export function watchFrame(event: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([frameHead(event, body.length), body]);
}

/** The same around a message that has no envelope yet. */
export function watchFrameOf(event: string, type: ProtobufType, message: Uint8Array): Uint8Array {
  const head = envelopeHead(type, message.length);
  const size = head.length + message.length + ENVELOPE_TAIL.length;
  return Buffer.concat([frameHead(event, size), head, message, ENVELOPE_TAIL]);
}

function frameHead(event: string, bodySize: number): Uint8Array {
  const writer = delimited(new ByteWriter(), FIELD_1, Buffer.from(event));
  writer.bytes(header(FIELD_2, framedSize(bodySize))).bytes(header(FIELD_1, bodySize));
  const fields = writer.take();
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(fields.length + bodySize);
  return Buffer.concat([length, fields]);
}
