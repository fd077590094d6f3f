// Fills in what an object of a built-in kind leaves out, by the table of defaults: wherever a type stands in a tree,
// its rules apply, a containing type's before a contained one's.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import type { ApiObject, Kind } from '../kind.ts';
import { type Field, type FieldType, fieldsOf } from '../schema/field-table.ts';
import { typeOfKind } from '../schema/scheme.ts';
import { type Fields, isConditional, isFields, isZero, type Literal, type Rule, treeOf } from './rule.ts';
import { DEFAULTS, WITHOUT_DEFAULTS } from './table.ts';

/** Changes the object. Filling in twice is filling in once. */
export function setDefaults(kind: Kind, object: ApiObject): void {
  let fill = ofKinds.get(kind);
  if (fill === undefined) {
    const typeName = kind.custom ? undefined : typeOfKind(kind);
    fill = (typeName && isReached(typeName, new Set()) && fillOf(typeName)) || nothing;
    ofKinds.set(kind, fill);
  }
  fill(object);
}

type Fill = (object: JsonObject) => void;
type Visit = (value: JsonValue | undefined) => void;

const ofKinds = new WeakMap<Kind, Fill>();
const ofTypes = new Map<string, Fill>();

const nothing: Fill = () => {};

/** Whether rules apply to a type or to anything in it. */
function isReached(typeName: string, seen: Set<string>): boolean {
  if (WITHOUT_DEFAULTS.has(typeName) || seen.has(typeName)) return false;
  seen.add(typeName);
  return DEFAULTS[typeName] !== undefined || fieldsOf(typeName).some(({ type }) => holdsReached(type, seen));
}

function holdsReached(type: FieldType, seen: Set<string>): boolean {
  if (type.kind === 'slice') return holdsReached(type.elem!, seen);
  return type.name !== '' && isReached(type.name, seen);
}

/** Compiled when first used. */
function fillOf(typeName: string): Fill {
  const known = ofTypes.get(typeName);
  if (known) return known;
  const rules = (DEFAULTS[typeName] ?? []).map((rule) => compileRule(typeName, rule));
  const visits = new Map<string, Visit>();
  const structs: [string, Fill][] = [];
  for (const { json, type } of fieldsOf(typeName)) {
    if (!holdsReached(type, new Set())) continue;
    if (type.kind === 'struct' && !type.pointer) structs.push([json, lazyFill(type.name)]);
    else visits.set(json, compileVisit(type));
  }
  const fill: Fill = (object) => {
    for (const rule of rules) rule(object);
    visitAll(object, visits);
    for (const [name, fillStruct] of structs) fillAlways(object, name, fillStruct);
  };
  ofTypes.set(typeName, fill);
  return fill;
}

/** Of what the object has and what can be visited, the fewer are looked up in the more. */
function visitAll(object: JsonObject, visits: ReadonlyMap<string, Visit>): void {
  if (visits.size === 0) return;
  if (object.size < visits.size) {
    for (const [name, value] of object) visits.get(name)?.(value);
    return;
  }
  for (const [name, visit] of visits) visit(object.get(name));
}

/** A struct that isn't a pointer is always there. */
function fillAlways(parent: JsonObject, name: string, fill: Fill): void {
  const value = parent.get(name);
  const struct: JsonObject = value instanceof Map ? value : new Map();
  fill(struct);
  if (struct !== value && struct.size > 0) parent.set(name, struct);
}

function compileRule(typeName: string, rule: Rule): Fill {
  if (typeof rule === 'function') return rule;
  if (!isConditional(rule)) return compileFields(typeName, rule);
  const fill = compileFields(typeName, rule.sets);
  const { when, is } = rule;
  return (object) => {
    const value = object.get(when);
    if (is.includes(typeof value === 'string' ? value : '')) fill(object);
  };
}

function compileFields(typeName: string, fields: Fields): Fill {
  const fills = Object.entries(fields).map(([name, literal]) => {
    const field = fieldsOf(typeName).find(({ json }) => json === name);
    if (!field) throw new Error(`${typeName} has no field ${name}`);
    return compileField(field, literal);
  });
  return (object) => {
    for (const fill of fills) fill(object);
  };
}

function compileField({ json, type }: Field, literal: Literal): Fill {
  const isUnset = type.pointer ? (value?: JsonValue) => (value ?? null) === null : isZero;
  if (type.kind === 'struct' && isFields(literal)) {
    const fill = compileFields(type.name, literal);
    return (object) => {
      let value = object.get(json);
      if (!(value instanceof Map)) {
        value = new Map();
        object.set(json, value);
      }
      fill(value);
    };
  }
  return (object) => {
    if (isUnset(object.get(json))) object.set(json, treeOf(literal));
  };
}

function compileVisit(type: FieldType): Visit {
  const fill = lazyFill((type.kind === 'slice' ? type.elem! : type).name);
  if (type.kind !== 'slice') {
    return (value) => {
      if (value instanceof Map) fill(value);
    };
  }
  return (items) => {
    if (!Array.isArray(items)) return;
    for (const item of items) if (item instanceof Map) fill(item);
  };
}

/** Types may contain themselves. */
function lazyFill(typeName: string): Fill {
  let fill: Fill | undefined;
  return (object) => {
    fill ??= fillOf(typeName);
    fill(object);
  };
}
