// An object's compact JSON bytes into its Protobuf message, without a tree between: closures compiled from the schema
// read members in the order they are printed in, write each at once, and sort what Protobuf numbers otherwise.
import { skipValue } from '../json/member.ts';
import { type Members, membersWriter } from './members.ts';
import { ascii, OWN_FORMS, writeInteger } from './own-forms.ts';
import type { Form, Message, MessageField } from './schema.ts';
import { writeText } from './text.ts';
import { Transcoding, type Write } from './transcoding.ts';
import { LENGTH_DELIMITED, ProtobufError, tagOf, VARINT } from './wire.ts';
import { wireOf, zeroElement } from './zero.ts';

/**
 * The encoder of a message. What it gives is valid until the next call of any encoder.
 * Its input is what the codecs print: compact, members in order, values in canonical spelling. Members that the
 * message doesn't have (kind, apiVersion) are passed over.
 */
export function messageEncoder(message: Message): (json: Uint8Array) => Uint8Array {
  const members = membersOf(message);
  return encoder((run) => writeObject(members, run));
}

/** The same of an object whose first members are the message's: what stands behind them is not looked at. */
export function leadingMessageEncoder(message: Message): (json: Uint8Array) => Uint8Array {
  const members = membersOf(message);
  return encoder((run) => {
    openObject(run);
    members(run, true);
  });
}

function encoder(write: Write): (json: Uint8Array) => Uint8Array {
  return (json) => {
    const run = shared ?? new Transcoding();
    // Nobody else gets it while it is at work, and a run that threw is not used again.
    shared = undefined;
    run.start(json);
    write(run);
    if (run.buffer.length <= KEPT_BYTES) shared = run;
    return run.buffer.subarray(0, run.length);
  };
}

let shared: Transcoding | undefined;
/** A run with a larger buffer is let go. */
const KEPT_BYTES = 1024 * 1024;

const compiled = new WeakMap<Message, Members>();

function membersOf(message: Message): Members {
  let members = compiled.get(message);
  if (members === undefined) {
    members = membersWriter(message, fieldWriter);
    compiled.set(message, members);
  }
  return members;
}

function writeObject(members: Members, run: Transcoding): void {
  openObject(run);
  members(run, false);
  if (run.json[run.at] !== CLOSE_BRACE) throw new ProtobufError('an object without end');
  run.at++;
}

function openObject(run: Transcoding): void {
  if (run.json[run.at] !== OPEN_BRACE) throw new ProtobufError('an object was expected');
  run.at++;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const NULL = 0x6e;
const TRUE = 0x74;

function fieldWriter(field: MessageField): Write {
  const { number, form } = field;
  if (field.json !== '' || form.kind !== 'message') return valueWriter(number, form);
  const members = membersOf(form.message);
  return delimitedWriter(tagOf(number, LENGTH_DELIMITED), (run) => members(run, true));
}

function valueWriter(number: number, form: Form): Write {
  const tag = tagOf(number, wireOf(form));
  switch (form.kind) {
    case 'list':
      return listWriter(number, form.element);
    case 'map':
      return mapWriter(number, form.value);
    case 'message': {
      let members: Members | undefined;
      return delimitedWriter(tag, (run) => {
        members ??= membersOf(form.message);
        writeObject(members, run);
      });
    }
    case 'own':
      return delimitedWriter(tag, OWN_FORMS[form.name].write);
    case 'wrapped':
      return delimitedWriter(tag, listWriter(1, form.element));
    case 'either':
      return delimitedWriter(tag, eitherWriter(form.object, form.other));
    case 'string':
      return (run) => {
        run.open(tag, 0);
        writeText(run);
      };
    case 'int32':
    case 'int64':
      return (run) => {
        run.open(tag, 0);
        writeInteger(run);
      };
    case 'bool':
      return (run) => {
        const isTrue = run.json[run.at] === TRUE;
        run.open(tag, 1);
        run.buffer[run.length - 1] = isTrue ? 1 : 0;
        run.at += isTrue ? 4 : 5;
      };
    case 'double':
      return (run) => {
        const start = run.at;
        run.at = skipValue(run.json, start);
        run.open(tag, 8);
        run.buffer.writeDoubleLE(Number(ascii(run.json, start, run.at)), run.length - 8);
      };
    case 'bytes':
      return bytesWriter(tag);
  }
}

/** Lengths stand before what they measure: room is left for one as long as the last was. */
function delimitedWriter(tag: number, write: Write): Write {
  let last = 1;
  return (run) => {
    // Messages contain themselves: `last` may be another one's when this one is written.
    const lengthBytes = last;
    const start = run.open(tag, lengthBytes);
    write(run);
    last = run.close(start, lengthBytes);
  };
}

function listWriter(number: number, form: Form): Write {
  const write = valueWriter(number, form);
  const zero = zeroElement(number, form);
  return (run) => {
    const { json } = run;
    if (json[++run.at] === CLOSE_BRACKET) {
      run.at++;
      return;
    }
    for (;;) {
      if (json[run.at] === NULL) {
        run.copy(zero, 0, zero.length);
        run.at += 4;
      } else {
        write(run);
      }
      if (json[run.at++] !== COMMA) return;
    }
  };
}

/** Each entry is a message {1: key, 2: value}. JSON's keys are sorted as Protobuf's are: by their bytes. */
function mapWriter(number: number, form: Form): Write {
  const write = valueWriter(2, form);
  const zero = zeroElement(2, form);
  const writeKey = valueWriter(1, { kind: 'string' });
  const writeEntry = delimitedWriter(tagOf(number, LENGTH_DELIMITED), (run) => {
    writeKey(run);
    if (run.json[++run.at] === NULL) {
      run.copy(zero, 0, zero.length);
      run.at += 4;
    } else {
      write(run);
    }
  });
  return (run) => {
    const { json } = run;
    if (json[++run.at] !== QUOTE) {
      run.at++;
      return;
    }
    do writeEntry(run);
    while (json[run.at++] === COMMA);
  };
}

/** Base64 in JSON. */
function bytesWriter(tag: number): Write {
  return (run) => {
    const start = run.at + 1;
    const end = run.json.indexOf(QUOTE, start);
    const text = Buffer.from(run.json.buffer, run.json.byteOffset + start, end - start).toString('latin1');
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const size = (text.length / 4) * 3 - padding;
    run.open(tag, 0);
    run.varint(size);
    run.reserve(size);
    run.length += run.buffer.write(text, run.length, 'base64');
    run.at = end + 1;
  };
}

/** A bool that goes with objects says true beside them. */
function eitherWriter(object: MessageField, other: MessageField): Write {
  const writeWhole = fieldWriter(object);
  const writeOther = fieldWriter(other);
  const besides = Uint8Array.of(tagOf(other.number, VARINT), 1);
  return (run) => {
    if (run.json[run.at] !== OPEN_BRACE) {
      writeOther(run);
      return;
    }
    if (other.form.kind === 'bool') run.copy(besides, 0, besides.length);
    writeWhole(run);
  };
}
