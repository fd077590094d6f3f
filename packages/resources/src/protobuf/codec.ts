// Built-in kinds as Protobuf: items out, bodies in.
import {
  type ByteWriter,
  checkSyntax,
  decodeText,
  enclose,
  itemHead,
  JsonReader,
  JsonSyntaxError,
  type JsonValue,
  leadingMessageEncoder,
  messageEncoder,
  type OwnTexts,
  openEnvelope,
  ProtobufError,
  readMessage,
  readTree,
} from '@sluice/encoding';
import { type ApiObject, type Decoded, DecodeError } from '../kind.ts';
import { canonicalDuration } from '../schema/duration.ts';
import { canonicalQuantity } from '../schema/quantity.ts';
import { rawValue } from '../schema/raw.ts';
import { cannotConvert, typeInSchemeOf, typeOfKind, unknownKind } from '../schema/scheme.ts';
import { groupVersionText, parseGroupVersion, type TypeMeta } from '../schema/type-meta.ts';
import { respell } from '../schema/untyped.ts';
import { encodeStatus, type Status } from '../status.ts';
import { messageOf } from './messages.ts';

export type ProtobufCodec = {
  /** An object's JSON to its message, without envelope. Valid until any codec is used again. */
  message(json: Uint8Array): Uint8Array;
  /** An item of a list: its message behind tag and length. Gives the message's size. */
  encodeItem(item: Uint8Array, out: ByteWriter): number;
  /** A whole body. */
  encode(json: Uint8Array): Uint8Array;
  /**
   * Reads a request body into the normal form that the JSON codec reads bodies into.
   * @throws DecodeError with the reference decoder's own message.
   */
  decode(body: Uint8Array): Decoded;
};

/** undefined: the kind has no Protobuf form (custom resources, Table). */
export function protobufCodec(kind: TypeMeta & { custom?: boolean }): ProtobufCodec | undefined {
  const key = `${groupVersionText(kind)} ${kind.kind}`;
  const known = codecs.get(key);
  if (known !== undefined || kind.custom === true) return known;
  const typeName = typeOfKind(kind) ?? '';
  if (typeName === '' || WITHOUT_FORM.test(typeName)) return undefined;
  const codec = compileCodec(typeName, kind);
  codecs.set(key, codec);
  return codec;
}

const codecs = new Map<string, ProtobufCodec>();
const WITHOUT_FORM = /^meta\/v1(beta1)?\.Table/;

function compileCodec(typeName: string, { group, version, kind }: TypeMeta): ProtobufCodec {
  const message = messageEncoder(messageOf(typeName));
  const type = { apiVersion: groupVersionText({ group, version }), kind };
  return {
    message,
    encodeItem(item, out) {
      const body = message(item);
      out.bytes(itemHead(body.length)).bytes(body);
      return body.length;
    },
    encode(json) {
      return enclose(type, message(json));
    },
    decode(body) {
      return decodeBody(body, { group, version, kind }, typeName);
    },
  };
}

/** The message of a built-in object's PartialObjectMetadata, in any version. Valid until any codec is used again. */
export function partialMessage(item: Uint8Array): Uint8Array {
  encodePartial ??= leadingMessageEncoder(messageOf('meta/v1.PartialObjectMetadata'));
  return encodePartial(item);
}

let encodePartial: ((item: Uint8Array) => Uint8Array) | undefined;

/**
 * A body of DeleteOptions: every group version has them, all the same. Other than for objects, the reference tells
 * the message of what goes wrong as it is.
 * @throws DecodeError
 */
export function decodeDeleteOptions(body: Uint8Array): ApiObject {
  const { apiVersion, kind, message } = asDecodeError(() => openEnvelope(body));
  const found = withDefaults(apiVersion, kind, DELETE_OPTIONS);
  if (found.kind !== DELETE_OPTIONS.kind) throw unknownKind(found);
  return asDecodeError(() => readMessage(messageOf('meta/v1.DeleteOptions'), message, TEXTS), found);
}

const DELETE_OPTIONS: TypeMeta = { group: '', version: 'v1', kind: 'DeleteOptions' };

/** A refusal, or what answers a DELETE, as a whole body. */
export function encodeStatusProtobuf(status: Status): Uint8Array {
  return protobufCodec(STATUS)!.encode(encodeStatus(status));
}

const STATUS: TypeMeta = { group: '', version: 'v1', kind: 'Status' };

function decodeBody(body: Uint8Array, expected: TypeMeta, expectedType: string): Decoded {
  const { apiVersion, kind, message } = asDecodeError(() => openEnvelope(body));
  const found = withDefaults(apiVersion, kind, expected);
  const isExpected =
    found.group === expected.group && found.version === expected.version && found.kind === expected.kind;
  const typeName = isExpected ? expectedType : typeInSchemeOf(expected, found);
  if (typeName === undefined) throw unknownKind(found);
  // A body of another kind is read first: only what can be read can fail to be converted.
  const fields = asDecodeError(() => readMessage(messageOf(typeName), message, TEXTS), found);
  if (!isExpected) throw cannotConvert(found, expected);
  const object: ApiObject = new Map<string, JsonValue>([
    ['kind', found.kind],
    ['apiVersion', groupVersionText(found)],
    ...fields,
  ]);
  if (hasMetadata(typeName) && !object.has('metadata')) object.set('metadata', new Map());
  return { object, strictErrors: [] };
}

/** What a body leaves out is what was expected; an apiVersion that can't be read is as good as none. */
function withDefaults(apiVersion: string, kind: string, expected: TypeMeta): TypeMeta {
  let found = { group: '', version: '' };
  try {
    found = parseGroupVersion(apiVersion);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  const { group, version } = found.version === '' ? expected : found;
  return { group, version, kind: kind === '' ? expected.kind : kind };
}

function hasMetadata(typeName: string): boolean {
  return messageOf(typeName).fields.some((field) => field.json === 'metadata');
}

function asDecodeError<Value>(read: () => Value, found?: TypeMeta): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof JsonSyntaxError) {
      throw new DecodeError(error.message, found);
    }
    throw error;
  }
}

const TEXTS: OwnTexts = {
  quantity(text) {
    const result = canonicalQuantity(text);
    if ('error' in result) throw new ProtobufError(result.error);
    return result.text;
  },
  duration(nanoseconds) {
    const result = canonicalDuration(`${nanoseconds}ns`);
    if ('error' in result) throw new ProtobufError(result.error);
    return result.text;
  },
  raw(json, name) {
    checkSyntax(json);
    const text = decodeText(json);
    if (name !== 'JSON') return rawValue(text);
    return respell(readTree(new JsonReader(text)), (number) => {
      throw new ProtobufError(`json: cannot unmarshal number ${number} into Go value of type float64`);
    });
  },
};
