// The built-in types as Protobuf messages, from the same field tables as their JSON.
import type { Form, Message, MessageField, OwnName } from '@sluice/encoding';
import { FIELD_ROWS } from '../generated/field-tables.ts';
import { type FieldType, isMessageList, parseType } from '../schema/field-table.ts';
import { DISCOVERY_ROWS } from './discovery-rows.ts';

/** @param typeName a struct of the field tables, `core/v1.Pod`. */
export function messageOf(typeName: string): Message {
  let message = known.get(typeName);
  if (message === undefined) {
    let fields: readonly MessageField[] | undefined;
    message = {
      name: shortName(typeName),
      get fields() {
        fields ??= fieldsOf(typeName);
        return fields;
      },
    };
    known.set(typeName, message);
  }
  return message;
}

const known = new Map<string, Message>();

/** Types with a JSON form of their own. */
const OWN_NAMES: Readonly<Record<string, OwnName>> = {
  'meta/v1.Time': 'Time',
  'meta/v1.MicroTime': 'MicroTime',
  'meta/v1.Duration': 'Duration',
  'resource.Quantity': 'Quantity',
  'intstr.IntOrString': 'IntOrString',
  'runtime.RawExtension': 'RawExtension',
  'meta/v1.FieldsV1': 'FieldsV1',
  'apiextensions/v1.JSON': 'JSON',
};

/** Structs that are one of their two fields in JSON. */
const EITHERS: readonly string[] = [
  'apiextensions/v1.JSONSchemaPropsOrBool',
  'apiextensions/v1.JSONSchemaPropsOrArray',
  'apiextensions/v1.JSONSchemaPropsOrStringArray',
];

/** Fields without a number (TypeMeta) aren't in the message. */
function fieldsOf(typeName: string): MessageField[] {
  return (FIELD_ROWS[typeName] ?? DISCOVERY_ROWS[typeName] ?? []).flatMap((row) => {
    const [go = '', json = '', typeText = '', options = '', numbered = ''] = row.split('|');
    if (numbered === '' || options.includes('notProtobuf')) return [];
    const type = parseType(typeText);
    const number = Number.parseInt(numbered, 10);
    const form = formOf(type);
    const nullIsZero = type.pointer && options.includes('omitempty') && isNullWhenZero(form);
    return [{ number, json, go, form, pointer: type.pointer, nullIsZero }];
  });
}

function isNullWhenZero(form: Form): boolean {
  return form.kind === 'own' && NULL_WHEN_ZERO.includes(form.name);
}

/** Types whose zero is null in JSON. */
const NULL_WHEN_ZERO: readonly OwnName[] = ['Time', 'MicroTime', 'RawExtension', 'FieldsV1', 'JSON'];

function formOf(type: FieldType): Form {
  switch (type.kind) {
    case 'float64':
      return { kind: 'double' };
    case 'slice':
      return isMessageList(type)
        ? { kind: 'wrapped', name: shortName(type.name), element: formOf(type.elem!) }
        : { kind: 'list', element: formOf(type.elem!) };
    case 'map':
      return { kind: 'map', value: formOf(type.elem!) };
    case 'struct':
      return structForm(type.name);
    case 'any':
      throw new TypeError('an interface has no Protobuf form');
    default:
      return { kind: type.kind };
  }
}

function structForm(name: string): Form {
  const own = OWN_NAMES[name];
  if (own !== undefined) return { kind: 'own', name: own };
  if (!EITHERS.includes(name)) return { kind: 'message', message: messageOf(name) };
  const [first, second] = fieldsOf(name) as [MessageField, MessageField];
  const [object, other] = first.form.kind === 'message' ? [first, second] : [second, first];
  return { kind: 'either', name: shortName(name), object, other };
}

function shortName(typeName: string): string {
  return typeName.slice(typeName.lastIndexOf('.') + 1);
}
