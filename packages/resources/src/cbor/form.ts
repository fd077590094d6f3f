// What CBOR must know of a built-in kind beyond its JSON: which members are bytes, which are doubles, which are raw JSON.
import type { CborForm } from '@sluice/encoding';
import { type FieldType, fieldsOf } from '../schema/field-table.ts';
import { OWN_DECODERS } from '../schema/own-forms.ts';
import { typeOfKind } from '../schema/scheme.ts';
import type { TypeMeta } from '../schema/type-meta.ts';

/** To write it. undefined: its JSON says all. So for 100 of 113 kinds, and for all custom ones. */
export function cborForm(kind: TypeMeta): CborForm | undefined {
  return formOfKind(kind, WRITING);
}

/** To read it: as above, and where raw JSON is made of what comes. */
export function cborBodyForm(kind: TypeMeta): CborForm | undefined {
  return formOfKind(kind, READING);
}

type Forms = {
  /** Of a type with a JSON form of its own. */
  own(typeName: string): CborForm | undefined;
  structs: Map<string, CborForm | undefined>;
};

/** The reference makes CBOR of what has a JSON form of its own by way of that, whatever is in it; but not of schemas. */
const WRITING: Forms = { own: (typeName) => schemaForm(typeName, WRITING), structs: new Map() };
const READING: Forms = {
  own: (typeName) => (RAW_TYPES.includes(typeName) ? 'json' : schemaForm(typeName, READING)),
  structs: new Map(),
};
const SCHEMA = 'apiextensions/v1.JSONSchemaProps';
const RAW_TYPES: readonly string[] = ['runtime.RawExtension', 'meta/v1.FieldsV1', 'apiextensions/v1.JSON'];

function formOfKind(kind: TypeMeta, forms: Forms): CborForm | undefined {
  const typeName = typeOfKind(kind);
  return typeName === undefined || typeName === '' ? undefined : structForm(typeName, forms);
}

/** A schema, or something else in its place: a list of schemas, of texts, a boolean. */
function schemaForm(typeName: string, forms: Forms): CborForm | undefined {
  if (!typeName.startsWith(`${SCHEMA}Or`)) return undefined;
  const schema = structForm(SCHEMA, forms);
  return typeof schema === 'object' && 'members' in schema ? { ...schema, elements: schema } : schema;
}

function structForm(typeName: string, forms: Forms): CborForm | undefined {
  const { structs } = forms;
  if (structs.has(typeName)) return structs.get(typeName);
  const members = new Map<string, CborForm>();
  const form = leadsToForm(typeName, forms, new Set()) ? { members } : undefined;
  // Known before its members are read: types may contain themselves.
  structs.set(typeName, form);
  if (form === undefined) return undefined;
  for (const { json, type } of fieldsOf(typeName)) {
    const member = valueForm(type, forms);
    if (member !== undefined) members.set(json, member);
  }
  return form;
}

function valueForm(type: FieldType, forms: Forms): CborForm | undefined {
  switch (type.kind) {
    case 'bytes':
      return 'bytes';
    case 'float64':
      return 'double';
    case 'slice':
    case 'map': {
      const each = valueForm(type.elem!, forms);
      return each === undefined ? undefined : { each };
    }
    case 'struct':
      return isOwn(type) ? forms.own(type.name) : structForm(type.name, forms);
    default:
      return undefined;
  }
}

function leadsToForm(typeName: string, forms: Forms, seen: Set<string>): boolean {
  if (seen.has(typeName)) return false;
  seen.add(typeName);
  return fieldsOf(typeName).some(({ type }) => {
    let value = type;
    while (value.elem !== undefined) value = value.elem;
    if (value.kind === 'bytes' || value.kind === 'float64') return true;
    if (value.kind !== 'struct') return false;
    if (value.name.startsWith(`${SCHEMA}Or`)) return leadsToForm(SCHEMA, forms, seen);
    return isOwn(value) ? forms.own(value.name) !== undefined : leadsToForm(value.name, forms, seen);
  });
}

function isOwn(type: FieldType): boolean {
  return OWN_DECODERS[type.name] !== undefined;
}
