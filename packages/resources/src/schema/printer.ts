// Typed printing, compiled once per type into closures: the normal form as Go's encoder prints the struct.
import { JsonNumber, type JsonObject, type JsonValue, printText, quote, sortedKeys } from '@sluice/encoding';
import { type Field, type FieldType, fieldsOf, isMessageList } from './field-table.ts';
import { treeOf } from './raw.ts';
import { respell } from './untyped.ts';

/** undefined and null are the zero value. */
export type Print = (value: JsonValue | undefined) => string;

export type Style = {
  /** Keys as they stand once the object is unstructured: sorted, at every level. Otherwise the order of Go's structs. */
  sorted: boolean;
  /** Empty lists and maps print as null: what was stored as Protobuf doesn't know them from absent ones. */
  emptyIsNull: boolean;
  /** The object is an item: no kind and apiVersion unless it is sorted, and its resourceVersion is a gap. */
  item: boolean;
};

export const STRUCT: Style = { sorted: false, emptyIsNull: false, item: false };

/** Stands for the digits of resourceVersion. JSON text has no such character: it is always escaped. */
export const REVISION_GAP = '\u0000';

/** Prints a struct of the field tables. */
export function structPrinter(typeName: string, style: Style = STRUCT): Print {
  const key = `${typeName} ${style.sorted} ${style.emptyIsNull} ${style.item}`;
  let print = structs.get(key);
  if (print === undefined) {
    print = compileStruct(typeName, style);
    structs.set(key, print);
  }
  return print;
}

const structs = new Map<string, Print>();
const EMPTY: JsonObject = new Map();
const METADATA = 'meta/v1.ObjectMeta';
const GAP = `"resourceVersion":"${REVISION_GAP}"`;

type CompiledField = {
  json: string;
  head: string;
  print: Print;
  omits: (value: JsonValue | undefined) => boolean;
};

function compileStruct(typeName: string, style: Style): Print {
  const isOwnMetadata = typeName === METADATA && style.item;
  // Compiled when first used: types may contain themselves.
  let fields: CompiledField[] | undefined;
  return (value) => {
    fields ??= compileFields(typeName, style);
    const object = value instanceof Map ? value : EMPTY;
    let text = '{';
    for (const { json, head, print, omits } of fields) {
      if (isOwnMetadata && json === 'resourceVersion') {
        text += text === '{' ? GAP : `,${GAP}`;
        continue;
      }
      const fieldValue = object.get(json);
      if (omits(fieldValue)) continue;
      if (text !== '{') text += ',';
      text += head + print(fieldValue);
    }
    return `${text}}`;
  };
}

function compileFields(typeName: string, style: Style): CompiledField[] {
  const inner = { ...style, item: false };
  const fields = fieldsOf(typeName)
    .filter((field) => !style.item || (field.json !== 'kind' && field.json !== 'apiVersion'))
    .map((field) => ({
      json: field.json,
      head: `${quote(field.json)}:`,
      print: field.type.name === METADATA ? structPrinter(METADATA, style) : compile(field.type, inner),
      omits: omission(field),
    }));
  return style.sorted ? fields.sort((a, b) => (a.json < b.json ? -1 : 1)) : fields;
}

function omission(field: Field): (value: JsonValue | undefined) => boolean {
  const { type } = field;
  if (field.omitZero) return isNil;
  if (!field.omitEmpty) return () => false;
  if (type.pointer) return isNil;
  switch (type.kind) {
    case 'struct':
      return () => false;
    case 'string':
    case 'bytes':
      return (value) => isNil(value) || value === '';
    case 'bool':
      return (value) => value !== true;
    case 'slice':
      return (value) => !Array.isArray(value) || value.length === 0;
    case 'map':
      return (value) => !(value instanceof Map) || value.size === 0;
    case 'any':
      return isNil;
    default:
      return (value) => !(value instanceof JsonNumber) || value.text === '0';
  }
}

function compile(type: FieldType, style: Style): Print {
  const print = compileValue(type, style);
  return type.pointer ? (value) => (isNil(value) ? 'null' : print(value)) : print;
}

