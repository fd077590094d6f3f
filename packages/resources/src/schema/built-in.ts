// The codec of built-in kinds: bodies into normal form by the field tables, and back into bytes in struct order.
import { decodeText, type JsonObject, JsonReader, type JsonValue, printJson } from '@sluice/encoding';
import { type ApiObject, type Codec, type Decoded, DecodeError, type Halves } from '../kind.ts';
import { structDecoder } from './decoder.ts';
import { fieldsOf } from './field-table.ts';
import { REVISION_GAP, structPrinter } from './printer.ts';
import { cannotConvert, typeInSchemeOf, unknownKind } from './scheme.ts';
import { Session } from './session.ts';
import { groupVersionText, readTypeMeta, type TypeMeta, withDefaults } from './type-meta.ts';

/** @param typeName a struct of the field tables, `core/v1.Pod`. */
export function builtInCodec(typeName: string, kind: TypeMeta): Codec {
  const decodeStruct = structDecoder(typeName);
  const print = structPrinter(typeName, {
    sorted: false,
    emptyIsNull: !STORED_AS_JSON.includes(kind.group),
    item: true,
  });
  const hasMetadata = fieldsOf(typeName).some((field) => field.json === 'metadata');
  const codec: Codec = {
    decode(body) {
      const { text, meta } = readTypeMeta(body);
      const found = withDefaults(meta, kind);
      const session = new Session(new JsonReader(text), found);
      if (found.version === '')
        throw new DecodeError(`Object 'apiVersion' is missing in '${decodeText(body)}'`, found);
      if (found.kind !== kind.kind || found.version !== kind.version || found.group !== kind.group) {
        throw otherKind(session, found, kind);
      }
      const decoded = run(session, decodeStruct);
      if (hasMetadata && !decoded.object.has('metadata')) decoded.object.set('metadata', new Map());
      return decoded;
    },
    decodeValue(value) {
      return codec.decode(printJson(value));
    },
    encode(object) {
      return halves(print(object));
    },
    read(item) {
      const session = new Session(new JsonReader(decodeText(item)));
      const object: ApiObject = new Map<string, JsonValue>([
        ['kind', kind.kind],
        ['apiVersion', groupVersionText(kind)],
      ]);
      decodeStruct(session, object);
      return object;
    },
  };
  return codec;
}

/** The reference stores these groups' objects as JSON, all others as Protobuf. */
const STORED_AS_JSON: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Cuts printed text where the digits of its resourceVersion go; what has none (a DeleteOptions) is all head. */
export function halves(text: string): Halves {
  const gap = text.indexOf(REVISION_GAP);
  if (gap < 0) return { head: Buffer.from(text), tail: new Uint8Array() };
  return { head: Buffer.from(text.slice(0, gap)), tail: Buffer.from(text.slice(gap + 1)) };
}

function run(session: Session, decodeStruct: ReturnType<typeof structDecoder>): Decoded {
  const object = (decodeStruct(session, undefined) ?? new Map()) as JsonObject;
  session.finish();
  return { object, strictErrors: session.strictErrors };
}

/** A body of another kind is read first: only what can be read can fail to be converted. */
function otherKind(session: Session, found: TypeMeta, expected: TypeMeta): DecodeError {
  const type = typeInSchemeOf(expected, found);
  if (type === undefined) return unknownKind(found);
  if (type !== '') run(session, structDecoder(type));
  return cannotConvert(found, expected);
}
