// The codec of custom resources: any JSON, cut to the shape its definition gives, printed with all keys sorted.
import {
  decodeText,
  type JsonObject,
  JsonReader,
  type JsonValue,
  printJson,
  printText,
  quote,
  readTree,
  sortedKeys,
} from '@sluice/encoding';
import { type Codec, DecodeError, type FoundKind } from '../kind.ts';
import { halves } from './built-in.ts';
import { structDecoder } from './decoder.ts';
import { structPrinter } from './printer.ts';
import { pathText, Session } from './session.ts';
import { applyDefaults, dropNulls, eachEmbedded, prune, type Shape } from './shape.ts';
import { groupVersionText, parseGroupVersion, readTypeMeta, type TypeMeta } from './type-meta.ts';
import { decodeUntyped } from './untyped.ts';

/** `shapeOf` is asked when the first body is read: a large schema takes its time. */
export function customCodec(kind: TypeMeta, shapeOf: () => Shape): Codec {
  let shape: Shape | undefined;
  const codec: Codec = {
    decode(body) {
      const { object, strictErrors, found } = decodeUnstructured(body);
      shape ??= shapeOf();
      const odd = strictErrors.concat(fit(object, kind, shape, found));
      checkVersion(object, kind, found);
      return { object, strictErrors: odd };
    },
    decodeValue(value) {
      return codec.decode(printJson(value));
    },
    encode(object) {
      return halves(printCustom(object));
    },
    read(item) {
      return readTree(new JsonReader(decodeText(item))) as JsonObject;
    },
  };
  return codec;
}

/** The first step: an object of any kind, as it is. */
export function decodeUnstructured(body: Uint8Array): {
  object: JsonObject;
  strictErrors: string[];
  found: FoundKind;
} {
  const { text, meta } = readTypeMeta(body);
  const session = new Session(new JsonReader(text), meta);
  const object = decodeUntyped(session);
  session.finish();
  const kind = object instanceof Map ? object.get('kind') : undefined;
  if (!(object instanceof Map) || typeof kind !== 'string' || kind === '') {
    throw new DecodeError(`Object 'Kind' is missing in '${text}'`);
  }
  return { object, strictErrors: [...session.strictErrors], found: { kind, version: meta.version } };
}

const METADATA = 'meta/v1.ObjectMeta';
const decodeMetadata = structDecoder(METADATA);
const printMetadata = structPrinter(METADATA, { sorted: true, emptyIsNull: false, item: false });
const printOwnMetadata = structPrinter(METADATA, { sorted: true, emptyIsNull: false, item: true });

/** Cuts an object to its kind's shape, in place. @returns what strict validation complains of. */
function fit(object: JsonObject, kind: TypeMeta, shape: Shape, found: FoundKind): string[] {
  const isOfKind =
    object.get('kind') === kind.kind &&
    parseGroupVersion(textOf(object.get('apiVersion'))).group === kind.group;
  if (isOfKind) applyDefaults(object, shape);
  let unknown = fitMetadata(object, found);
  if (isOfKind) {
    unknown = unknown.concat(prune(object, shape));
    dropNulls(object, shape);
    eachEmbedded(object, shape, (embedded, path) => {
      unknown = unknown.concat(fitEmbedded(embedded, pathText(path), found));
    });
  }
  return unknown.map((path) => `unknown field "${path}"`);
}

/** metadata is typed whatever the schema says. @returns paths of fields it doesn't have. */
function fitMetadata(object: JsonObject, found: FoundKind): string[] {
  const value = object.get('metadata');
  if (value === undefined) return [];
  const session = new Session(new JsonReader(printText(value, sortedKeys)), found);
  const metadata = decodeMetadata(session, undefined);
  session.finish();
  // Printed and read again, it is what the typed struct is in unstructured form.
  object.set('metadata', readTree(new JsonReader(printMetadata(metadata))));
  return session.unknownPaths.map((path) => `metadata.${path}`);
}

/** A resource within the resource has a type and metadata of its own. @returns paths of metadata's unknown fields. */
function fitEmbedded(object: JsonObject, path: string, found: FoundKind): string[] {
  const invalid = (field: string, reason: string): DecodeError =>
    new DecodeError(`${path}.${field}: Invalid value: ${printText(object.get(field)!)}: ${reason}`, found);
  for (const field of ['apiVersion', 'kind']) {
    const value = object.get(field);
    if (value !== undefined && typeof value !== 'string') throw invalid(field, 'must be a string');
  }
  try {
    return fitMetadata(object, found).map((field) => `${path}.${field}`);
  } catch (error) {
    throw error instanceof DecodeError ? invalid('metadata', error.message) : error;
  }
}

function checkVersion(object: JsonObject, kind: TypeMeta, found: FoundKind): void {
  const [data, wanted] = [textOf(object.get('apiVersion')), groupVersionText(kind)];
  if (data === wanted) return;
  const text = `the API version in the data (${data}) does not match the expected API version (${wanted})`;
  throw new DecodeError(text, found, true);
}

function printCustom(object: JsonObject): string {
  let text = '{';
  const keys = object.has('metadata') ? object : new Map<string, JsonValue>([...object, ['metadata', null]]);
  for (const key of sortedKeys(keys)) {
    if (text !== '{') text += ',';
    const value = object.get(key);
    text += `${quote(key)}:${key === 'metadata' ? printOwnMetadata(value) : printText(value!, sortedKeys)}`;
  }
  return `${text}}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
