// What is between two representations: the compact JSON of an object, or of a list's frame and its items one by one.
import { type JsonObject, type JsonValue, printText, sortedKeys } from '@sluice/encoding';
import { builtInCodec, fieldsOf, respell, structPrinter, type TypeMeta, typeOfKind } from '@sluice/resources';

export type Format = 'json' | 'pretty' | 'yaml' | 'protobuf' | 'cbor';

export const FORMATS: readonly Format[] = ['json', 'pretty', 'yaml', 'protobuf', 'cbor'];

export type ObjectDocument = { kind: TypeMeta; object: Uint8Array };

export type ListDocument = {
  kind: TypeMeta;
  /** The list with `"items":[]`. */
  frame: Uint8Array;
  count: number;
  /** Made while they are walked; each walk makes them anew, and warns anew. */
  items(warn: Warn): AsyncIterable<Uint8Array>;
};

export type Document = ObjectDocument | ListDocument;

/** Takes what was left out. */
export type Warn = (text: string) => void;

export function isFormat(text: string): text is Format {
  return (FORMATS as readonly string[]).includes(text);
}

/** An object of any kind in the JSON that kube-apiserver makes of it. */
export function objectOf(value: JsonValue, warn: Warn): ObjectDocument {
  const kind = kindOf(value);
  return { kind, object: jsonOf(kind, value, warn) };
}

/**
 * @param frame the list, its `items` empty.
 * @param trees reads the items one by one.
 */
export function listOf(
  frame: JsonObject,
  count: number,
  trees: () => AsyncIterable<JsonValue>,
  warn: Warn,
): ListDocument {
  const kind = kindOf(frame);
  return {
    kind,
    frame: jsonOf(kind, frame, warn),
    count,
    async *items(warnOfItem) {
      const print = itemPrinter(kind, warnOfItem);
      let place = 0;
      for await (const tree of trees()) yield print(tree, place++);
    },
  };
}

export function isListKind(kind: TypeMeta): boolean {
  return kind.kind.endsWith('List');
}

/** Of what kind a list's items are, where the list knows: not so in v1's `List`, and not of custom kinds. */
export function itemKindOf(list: TypeMeta): TypeMeta | undefined {
  const element = elementType(list);
  if (element === undefined) return undefined;
  const kind = { ...list, kind: element.slice(element.lastIndexOf('.') + 1) };
  return typeOfKind(kind) === element ? kind : undefined;
}

export function kindOf(value: JsonValue): TypeMeta {
  const member = (name: string): string => {
    const text = value instanceof Map ? value.get(name) : undefined;
    return typeof text === 'string' ? text : '';
  };
  return { ...parseApiVersion(member('apiVersion')), kind: member('kind') };
}

export function parseApiVersion(text: string): { group: string; version: string } {
  const slash = text.indexOf('/');
  return { group: text.slice(0, Math.max(slash, 0)), version: text.slice(slash + 1) };
}

export function apiVersionOf({ group, version }: TypeMeta): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Custom kinds and what has none: keys sorted, numbers as Go spells them. */
function jsonOf(kind: TypeMeta, value: JsonValue, warn: Warn): Uint8Array {
  const typeName = typeOfKind(kind) ?? '';
  if (typeName === '') return untypedJson(value);
  const { object, strictErrors } = builtInCodec(typeName, kind).decodeValue(value);
  for (const error of strictErrors) warn(error);
  return Buffer.from(structPrinter(typeName)(object));
}

function untypedJson(value: JsonValue): Uint8Array {
  const respelled = respell(value, (number) => {
    throw new NumberError(`number ${number} is too large`);
  });
  return Buffer.from(printText(respelled, sortedKeys));
}

/** What is wrong with the input, not with this program. */
class NumberError extends Error {}

/** An item is read as the only one of its list: what a kind's list says of its items holds for it. */
function itemPrinter(kind: TypeMeta, warn: Warn): (item: JsonValue, place: number) => Uint8Array {
  const typeName = typeOfKind(kind) ?? '';
  if (typeName === '') return untypedJson;
  const element = itemKindOf(kind) && elementType(kind);
  if (element === undefined) return (item) => jsonOf(kindOf(item), item, warn);
  const codec = builtInCodec(typeName, kind);
  const print = structPrinter(element);
  return (item, place) => {
    const { object, strictErrors } = codec.decodeValue(
      new Map<string, JsonValue>([
        ['kind', kind.kind],
        ['apiVersion', apiVersionOf(kind)],
        ['items', [item]],
      ]),
    );
    for (const error of strictErrors) warn(error.replace('items[0]', `items[${place}]`));
    return Buffer.from(print((object.get('items') as JsonValue[])[0]));
  };
}

function elementType(list: TypeMeta): string | undefined {
  const typeName = typeOfKind(list) ?? '';
  const items = fieldsOf(typeName).find((field) => field.json === 'items');
  return items?.type.elem?.kind === 'struct' ? items.type.elem.name : undefined;
}
