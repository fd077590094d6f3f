// A Protobuf message to the tree its JSON would be read as. Closures compiled from the schema follow the Go code that
// is generated for each message: what comes twice is merged, unknown fields are skipped, errors have its words.
//
// Fields that hold zero and are no pointers are left out, as JSON leaves them out. Text keeps the bytes
// that aren't UTF-8.
import { printFloat } from '../json/number.ts';
import { JsonSyntaxError } from '../json/syntax.ts';
import { keepBadBytes } from '../json/text.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { readTag, wrongWire } from './envelope.ts';
import { type OwnTexts, PrintError, readOwn } from './own-values.ts';
import type { Form, Message, MessageField, OwnName } from './schema.ts';
import { LENGTH_DELIMITED, ProtobufError, unexpectedEnd, WireReader } from './wire.ts';
import { wireOf } from './zero.ts';

/** Messages within messages. Only JSON schemas nest without end; the stack bears ten times this. */
export const MESSAGE_DEPTH_LIMIT = 600;

/** @throws ProtobufError; JsonSyntaxError when nothing but raw JSON is wrong */
export function readMessage(message: Message, bytes: Uint8Array, texts: OwnTexts): JsonObject {
  const object: JsonObject = new Map();
  const run: Run = { reader: new WireReader(bytes), texts, depth: 0, laterError: undefined };
  fieldsReader(message)(run, object);
  if (run.laterError !== undefined) throw run.laterError;
  return object;
}

type Run = {
  reader: WireReader;
  texts: OwnTexts;
  depth: number;
  /** Raw JSON that is none, say: the reference has read the whole message before it finds out. */
  laterError: JsonSyntaxError | PrintError | undefined;
};

/** Reads fields up to the reader's end into an object. */
type ReadFields = (run: Run, object: JsonObject) => void;

/** Reads one value, behind its tag. undefined: zero. `previous`: what the field holds from before. */
type Read = (run: Run, previous: JsonValue | undefined) => JsonValue | undefined;

const compiled = new WeakMap<Message, ReadFields>();

function fieldsReader(message: Message): ReadFields {
  let read = compiled.get(message);
  if (read === undefined) {
    read = compileFields(message);
    compiled.set(message, read);
  }
  return read;
}

function compileFields(message: Message): ReadFields {
  // Compiled when first used: messages may contain themselves.
  let readers: Map<number, (run: Run, wire: number, object: JsonObject) => void> | undefined;
  return (run, object) => {
    readers ??= new Map(message.fields.map((field) => [field.number, fieldReader(field)]));
    const { reader } = run;
    while (reader.at < reader.end) {
      const before = reader.at;
      const { number, wire } = readTag(reader, message.name);
      const read = readers.get(number);
      if (read === undefined) {
        reader.at = before;
        reader.skip();
      } else {
        read(run, wire, object);
      }
    }
  };
}

function fieldReader(field: MessageField): (run: Run, wire: number, object: JsonObject) => void {
  const { json, go, form } = field;
  if (form.kind === 'list') return listReader(field, form.element);
  if (form.kind === 'map') return mapReader(field, form.value);
  const expected = wireOf(form);
  if (json === '' && form.kind === 'message') {
    const readPart = fieldsReader(form.message);
    return (run, wire, object) => {
      if (wire !== expected) throw wrongWire(wire, go);
      within(run, () => readPart(run, object));
    };
  }
  const read = valueReader(form);
  const pointed = field.nullIsZero === true ? SHOWN_NULL : (zeroValue(form) ?? undefined);
  const zero = field.pointer ? pointed : undefined;
  return (run, wire, object) => {
    if (wire !== expected) throw wrongWire(wire, go);
    const value = read(run, object.get(json)) ?? zero;
    if (value === undefined) object.delete(json);
    else object.set(json, value);
  };
}

/** A null that is printed: where a member isn't there, nothing is. */
const SHOWN_NULL = new JsonNumber('null');

/** What stands for a zero that must be said: behind a pointer, in a list, in a map. */
function zeroValue(form: Form): JsonValue {
  switch (form.kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return new JsonNumber('0');
    default:
      return null;
  }
}

/** Numbers come one by one, or packed behind one length. */
function listReader(
  field: MessageField,
  element: Form,
): (run: Run, wire: number, object: JsonObject) => void {
  const read = valueReader(element);
  const zero = zeroValue(element);
  const expected = wireOf(element);
  return (run, wire, object) => {
    const old = object.get(field.json);
    const items: JsonValue[] = Array.isArray(old) ? old : [];
    if (wire === expected) {
      items.push(read(run, undefined) ?? zero);
    } else if (wire === LENGTH_DELIMITED) {
      within(run, () => {
        while (run.reader.at < run.reader.end) items.push(read(run, undefined) ?? zero);
      });
    } else {
      throw wrongWire(wire, field.go);
    }
    object.set(field.json, items);
  };
}

