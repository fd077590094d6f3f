// A request's body in CBOR, read in the steps of the reference and with its errors; the codec takes over from there.
import { CborError, type JsonValue, parseCbor, readCborMembers } from '@sluice/encoding';
import { DecodeError } from '../kind.ts';
import { typeInSchemeOf, typeOfKind } from '../schema/scheme.ts';
import { groupVersionText, parseGroupVersion, type TypeMeta, withDefaults } from '../schema/type-meta.ts';
import { cborBodyForm } from './form.ts';

/**
 * @param expected the kind a body without kind and apiVersion is taken for.
 * @returns what Codec.decodeValue() takes.
 * @throws DecodeError
 */
export function readCborBody(body: Uint8Array, expected: TypeMeta): JsonValue {
  return typeOfKind(expected) === undefined ? readCustom(body, expected) : readBuiltIn(body, expected);
}

/** Looks for the kind first: it decides what the rest is read into. */
function readBuiltIn(body: Uint8Array, expected: TypeMeta): JsonValue {
  const found = withDefaults(readTypeMeta(body), expected);
  if (typeInSchemeOf(expected, found) === undefined) {
    // The codec refuses it for its kind, before anything in it is read.
    return new Map([
      ['kind', found.kind],
      ['apiVersion', groupVersionText(found)],
    ]);
  }
  try {
    return parseCbor(body, cborBodyForm(found));
  } catch (error) {
    throw error instanceof CborError ? new DecodeError(error.message, found) : error;
  }
}

/** Reads a tree of no kind; the kind is looked for only to say what could not be read. */
function readCustom(body: Uint8Array, expected: TypeMeta): JsonValue {
  try {
    const value = parseCbor(body);
    if (!(value instanceof Map) && value !== null) readTypeMeta(body);
    return value;
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new DecodeError(error.message, withDefaults(readTypeMeta(body), expected));
  }
}

function readTypeMeta(body: Uint8Array): TypeMeta {
  try {
    const found = readCborMembers(body, ['kind', 'apiVersion'], 'v1.TypeMeta');
    return { ...parseGroupVersion(found.get('apiVersion') ?? ''), kind: found.get('kind') ?? '' };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new DecodeError(`unable to determine group/version/kind: ${error.message}`);
  }
}