function compileValue(type: FieldType, style: Style): Print {
  switch (type.kind) {
    case 'string':
      return (value) => (typeof value === 'string' ? quote(value) : '""');
    case 'bool':
      return (value) => (value === true ? 'true' : 'false');
    case 'int32':
    case 'int64':
    case 'float64':
      return (value) => (value instanceof JsonNumber ? value.text : '0');
    case 'bytes':
      return (value) => (typeof value === 'string' ? `"${value}"` : 'null');
    case 'any':
      return (value) => printText(value ?? null, sortedKeys);
    case 'struct':
      return ownPrinter(type.name, style) ?? structPrinter(type.name, style);
    case 'slice':
      return slicePrinter(compileElement(type.elem!, style), style, style.emptyIsNull && isMessageList(type));
    case 'map':
      return mapPrinter(compileElement(type.elem!, style), style);
  }
}

/** Protobuf has no bytes that are null in a list or map: there they come back empty. */
function compileElement(type: FieldType, style: Style): Print {
  if (type.kind !== 'bytes' || !style.emptyIsNull) return compile(type, style);
  return (value) => (typeof value === 'string' ? `"${value}"` : '""');
}

/** @param isNeverNull its message is there even when it is empty. */
function slicePrinter(print: Print, style: Style, isNeverNull = false): Print {
  return (value) => {
    if (isNeverNull && !(Array.isArray(value) && value.length > 0)) return '[]';
    if (!Array.isArray(value) || (style.emptyIsNull && value.length === 0)) return 'null';
    let text = '';
    for (const item of value) text += (text === '' ? '' : ',') + print(item);
    return `[${text}]`;
  };
}

function mapPrinter(print: Print, style: Style): Print {
  return (value) => {
    if (!(value instanceof Map) || (style.emptyIsNull && value.size === 0)) return 'null';
    let text = '';
    for (const key of sortedKeys(value)) {
      text += `${text === '' ? '' : ','}${quote(key)}:${print(value.get(key))}`;
    }
    return `{${text}}`;
  };
}

/** Printers of the types that own-forms.ts reads. */
function ownPrinter(typeName: string, style: Style): Print | undefined {
  switch (typeName) {
    case 'meta/v1.Time':
    case 'meta/v1.MicroTime':
      return (value) => (typeof value === 'string' ? `"${value}"` : 'null');
    case 'resource.Quantity':
      return (value) => (typeof value === 'string' ? quote(value) : '"0"');
    case 'intstr.IntOrString':
      return (value) => (isNil(value) ? '0' : printText(value!));
    case 'runtime.RawExtension':
    case 'meta/v1.FieldsV1':
      return style.sorted
        ? (value) => printText(asUnstructured(value), sortedKeys)
        : (value) => printText(value ?? null);
    case 'apiextensions/v1.JSON':
      return (value) => printText(value ?? null, sortedKeys);
    case 'apiextensions/v1.JSONSchemaPropsOrBool':
      return schemaOr((value) => (value === true ? 'true' : 'false'), style);
    case 'apiextensions/v1.JSONSchemaPropsOrArray': {
      const printList = slicePrinter(structPrinter(SCHEMA, style), style);
      return schemaOr(
        (value) => (Array.isArray(value) && value.length > 0 ? printList(value) : 'null'),
        style,
      );
    }
    case 'apiextensions/v1.JSONSchemaPropsOrStringArray':
      return schemaOr(
        (value) => (Array.isArray(value) && value.length > 0 ? printText(value) : 'null'),
        style,
      );
    default:
      return undefined;
  }
}

const SCHEMA = 'apiextensions/v1.JSONSchemaProps';

function schemaOr(printOther: Print, style: Style): Print {
  const printSchema = structPrinter(SCHEMA, style);
  return (value) => (value instanceof Map ? printSchema(value) : printOther(value));
}

function asUnstructured(value: JsonValue | undefined): JsonValue {
  return respell(treeOf(value ?? null), () => undefined);
}

function isNil(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
