// Reads Kubernetes' messages with a JSON form of their own: the other way of own-forms.ts.
import { keepBadBytes } from '../json/text.ts';
import { JsonNumber, type JsonValue } from '../json/value.ts';
import { readTag, wrongWire } from './envelope.ts';
import type { OwnName } from './schema.ts';
import { LENGTH_DELIMITED, ProtobufError, VARINT, type WireReader } from './wire.ts';

/** What a caller knows better: canonical spelling, and what JSON that is kept as it came becomes in a tree. */
export type OwnTexts = {
  quantity: (text: string) => string;
  duration: (nanoseconds: bigint) => string;
  raw: (json: Uint8Array, name: OwnName) => JsonValue;
};

/** What Go finds only when it prints what it read. */
export class PrintError extends ProtobufError {}

/** Reads up to the reader's end. undefined: zero. */
export function readOwn(name: OwnName, reader: WireReader, texts: OwnTexts): JsonValue | undefined {
  switch (name) {
    case 'Time':
    case 'MicroTime': {
      if (reader.at === reader.end) return undefined;
      const [seconds, nanos] = readParts(reader, TIMESTAMP);
      return timeText(integer(seconds), name === 'MicroTime' ? integer(nanos) : undefined);
    }
    case 'Duration':
      return texts.duration(integer(readParts(reader, DURATION)[0]));
    case 'Quantity': {
      // One that comes twice must be right both times.
      let quantity = '0';
      readParts(reader, QUANTITY, (text) => {
        quantity = texts.quantity(textOf(text));
      });
      return quantity;
    }
    case 'IntOrString': {
      const [type, number, text] = readParts(reader, INT_OR_STRING);
      if (integer(type) === 1n) return textOf(text);
      if (integer(type) !== 0n) throw new PrintError('impossible IntOrString.Type');
      return new JsonNumber(String(BigInt.asIntN(32, integer(number))));
    }
    case 'RawExtension':
    case 'FieldsV1':
    case 'JSON': {
      const [raw] = readParts(reader, { name, fields: [{ go: 'Raw', wire: LENGTH_DELIMITED }] });
      return raw instanceof Uint8Array && raw.length > 0 ? texts.raw(raw, name) : undefined;
    }
  }
}

/** Fields 1, 2, … of a message. */
type Parts = { name: string; fields: readonly { go: string; wire: number }[] };

const TIMESTAMP: Parts = {
  name: 'Timestamp',
  fields: [
    { go: 'Seconds', wire: VARINT },
    { go: 'Nanos', wire: VARINT },
  ],
};
const DURATION: Parts = { name: 'Duration', fields: [{ go: 'Duration', wire: VARINT }] };
const QUANTITY: Parts = { name: 'Quantity', fields: [{ go: 'String_', wire: LENGTH_DELIMITED }] };
const INT_OR_STRING: Parts = {
  name: 'IntOrString',
  fields: [
    { go: 'Type', wire: VARINT },
    { go: 'IntVal', wire: VARINT },
    { go: 'StrVal', wire: LENGTH_DELIMITED },
  ],
};

type Part = bigint | Uint8Array | undefined;

function readParts(reader: WireReader, { name, fields }: Parts, onText?: (text: Uint8Array) => void): Part[] {
  const parts: Part[] = [];
  while (reader.at < reader.end) {
    const before = reader.at;
    const { number, wire } = readTag(reader, name);
    const field = fields[number - 1];
    if (field === undefined) {
      reader.at = before;
      reader.skip();
    } else if (wire !== field.wire) {
      throw wrongWire(wire, field.go);
    } else if (wire === VARINT) {
      reader.varint();
      parts[number - 1] = reader.signed();
    } else {
      const stop = reader.delimited();
      const text = reader.bytes.subarray(reader.at, stop);
      parts[number - 1] = text;
      onText?.(text);
      reader.at = stop;
    }
  }
  return parts;
}

function integer(part: Part): bigint {
  return typeof part === 'bigint' ? part : 0n;
}

function textOf(part: Part): string {
  return part instanceof Uint8Array ? keepBadBytes(part) : '';
}

/** RFC 3339 in UTC, with six digits of a second when there are nanoseconds. undefined: Go's zero time. */
function timeText(seconds: bigint, nanos: bigint | undefined): string | undefined {
  const allMicros = seconds * MICROS + BigInt.asIntN(32, nanos ?? 0n) / 1000n;
  const wholeSeconds = floorDivide(allMicros, MICROS);
  const micros = allMicros - wholeSeconds * MICROS;
  if (wholeSeconds === ZERO_TIME_SECONDS && micros === 0n) return undefined;
  // Years that JavaScript's dates don't have are counted in eras from one it has.
  const eras = floorDivide(wholeSeconds, ERA_SECONDS);
  const text = new Date(Number(wholeSeconds - eras * ERA_SECONDS) * 1000).toISOString();
  const year = BigInt(text.slice(0, 4)) + eras * 400n;
  const digits = `${year < 0n ? '-' : ''}${String(year < 0n ? -year : year).padStart(4, '0')}`;
  const fraction = nanos === undefined ? '' : `.${String(micros).padStart(6, '0')}`;
  return `${digits}${text.slice(4, 19)}${fraction}Z`;
}

const MICROS = 1_000_000n;
/** 400 years have as many days, always. */
const ERA_SECONDS = 146_097n * 86_400n;
/** The first of January in year 1. */
const ZERO_TIME_SECONDS = -62_135_596_800n;

function floorDivide(value: bigint, by: bigint): bigint {
  return value >= 0n ? value / by : -((by - 1n - value) / by);
}
