// The metrics of a HorizontalPodAutoscaler as autoscaling/v1 spells them in annotations: flat names for v2's nested ones.
import type { JsonObject, JsonValue } from '@sluice/encoding';

/** v1's field, where v2 has it, and whether v1 prints zero for one that is missing. In v1's order. */
type Row = [name: string, path: string, zero?: '0'];

const SOURCES: Readonly<Record<string, readonly Row[]>> = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['targetValue', 'target.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'target.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['targetAverageValue', 'target.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: [
    ['name', 'name'],
    ['targetAverageUtilization', 'target.averageUtilization'],
    ['targetAverageValue', 'target.averageValue'],
  ],
  containerResource: [
    ['name', 'name'],
    ['targetAverageUtilization', 'target.averageUtilization'],
    ['targetAverageValue', 'target.averageValue'],
    ['container', 'container'],
  ],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['targetValue', 'target.value'],
    ['targetAverageValue', 'target.averageValue'],
  ],
};

const STATUSES: Readonly<Record<string, readonly Row[]>> = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['currentValue', 'current.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'current.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['currentAverageValue', 'current.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: [
    ['name', 'name'],
    ['currentAverageUtilization', 'current.averageUtilization'],
    ['currentAverageValue', 'current.averageValue', '0'],
  ],
  containerResource: [
    ['name', 'name'],
    ['currentAverageUtilization', 'current.averageUtilization'],
    ['currentAverageValue', 'current.averageValue', '0'],
    ['container', 'container'],
  ],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['currentValue', 'current.value', '0'],
    ['currentAverageValue', 'current.averageValue'],
  ],
};

export function metricToV1(metric: JsonValue): JsonValue {
  return eachPart(metric, SOURCES, flattened);
}

export function statusToV1(metric: JsonValue): JsonValue {
  return eachPart(metric, STATUSES, flattened);
}

export function statusFromV1(metric: JsonObject): JsonValue {
  return eachPart(metric, STATUSES, nested);
}

export function metricFromV1(metric: JsonObject): JsonValue {
  return eachPart(metric, SOURCES, (part, rows, name) => {
    const source = nested(part, rows);
    const target = source.get('target');
    if (target instanceof Map) {
      const isAverage = target.has('averageValue');
      if (name === 'object' && isAverage && target.get('value') === '0') target.delete('value');
      target.set('type', targetType(name, target));
    }
    return source;
  });
}

/** v1 doesn't say how a target is meant; it follows from what is there. */
function targetType(part: string, target: JsonObject): string {
  if (part === 'object') return target.has('averageValue') ? 'AverageValue' : 'Value';
  if (part === 'external') return target.has('value') ? 'Value' : 'AverageValue';
  return target.has('averageUtilization') ? 'Utilization' : 'AverageValue';
}

type Change = (part: JsonObject, rows: readonly Row[], name: string) => JsonObject;

function eachPart(
  metric: JsonValue,
  parts: Readonly<Record<string, readonly Row[]>>,
  change: Change,
): JsonValue {
  if (!(metric instanceof Map)) return metric;
  const changed: JsonObject = new Map();
  for (const [name, value] of metric) {
    const rows = parts[name];
    changed.set(name, rows !== undefined && value instanceof Map ? change(value, rows, name) : value);
  }
  return changed;
}

function flattened(part: JsonObject, rows: readonly Row[]): JsonObject {
  const flat: JsonObject = new Map();
  for (const [name, path, zero] of rows) {
    const value = path.split('.').reduce<JsonValue | undefined>(member, part) ?? zero;
    if (value !== undefined && value !== null) flat.set(name, value);
  }
  return flat;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value instanceof Map ? value.get(name) : undefined;
}

/** `metric` and `target` (or `current`) are always there. */
function nested(part: JsonObject, rows: readonly Row[]): JsonObject {
  const deep: JsonObject = new Map();
  for (const [name, path, zero] of rows) {
    const [outer = '', inner] = path.split('.');
    const value = part.get(name) ?? zero;
    if (inner === undefined) {
      if (value !== undefined) deep.set(outer, value);
      continue;
    }
    const holder = deep.get(outer);
    const members: JsonObject = holder instanceof Map ? holder : new Map();
    if (value !== undefined) members.set(inner, value);
    deep.set(outer, members);
  }
  return deep;
}
