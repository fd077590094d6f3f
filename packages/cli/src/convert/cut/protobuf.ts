// Takes the items out of a list in Protobuf: field 2 of the message in the envelope.
import { enclose, openEnvelope, type ProtobufType } from '@sluice/encoding';
import { type Range, readRanges, type Source } from '../source.ts';
import { type Cut, Window } from './cut.ts';

/** undefined: nothing that can be taken apart, or no Protobuf at all. */
export function cutProtobuf(source: Source): Cut | undefined {
  const window = new Window(source);
  const raw = lastField(window, { start: PREFIX_BYTES, end: source.size }, RAW_FIELD);
  if (raw === undefined) return undefined;
  const type = readType(source, raw);
  if (!type.kind.endsWith('List')) return undefined;
  const message = { start: raw.bodyStart, end: raw.end };
  const rest: Range[] = [];
  let count = 0;
  for (const field of fields(window, message)) {
    if (field === undefined) return undefined;
    if (field.isItem) count++;
    else rest.push(field);
  }
  return {
    frame: enclose(type, readRanges(source, rest)),
    count,
    *items() {
      for (const field of fields(window, message)) {
        if (field?.isItem) yield source.read(field.bodyStart, field.end);
      }
    },
  };
}

/** The envelope without its message. */
function readType(source: Source, raw: Range): ProtobufType {
  const around = [
    { start: 0, end: raw.start },
    { start: raw.end, end: source.size },
  ];
  const { apiVersion, kind } = openEnvelope(readRanges(source, around));
  return { apiVersion, kind };
}

/** `k8s\0`. */
const PREFIX_BYTES = 4;
const RAW_FIELD = 2;
const ITEMS_FIELD = 2;
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

type Field = Range & { number: number; isItem: boolean; bodyStart: number };

function lastField(window: Window, within: Range, number: number): Field | undefined {
  let found: Field | undefined;
  for (const field of fields(window, within)) {
    if (field === undefined) return undefined;
    if (field.number === number) found = field;
  }
  return found;
}

/** undefined: it is broken here. */
function* fields(window: Window, { start, end }: Range): Generator<Field | undefined, void> {
  for (let at = start; at < end; ) {
    const tag = varint(window, at);
    const length = tag && lengthOf(window, tag);
    if (!tag || !length || length.end > end) {
      yield undefined;
      return;
    }
    const number = Math.floor(tag.value / 8);
    const isItem = number === ITEMS_FIELD && tag.value % 8 === LENGTH_DELIMITED;
    yield { start: at, end: length.end, number, isItem, bodyStart: length.start };
    at = length.end;
  }
}

/** Where a field's value is. */
function lengthOf(window: Window, tag: Varint): Range | undefined {
  const start = tag.end;
  switch (tag.value % 8) {
    case VARINT: {
      const value = varint(window, start);
      return value && { start, end: value.end };
    }
    case FIXED_64:
      return { start, end: start + 8 };
    case FIXED_32:
      return { start, end: start + 4 };
    case LENGTH_DELIMITED: {
      const length = varint(window, start);
      return length && { start: length.end, end: length.end + length.value };
    }
  }
  return undefined;
}

type Varint = { value: number; end: number };

const VARINT_MAX_BYTES = 10;

function varint(window: Window, at: number): Varint | undefined {
  let value = 0;
  for (let place = 0; place < VARINT_MAX_BYTES; place++) {
    const byte = window.byte(at + place);
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * place);
    if (byte < 0x80) return { value, end: at + place + 1 };
  }
  return undefined;
}
