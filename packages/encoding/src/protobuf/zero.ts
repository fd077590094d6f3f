// What stands in a message for a field that JSON leaves out: most are written though they are zero.
import { OWN_FORMS } from './own-forms.ts';
import type { Form, Message, MessageField } from './schema.ts';
import { FIXED64, LENGTH_DELIMITED, tagOf, VARINT, WireWriter } from './wire.ts';

const NOTHING = new Uint8Array();
const SMALL_BYTES = 64;

/** The field with its tag; empty when it is left out. */
export function zeroField(field: MessageField): Uint8Array {
  return field.pointer || field.form.kind === 'wrapped' ? NOTHING : zeroElement(field.number, field.form);
}

/** The same for what isn't there in a list or map. */
export function zeroElement(number: number, form: Form): Uint8Array {
  const payload = zeroPayload(form);
  if (payload === undefined) return NOTHING;
  const writer = new WireWriter(SMALL_BYTES);
  writer.varint(tagOf(number, wireOf(form)));
  writer.copy(payload, 0, payload.length);
  return Uint8Array.from(writer.buffer.subarray(0, writer.length));
}

export function wireOf(form: Form): number {
  switch (form.kind) {
    case 'bool':
    case 'int32':
    case 'int64':
      return VARINT;
    case 'double':
      return FIXED64;
    default:
      return LENGTH_DELIMITED;
  }
}

function zeroPayload(form: Form): Uint8Array | undefined {
  switch (form.kind) {
    case 'list':
    case 'map':
    case 'bytes':
      return undefined;
    case 'double':
      return new Uint8Array(8);
    case 'message':
      return delimited(zeroBody(form.message));
    case 'own':
      return delimited(OWN_FORMS[form.name].zero);
    case 'either':
      return delimited(join([zeroField(form.object), zeroField(form.other)]));
    default:
      return Uint8Array.of(0);
  }
}

function zeroBody(message: Message): Uint8Array {
  const fields = [...message.fields].sort((left, right) => left.number - right.number);
  return join(fields.map(zeroField));
}

function delimited(body: Uint8Array): Uint8Array {
  const writer = new WireWriter(SMALL_BYTES);
  writer.varint(body.length);
  writer.copy(body, 0, body.length);
  return writer.buffer.subarray(0, writer.length);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