/** Go doesn't look at the wire types within an entry, and lets its parts reach behind it. */
function mapReader(field: MessageField, form: Form): (run: Run, wire: number, object: JsonObject) => void {
  const read = valueReader(form);
  const zero = zeroEntry(form);
  return (run, wire, object) => {
    if (wire !== LENGTH_DELIMITED) throw wrongWire(wire, field.go);
    const { reader } = run;
    const stop = reader.delimited();
    let key = '';
    let value: JsonValue | undefined;
    while (reader.at < stop) {
      const before = reader.at;
      reader.varint();
      const number = (reader.high << 29) | (reader.low >>> 3) | 0;
      if (number === 1) {
        key = readText(reader);
      } else if (number === 2) {
        value = read(run, undefined);
      } else {
        reader.at = before;
        reader.skip();
        if (reader.at > stop) throw unexpectedEnd();
      }
    }
    reader.at = stop;
    const old = object.get(field.json);
    const entries: JsonObject = old instanceof Map ? old : new Map();
    entries.set(key, value ?? zero());
    object.set(field.json, entries);
  };
}

function zeroEntry(form: Form): () => JsonValue {
  if (form.kind === 'message') return () => new Map();
  return form.kind === 'wrapped' ? () => [] : () => zeroValue(form);
}

function valueReader(form: Form): Read {
  switch (form.kind) {
    case 'string':
      return ({ reader }) => readText(reader) || undefined;
    case 'bytes':
      return ({ reader }) => readBytes(reader).toString('base64');
    case 'bool':
      return ({ reader }) => {
        reader.varint();
        return (reader.low | reader.high) !== 0 || undefined;
      };
    case 'int32':
      return ({ reader }) => {
        reader.varint();
        return reader.low === 0 ? undefined : new JsonNumber(String(reader.low | 0));
      };
    case 'int64':
      return ({ reader }) => {
        reader.varint();
        return (reader.low | reader.high) === 0 ? undefined : new JsonNumber(reader.signed().toString());
      };
    case 'double':
      return ({ reader }) => readDouble(reader);
    case 'message': {
      let read: ReadFields | undefined;
      return (run, previous) => {
        read ??= fieldsReader(form.message);
        const object: JsonObject = previous instanceof Map ? previous : new Map();
        within(run, () => read!(run, object));
        return object;
      };
    }
    case 'own':
      return (run) => within(run, () => readOwnOrKeepError(form.name, run));
    case 'wrapped': {
      const readItems = listReader({ number: 1, json: '', go: 'Items', form, pointer: false }, form.element);
      const read = compileWrapped(form.name, readItems);
      return (run) => within(run, () => read(run));
    }
    case 'either':
      return eitherReader(form.name, form.object, form.other);
    default:
      throw new TypeError(`${form.kind} in a list or map`);
  }
}

function readOwnOrKeepError(name: OwnName, run: Run): JsonValue | undefined {
  try {
    return readOwn(name, run.reader, run.texts);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof PrintError)) throw error;
    run.laterError ??= error;
    return undefined;
  }
}

function compileWrapped(
  name: string,
  readItems: (run: Run, wire: number, object: JsonObject) => void,
): (run: Run) => JsonValue | undefined {
  return (run) => {
    const holder: JsonObject = new Map();
    while (run.reader.at < run.reader.end) {
      const before = run.reader.at;
      const { number, wire } = readTag(run.reader, name);
      if (number === 1) {
        readItems(run, wire, holder);
      } else {
        run.reader.at = before;
        run.reader.skip();
      }
    }
    return holder.get('') ?? [];
  };
}

/** The object if there is one, else the other. */
function eitherReader(name: string, object: MessageField, other: MessageField): Read {
  const read = fieldsReader({ name, fields: [named(object), named(other)] });
  return (run) => {
    const parts: JsonObject = new Map();
    within(run, () => read(run, parts));
    const value = parts.get(object.go) ?? parts.get(other.go);
    return value ?? (other.form.kind === 'bool' ? false : undefined);
  };
}

/** Their JSON names are empty, which would mean something else here. */
function named(field: MessageField): MessageField {
  return { ...field, json: field.go };
}

/** Runs `read` on the part whose length comes next, and no further. */
function within<Value>(run: Run, read: () => Value): Value {
  const { reader } = run;
  const outer = reader.end;
  reader.end = reader.delimited();
  if (++run.depth > MESSAGE_DEPTH_LIMIT) throw new ProtobufError('proto: messages nest too deep');
  const value = read();
  run.depth--;
  reader.at = reader.end;
  reader.end = outer;
  return value;
}

function readBytes(reader: WireReader): Buffer {
  const stop = reader.delimited();
  const start = reader.at;
  reader.at = stop;
  const { bytes } = reader;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, stop - start);
}

function readText(reader: WireReader): string {
  return keepBadBytes(readBytes(reader));
}

function readDouble(reader: WireReader): JsonValue | undefined {
  if (reader.at + 8 > reader.end) throw unexpectedEnd();
  const { bytes } = reader;
  const value = Buffer.from(bytes.buffer, bytes.byteOffset + reader.at, 8).readDoubleLE();
  reader.at += 8;
  if (Number.isFinite(value)) return Object.is(value, 0) ? undefined : new JsonNumber(printFloat(value));
  throw new ProtobufError(
    `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
  );
}
