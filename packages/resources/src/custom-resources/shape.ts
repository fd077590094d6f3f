// From an openAPIV3Schema to the shape a codec prunes by: which fields are known, and where any may stand.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { NO_SHAPE, type Shape } from '../schema/shape.ts';
import { members } from '../tree.ts';

/** Without a schema everything is kept. */
export function shapeOf(schema: JsonObject | undefined): Shape {
  if (schema === undefined) return { ...NO_SHAPE, preserve: true };
  return {
    preserve: schema.get('x-kubernetes-preserve-unknown-fields') === true,
    embedded: schema.get('x-kubernetes-embedded-resource') === true,
    nullable: schema.get('nullable') === true,
    default: schema.get('default') ?? undefined,
    properties: propertyShapes(schema),
    additional: additionalShape(schema.get('additionalProperties')),
    items: itemShape(schema.get('items')),
  };
}

function propertyShapes(schema: JsonObject): ReadonlyMap<string, Shape> | null {
  const properties = members(schema.get('properties'));
  if (properties.size === 0) return null;
  return new Map([...properties].map(([name, property]) => [name, shapeOf(members(property))]));
}

/** Of a value that may be anything nothing is known: its own fields are dropped. The reference takes `false` like `true`. */
function additionalShape(additional: JsonValue | undefined): Shape | null {
  if (typeof additional === 'boolean') return NO_SHAPE;
  return additional instanceof Map ? shapeOf(additional) : null;
}

function itemShape(items: JsonValue | undefined): Shape | null {
  return items instanceof Map ? shapeOf(items) : null;
}
