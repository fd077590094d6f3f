// What CBOR must know of a built-in kind beyond its JSON: which members are bytes and which are doubles.
import type { CborForm } from '@sluice/encoding';
import { type FieldType, fieldsOf } from '../schema/field-table.ts';
import { OWN_DECODERS } from '../schema/own-forms.ts';
import { typeOfKind } from '../schema/scheme.ts';
import type { TypeMeta } from '../schema/type-meta.ts';

/** undefined: its JSON says all. So for 100 of 113 kinds, and for all custom ones. */
export function cborForm(kind: TypeMeta): CborForm | undefined {
  const typeName = typeOfKind(kind);
  return typeName === undefined || typeName === '' ? undefined : structForm(typeName);
}

const structs = new Map<string, CborForm | undefined>();

function structForm(typeName: string): CborForm | undefined {
  if (structs.has(typeName)) return structs.get(typeName);
  const members = new Map<string, CborForm>();
  const form = leadsToForm(typeName, new Set()) ? { members } : undefined;
  // Known before its members are read: types may contain themselves.
  structs.set(typeName, form);
  if (form === undefined) return undefined;
  for (const { json, type } of fieldsOf(typeName)) {
    const member = valueForm(type);
    if (member !== undefined) members.set(json, member);
  }
  return form;
}

function valueForm(type: FieldType): CborForm | undefined {
  switch (type.kind) {
    case 'bytes':
      return 'bytes';
    case 'float64':
      return 'double';
    case 'slice':
    case 'map': {
      const each = valueForm(type.elem!);
      return each === undefined ? undefined : { each };
    }
    case 'struct':
      return isOwn(type) ? undefined : structForm(type.name);
    default:
      return undefined;
  }
}

function leadsToForm(typeName: string, seen: Set<string>): boolean {
  if (seen.has(typeName)) return false;
  seen.add(typeName);
  return fieldsOf(typeName).some(({ type }) => {
    let value = type;
    while (value.elem !== undefined) value = value.elem;
    if (value.kind === 'bytes' || value.kind === 'float64') return true;
    return value.kind === 'struct' && !isOwn(value) && leadsToForm(value.name, seen);
  });
}

/** The reference makes CBOR of these by way of their JSON, whatever is in them. */
function isOwn(type: FieldType): boolean {
  return OWN_DECODERS[type.name] !== undefined;
}
