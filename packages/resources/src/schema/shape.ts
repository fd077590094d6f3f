// What a CustomResourceDefinition's schema does to an object before anybody validates it: which fields it keeps,
// which it fills in, which nulls it drops.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { pathText, type Step } from './session.ts';

/** One level of a structural schema. A level the schema doesn't describe is null, and keeps no fields. */
export type Shape = {
  /** x-kubernetes-preserve-unknown-fields */
  readonly preserve: boolean;
  /** x-kubernetes-embedded-resource: apiVersion, kind and metadata are kept. */
  readonly embedded: boolean;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, Shape> | null;
  /** Values of all keys that `properties` doesn't name. For `additionalProperties: true`: NO_SHAPE. */
  readonly additional: Shape | null;
  readonly items: Shape | null;
};

export const NO_SHAPE: Shape = {
  preserve: false,
  embedded: false,
  nullable: false,
  default: undefined,
  properties: null,
  additional: null,
  items: null,
};

/** Paths of dropped fields are collected up to so many characters; a body can name many fields at a long path. */
const PATHS_CHARACTERS_LIMIT = 1 << 20;

/** Drops fields the shape doesn't know, in place. @returns their paths, sorted. */
export function prune(object: JsonObject, root: Shape): string[] {
  const dropped: string[] = [];
  let characters = 0;
  walk(object, { ...root, embedded: true }, (parent, key, place) => {
    parent.delete(key);
    const isMeta = META_FIELDS.has(key) && place === undefined;
    if (isMeta || characters > PATHS_CHARACTERS_LIMIT) return;
    const path = pathText([...steps(place), key]);
    characters += path.length;
    dropped.push(path);
  });
  return dropped.sort();
}

/** Fills in defaults, in place. A null where null may not be counts as absent. */
export function applyDefaults(value: JsonValue, shape: Shape): void {
  if (value instanceof Map) {
    for (const [key, property] of shape.properties ?? []) {
      const present = value.get(key);
      const missing = present === undefined || (present === null && !property.nullable);
      if (missing && property.default !== undefined) value.set(key, copy(property.default));
    }
    for (const [key, item] of value) {
      const inner = shape.properties?.get(key) ?? shape.additional;
      if (inner === null) continue;
      if (item === null && !inner.nullable && inner.default !== undefined)
        value.set(key, copy(inner.default));
      else applyDefaults(item, inner);
    }
  } else if (Array.isArray(value) && shape.items !== null) {
    for (const [place, item] of value.entries()) {
      if (item === null && !shape.items.nullable && shape.items.default !== undefined) {
        value[place] = copy(shape.items.default);
      } else {
        applyDefaults(item, shape.items);
      }
    }
  }
}

/** Drops nulls of what is neither nullable nor has a default, in place. Items of arrays stay. */
export function dropNulls(value: JsonValue, shape: Shape): void {
  if (value instanceof Map) {
    for (const [key, item] of value) {
      const inner = shape.properties?.get(key) ?? shape.additional;
      if (inner === null) continue;
      if (item !== null) dropNulls(item, inner);
      else if (!inner.nullable && inner.default === undefined && inner !== NO_SHAPE) value.delete(key);
    }
  } else if (Array.isArray(value) && shape.items !== null) {
    for (const item of value) dropNulls(item, shape.items);
  }
}

/** Calls back for each object within that is a resource of its own. */
export function eachEmbedded(
  value: JsonValue,
  shape: Shape,
  visit: (object: JsonObject, path: readonly Step[]) => void,
  path: Step[] = [],
): void {
  if (value instanceof Map) {
    if (shape.embedded && path.length > 0) visit(value, path);
    for (const [key, item] of value) {
      const inner = shape.properties?.get(key) ?? shape.additional;
      if (inner !== null) eachEmbedded(item, inner, visit, [...path, key]);
    }
  } else if (Array.isArray(value) && shape.items !== null) {
    for (const [place, item] of value.entries()) eachEmbedded(item, shape.items, visit, [...path, place]);
  }
}

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

type Place = { parent: Place | undefined; step: Step };
type Work = { value: JsonValue; shape: Shape | null; place: Place | undefined };

/** Without recursion: where the shape ends, arrays may still nest as deep as they like. */
function walk(
  root: JsonValue,
  rootShape: Shape,
  drop: (parent: JsonObject, key: string, place: Place | undefined) => void,
): void {
  const open: Work[] = [{ value: root, shape: rootShape, place: undefined }];
  for (let work = open.pop(); work !== undefined; work = open.pop()) {
    const { value, shape, place } = work;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const inner = shape?.items ?? null;
        if (isContainer(item) && !(shape?.preserve && inner === null)) {
          open.push({ value: item, shape: inner, place: { parent: place, step: index } });
        }
      }
    } else if (value instanceof Map) {
      for (const [key, item] of value) {
        if (shape?.embedded && META_FIELDS.has(key)) continue;
        const inner = shape?.properties?.get(key) ?? shape?.additional;
        if (inner === undefined || inner === null) {
          if (!shape?.preserve) drop(value, key, place);
        } else if (isContainer(item)) {
          open.push({ value: item, shape: inner, place: { parent: place, step: key } });
        }
      }
    }
  }
}

function isContainer(value: JsonValue): boolean {
  return value instanceof Map || Array.isArray(value);
}

function steps(place: Place | undefined): Step[] {
  const path: Step[] = [];
  for (let at = place; at !== undefined; at = at.parent) path.unshift(at.step);
  return path;
}

function copy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copy);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, copy(item)])) : value;
}
