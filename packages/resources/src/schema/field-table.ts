// The built-in types as data: struct fields in their order, read row by row when a type is first used.
import { FIELD_ROWS } from '../generated/field-tables.ts';

/** A Go type as a field has it. */
export type FieldType = {
  kind: 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'any' | 'slice' | 'map' | 'struct';
  pointer: boolean;
  /** `core/v1.PodPhase`; empty when the type has no name of its own. A struct's name is its key in the table. */
  name: string;
  key?: FieldType;
  elem?: FieldType;
};

export type Field = {
  json: string;
  /** What Go's errors call it: `httpGet`, or `ProbeHandler.httpGet` when it comes from an embedded struct. */
  errorName: string;
  /** The struct it is decoded into, as errors name it: `Probe`. */
  owner: string;
  type: FieldType;
  omitEmpty: boolean;
  omitZero: boolean;
  patchStrategy: string;
  patchMergeKey: string;
};

/** JSON fields of a struct, embedded ones in their place. Empty for a name that isn't in the table. */
export function fieldsOf(typeName: string): readonly Field[] {
  let fields = known.get(typeName);
  if (fields === undefined) {
    fields = flatten(typeName, '', shortName(typeName).replace(/^.*\./, ''));
    known.set(typeName, fields);
  }
  return fields;
}

/** How Go prints a type in errors: `map[string]resource.Quantity`, `[]v1.Container`, `[]uint8`. */
export function goTypeName(type: FieldType): string {
  if (type.name !== '') return shortName(type.name);
  if (type.kind === 'slice') return `[]${goTypeName(type.elem!)}`;
  if (type.kind === 'map') return `map[${goTypeName(type.key!)}]${goTypeName(type.elem!)}`;
  if (type.kind === 'bytes') return '[]uint8';
  return type.kind === 'any' ? 'interface {}' : type.kind;
}

/** A named slice that is a message of its own in Protobuf; all others are repeated fields. */
export function isMessageList(type: FieldType): boolean {
  return MESSAGE_LISTS.test(type.name);
}

const MESSAGE_LISTS = /\.(ExtraValue|AttestationValue|Verbs)$/;

const known = new Map<string, readonly Field[]>();

function flatten(typeName: string, prefix: string, owner: string): Field[] {
  return (FIELD_ROWS[typeName] ?? []).flatMap((row) => {
    const [go = '', json = '', typeText = '', options = '', , patchStrategy = '', patchMergeKey = ''] =
      row.split('|');
    if (options.includes('notJson')) return [];
    const type = parseType(typeText);
    if (json === '' && options.includes('inline')) return flatten(type.name, `${prefix}${go}.`, owner);
    const omitEmpty = options.includes('omitempty');
    const omitZero = options.includes('omitzero');
    return [
      { json, errorName: prefix + json, owner, type, omitEmpty, omitZero, patchStrategy, patchMergeKey },
    ];
  });
}

const PLAIN_KINDS: ReadonlySet<string> = new Set([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'any',
]);

/** `*core/v1.Probe`, `core/v1.ResourceList=map[core/v1.ResourceName=string]resource.Quantity`. */
export function parseType(text: string): FieldType {
  if (text.startsWith('*')) return { ...parseType(text.slice(1)), pointer: true };
  const [, name = '', body = ''] = /^(?:([\w./-]+)=)?(.*)$/.exec(text)!;
  const common = { pointer: false, name };
  if (body.startsWith('[]')) return { ...common, kind: 'slice', elem: parseType(body.slice(2)) };
  if (body.startsWith('map[')) {
    const close = body.indexOf(']');
    return {
      ...common,
      kind: 'map',
      key: parseType(body.slice(4, close)),
      elem: parseType(body.slice(close + 1)),
    };
  }
  if (PLAIN_KINDS.has(body)) return { ...common, kind: body as FieldType['kind'] };
  return { pointer: false, name: body, kind: 'struct' };
}

function shortName(typeName: string): string {
  return typeName.slice(typeName.lastIndexOf('/') + 1);
}
