// What a whole Protobuf body is wrapped in: `k8s\0` and a runtime.Unknown that says of what kind the message is.
import { keepBadBytes } from '../json/text.ts';
import { ByteWriter } from '../json/writer.ts';
import { END_GROUP, LENGTH_DELIMITED, ProtobufError, putVarint, VARINT_BYTES, WireReader } from './wire.ts';

export type ProtobufType = { apiVersion: string; kind: string };

/** Behind the message: the fields contentEncoding and contentType, both empty. */
export const ENVELOPE_TAIL: Uint8Array = Uint8Array.of(0x1a, 0, 0x22, 0);

const PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0);
const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;

/** All that stands before a message of `size` bytes. */
export function envelopeHead(type: ProtobufType, size: number): Uint8Array {
  const typeMeta = delimited(new ByteWriter(), FIELD_1, Buffer.from(type.apiVersion));
  delimited(typeMeta, FIELD_2, Buffer.from(type.kind));
  const head = delimited(new ByteWriter().bytes(PREFIX), FIELD_1, typeMeta.take());
  return head.bytes(header(FIELD_2, size)).take();
}

export function enclose(type: ProtobufType, message: Uint8Array): Uint8Array {
  return Buffer.concat([envelopeHead(type, message.length), message, ENVELOPE_TAIL]);
}

/** A tag (below 128) and a length, or another varint. */
export function header(tag: number, size: number): Uint8Array {
  const bytes = new Uint8Array(1 + VARINT_BYTES);
  bytes[0] = tag;
  return bytes.subarray(0, putVarint(bytes, 1, size));
}

export function delimited(writer: ByteWriter, tag: number, bytes: Uint8Array): ByteWriter {
  return writer.bytes(header(tag, bytes.length)).bytes(bytes);
}

/**
 * A body's kind, and the message in it (a view of the body).
 * @throws ProtobufError
 */
export function openEnvelope(body: Uint8Array): ProtobufType & { message: Uint8Array } {
  if (body.length === 0) throw new ProtobufError('empty data');
  if (PREFIX.some((byte, at) => body[at] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    );
  }
  if (body.length === PREFIX.length) throw new ProtobufError('empty body');
  const type = { apiVersion: '', kind: '' };
  let message: Uint8Array = new Uint8Array();
  eachPart('Unknown', UNKNOWN_FIELDS, body.subarray(PREFIX.length), (number, part) => {
    if (number === 2) message = part;
    if (number !== 1) return;
    eachPart('TypeMeta', TYPE_META_FIELDS, part, (field, text) => {
      type[field === 1 ? 'apiVersion' : 'kind'] = keepBadBytes(text);
    });
  });
  return { ...type, message };
}

const UNKNOWN_FIELDS = ['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'];
const TYPE_META_FIELDS = ['APIVersion', 'Kind'];

/** The length-delimited fields of a message: the first of `fields` has number 1. */
function eachPart(
  name: string,
  fields: readonly string[],
  bytes: Uint8Array,
  visit: (number: number, part: Uint8Array) => void,
): void {
  const reader = new WireReader(bytes);
  while (reader.at < reader.end) {
    const before = reader.at;
    const { number, wire } = readTag(reader, name);
    const field = fields[number - 1];
    if (field === undefined) {
      reader.at = before;
      reader.skip();
      continue;
    }
    if (wire !== LENGTH_DELIMITED) throw wrongWire(wire, field);
    const end = reader.delimited();
    visit(number, bytes.subarray(reader.at, end));
    reader.at = end;
  }
}

/** @throws ProtobufError when it is no tag of a field of `message`. */
export function readTag(reader: WireReader, message: string): { number: number; wire: number } {
  reader.varint();
  const wire = reader.low & 7;
  const number = (reader.high << 29) | (reader.low >>> 3) | 0;
  if (wire === END_GROUP) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
  if (number <= 0) {
    throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${reader.unsigned()})`);
  }
  return { number, wire };
}

export function wrongWire(wire: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wire} for field ${field}`);
}
