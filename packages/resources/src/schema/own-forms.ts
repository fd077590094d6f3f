// Types with a JSON form of their own: times, quantities, raw JSON and the either-or types of JSON schemas.
import { JsonNumber, type JsonValue, readTree } from '@sluice/encoding';
import { type Decode, structDecoder } from './decoder.ts';
import { canonicalQuantity } from './quantity.ts';
import { rawValue } from './raw.ts';
import { canonicalInteger } from './scalars.ts';
import type { Session } from './session.ts';
import { type Canonical, canonicalMicroTime, canonicalTime } from './time.ts';
import { respell } from './untyped.ts';

/** By type name. Null is not handled by them alone: a pointer takes it before they see it. */
export const OWN_DECODERS: Readonly<Record<string, Decode>> = {
  'meta/v1.Time': timeDecoder(canonicalTime),
  'meta/v1.MicroTime': timeDecoder(canonicalMicroTime),
  'resource.Quantity': decodeQuantity,
  'intstr.IntOrString': decodeIntOrString,
  'runtime.RawExtension': decodeRaw,
  'meta/v1.FieldsV1': decodeRaw,
  'apiextensions/v1.JSON': decodeJson,
  'apiextensions/v1.JSONSchemaPropsOrBool': decodeSchemaOrBool,
  'apiextensions/v1.JSONSchemaPropsOrArray': (session) =>
    decodeSchemaOr(session, () => decodeArray(session, decodeSchema)),
  'apiextensions/v1.JSONSchemaPropsOrStringArray': (session) =>
    decodeSchemaOr(session, () => decodeArray(session, decodeElementString)),
};

const SCHEMA = 'apiextensions/v1.JSONSchemaProps';
const QUOTE = 0x22;
const NULL = 0x6e;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function timeDecoder(canonical: (text: string) => Canonical): Decode {
  return (session: Session) => {
    const { reader } = session;
    const first = reader.peek();
    if (first === NULL) {
      reader.skip();
      return undefined;
    }
    if (first !== QUOTE) session.fail(session.mismatch(session.valueName(), 'string'));
    const result = canonical(reader.string());
    if ('error' in result) session.fail(result.error);
    return result.text ?? undefined;
  };
}

/** Go takes the text between the quotes as it stands, escapes and all; without quotes, whatever is there. */
function decodeQuantity(session: Session): JsonValue {
  const raw = session.reader.skip();
  if (raw === 'null') return '0';
  const result = canonicalQuantity((raw.startsWith('"') ? raw.slice(1, -1) : raw).trim());
  if ('error' in result) session.fail(result.error);
  return result.text;
}

function decodeIntOrString(session: Session, previous: JsonValue | undefined): JsonValue {
  const { reader } = session;
  if (reader.peek() === QUOTE) return reader.string();
  const value = session.valueName();
  if (value === 'null') {
    reader.skip();
    return previous instanceof JsonNumber ? previous : new JsonNumber('0');
  }
  if (value !== 'number') session.fail(session.mismatch(value, 'int32'));
  const text = reader.number();
  const canonical = canonicalInteger(text, 32);
  if (canonical === undefined) session.fail(session.mismatch(`number ${text}`, 'int32'));
  return new JsonNumber(canonical);
}

function decodeRaw(session: Session, previous: JsonValue | undefined): JsonValue | undefined {
  const raw = session.reader.skip();
  return raw === 'null' ? previous : rawValue(raw);
}

/** Go keeps the text and reads it when it converts the definition: numbers are respelled then. */
function decodeJson(session: Session, previous: JsonValue | undefined): JsonValue | undefined {
  const { reader } = session;
  if (reader.peek() !== NULL) {
    return respell(readTree(reader), (text) =>
      session.keepForLater(`json: cannot unmarshal number ${text} into Go value of type float64`),
    );
  }
  reader.skip();
  return previous;
}

function decodeSchemaOrBool(session: Session): JsonValue | undefined {
  const { reader } = session;
  if (reader.peek() === OPEN_BRACE) return decodeSchema(session);
  const raw = reader.skip();
  if (raw !== 'true' && raw !== 'false') session.fail('boolean or JSON schema expected');
  return raw === 'true';
}

/** What is neither a schema nor an array is taken for nothing at all. */
function decodeSchemaOr(session: Session, decodeOther: () => JsonValue): JsonValue | undefined {
  const first = session.reader.peek();
  if (first === OPEN_BRACE) return decodeSchema(session);
  if (first === OPEN_BRACKET) return decodeOther();
  session.reader.skip();
  return undefined;
}

function decodeSchema(session: Session): JsonValue {
  return session.inOwnDecoder(() => structDecoder(SCHEMA)(session, undefined)) ?? new Map();
}

function decodeArray(session: Session, decode: (session: Session) => JsonValue): JsonValue[] {
  const items: JsonValue[] = [];
  const { reader } = session;
  for (let more = reader.enter(); more; more = reader.more()) items.push(decode(session));
  return items;
}

function decodeElementString(session: Session): JsonValue {
  if (session.reader.peek() === QUOTE) return session.reader.string();
  session.inOwnDecoder(() => session.skipMismatch('string'));
  return '';
}
