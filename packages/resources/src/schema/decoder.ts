// Typed decoding, compiled once per type into closures: what Go's strict, case-sensitive JSON decoder would make of a
// body, in the normal form that printer.ts prints.
//
// The normal form is a Map of what was there: no unknown fields, no nulls, values in canonical spelling. A field
// that is absent is Go's zero value; an empty slice that isn't nil is an empty array.
import { JsonNumber, type JsonObject, type JsonValue } from '@sluice/encoding';
import { type Field, type FieldType, fieldsOf, goTypeName } from './field-table.ts';
import { OWN_DECODERS } from './own-forms.ts';
import { decodeBool, decodeBytes, decodeFloat, decodeInteger, decodeString } from './scalars.ts';
import type { Session } from './session.ts';
import { decodeUntyped } from './untyped.ts';

/**
 * Reads one value. `previous` is what a field already holds when it comes twice: Go decodes into it again, so structs
 * and maps are merged. undefined: the zero value.
 */
export type Decode = (session: Session, previous: JsonValue | undefined) => JsonValue | undefined;

/** The decoder of a struct of the field tables. */
export function structDecoder(typeName: string): Decode {
  let decoder = structs.get(typeName);
  if (decoder === undefined) {
    decoder = compileStruct(typeName);
    structs.set(typeName, decoder);
  }
  return decoder;
}

/** What stands in a slice or map for an element that is zero. */
export function zeroOf(type: FieldType): JsonValue {
  if (type.pointer) return null;
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
      return new JsonNumber('0');
    case 'struct':
      return OWN_DECODERS[type.name] === undefined ? new Map() : null;
    default:
      return null;
  }
}

const structs = new Map<string, Decode>();

const NULL = 0x6e;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const BITS = 31;

type CompiledField = { field: Field; decode: Decode; place: number };

function compileStruct(typeName: string): Decode {
  const goType = goTypeName({ kind: 'struct', pointer: false, name: typeName });
  // Compiled when first used: types may contain themselves.
  let fields: Map<string, CompiledField> | undefined;
  return (session, previous) => {
    const { reader, path } = session;
    if (reader.peek() !== OPEN_BRACE) {
      session.skipMismatch(goType);
      return previous;
    }
    fields ??= new Map(
      fieldsOf(typeName).map((field, place) => [field.json, { field, place, decode: compile(field.type) }]),
    );
    const object: JsonObject = previous instanceof Map ? previous : new Map();
    const seen: number[] = [0, 0, 0];
    session.enterStruct();
    for (let more = reader.enter(); more; more = reader.more()) {
      const key = reader.key();
      const known = fields.get(key);
      if (known === undefined) {
        session.unknown(key);
        reader.skip();
        continue;
      }
      const word = Math.trunc(known.place / BITS);
      const bit = 1 << (known.place % BITS);
      if ((seen[word]! & bit) !== 0) session.duplicate([key]);
      seen[word]! |= bit;
      path.push(known.field);
      const value = known.decode(session, object.get(key));
      path.pop();
      if (value !== undefined) object.set(key, value);
      else object.delete(key);
    }
    session.leaveStruct();
    return object;
  };
}

function compile(type: FieldType): Decode {
  const decode = compileValue(type);
  if (!type.pointer) return decode;
  return (session, previous) => {
    if (session.reader.peek() !== NULL) return decode(session, previous);
    session.reader.skip();
    return undefined;
  };
}

function compileValue(type: FieldType): Decode {
  const goType = goTypeName(type);
  switch (type.kind) {
    case 'string':
      return decodeString(goType);
    case 'bool':
      return decodeBool(goType);
    case 'int32':
    case 'int64':
      return decodeInteger(goType, type.kind === 'int32' ? 32 : 64);
    case 'float64':
      return decodeFloat(goType);
    case 'bytes':
      return decodeBytes(goType);
    case 'any':
      return decodeUntyped;
    case 'struct':
      return OWN_DECODERS[type.name] ?? structDecoder(type.name);
    case 'slice':
      return compileSlice(goType, compile(type.elem!), type.elem!);
    case 'map':
      return compileMap(goType, compile(type.elem!), type.elem!);
  }
}

function compileSlice(goType: string, decode: Decode, elem: FieldType): Decode {
  return (session, previous) => {
    const { reader, path } = session;
    if (reader.peek() !== OPEN_BRACKET) return session.skipMismatch(goType) ? undefined : previous;
    const old = Array.isArray(previous) ? previous : [];
    const items: JsonValue[] = [];
    for (let more = reader.enter(); more; more = reader.more()) {
      const place = items.length;
      path.push(place);
      items.push(decode(session, old[place]) ?? zeroOf(elem));
      path.pop();
    }
    return items;
  };
}

function compileMap(goType: string, decode: Decode, elem: FieldType): Decode {
  return (session, previous) => {
    const { reader, path } = session;
    if (reader.peek() !== OPEN_BRACE) return session.skipMismatch(goType) ? undefined : previous;
    // A map that comes twice is merged in place, or many small ones would each copy a large one.
    const object: JsonObject = previous instanceof Map ? previous : new Map();
    const seen: { has(key: string): boolean } = previous instanceof Map ? new Set<string>() : object;
    for (let more = reader.enter(); more; more = reader.more()) {
      const key = reader.key();
      if (seen.has(key)) session.duplicate([key]);
      if (seen instanceof Set) seen.add(key);
      path.push(key);
      object.set(key, decode(session, undefined) ?? zeroOf(elem));
      path.pop();
    }
    return object;
  };
}
