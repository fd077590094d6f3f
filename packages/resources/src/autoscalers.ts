// HorizontalPodAutoscaler between its two versions. autoscaling/v1 knows one number, the CPU's utilization; all else
// that v2 says stands as JSON in annotations, so that a client of v1 can send it back unharmed.
import {
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printText,
} from '@sluice/encoding';
import { metricFromV1, metricToV1, statusFromV1, statusToV1 } from './autoscaler-metrics.ts';
import { type ApiObject, type Codec, DecodeError } from './kind.ts';
import { changed, list, members } from './tree.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
const OWN_ANNOTATIONS = [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR].concat(
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
);

const DEFAULT_CPU_UTILIZATION = new JsonNumber('80');

/** From the stored v2. */
export function autoscalerToV1(object: ApiObject): ApiObject {
  const spec = members(object.get('spec'));
  const status = members(object.get('status'));
  const metrics = list(spec.get('metrics'));
  const current = list(status.get('currentMetrics'));
  const conditions = list(status.get('conditions'));
  const behavior = spec.get('behavior');
  const others = metrics.filter((metric) => cpuTarget(metric) === undefined);
  const annotations = foreignAnnotations(object);
  if (others.length > 0) annotations.set(METRICS, printText(others.map(metricToV1)));
  if (current.length > 0) annotations.set(CURRENT_METRICS, printText(current.map(statusToV1)));
  if (behavior instanceof Map) annotations.set(BEHAVIOR, printText(behaviorInGo(behavior)));
  if (conditions.length > 0) annotations.set(CONDITIONS, printText(conditions.map(conditionInFull)));
  return changed(object, {
    metadata: withAnnotations(object, annotations),
    spec: changed(spec, {
      metrics: undefined,
      behavior: undefined,
      targetCPUUtilizationPercentage: metrics.map(cpuTarget).find((target) => target !== undefined),
    }),
    status: changed(status, {
      currentMetrics: undefined,
      conditions: undefined,
      currentCPUUtilizationPercentage: current.map(cpuCurrent).findLast((value) => value !== undefined),
    }),
  });
}

/** Annotations that can't be read as what they should be are dropped without a word. */
export function autoscalerFromV1(object: ApiObject, codec: Codec): ApiObject {
  const spec = members(object.get('spec'));
  const status = members(object.get('status'));
  const target = spec.get('targetCPUUtilizationPercentage');
  const current = status.get('currentCPUUtilizationPercentage');
  const read = annotationReader(object, codec);
  const metrics = [
    ...(read(METRICS, metricFromV1, (values) => ({ spec: { metrics: values } })) ?? []),
    ...(target instanceof JsonNumber ? [cpuMetric(target)] : []),
  ];
  const statuses = read(CURRENT_METRICS, statusFromV1, (values) => ({ status: { currentMetrics: values } }));
  const behaviors = read(BEHAVIOR, behaviorFromGo, (values) => ({ spec: { behavior: values[0] } }));
  return changed(object, {
    metadata: withAnnotations(object, foreignAnnotations(object)),
    spec: changed(spec, {
      targetCPUUtilizationPercentage: undefined,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(DEFAULT_CPU_UTILIZATION)],
      behavior: behaviors?.[0],
    }),
    status: changed(status, {
      currentCPUUtilizationPercentage: undefined,
      currentMetrics: statuses ?? (current instanceof JsonNumber ? [cpuStatus(current)] : undefined),
      conditions: read(
        CONDITIONS,
        (value) => value,
        (values) => ({ status: { conditions: values } }),
      ),
    }),
  });
}

type Place = { spec?: Record<string, JsonValue | undefined>; status?: Record<string, JsonValue | undefined> };
type Reader = (
  annotation: string,
  convert: (value: JsonObject) => JsonValue | undefined,
  place: (values: JsonValue[]) => Place,
) => JsonValue[] | undefined;

/** Reads an annotation's array, or its one object; undefined when the codec would refuse it in its place. */
function annotationReader(object: ApiObject, codec: Codec): Reader {
  const annotations = members(members(object.get('metadata')).get('annotations'));
  return (annotation, convert, place) => {
    const value = parsed(annotations.get(annotation));
    const expectsOne = annotation === BEHAVIOR;
    if (value === undefined || Array.isArray(value) === expectsOne) return undefined;
    const values = (expectsOne ? [value] : list(value)).map((item) =>
      item instanceof Map ? convert(item) : undefined,
    );
    if (!values.every((item) => item !== undefined)) return undefined;
    const { spec = {}, status = {} } = place(values);
    const probe = new Map([
      ['spec', changed(new Map(), spec)],
      ['status', changed(new Map(), status)],
    ]);
    return isReadable(probe, codec) ? values : undefined;
  };
}

function parsed(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function isReadable(object: ApiObject, codec: Codec): boolean {
  try {
    codec.decodeValue(object);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

function cpuTarget(metric: JsonValue): JsonValue | undefined {
  const resource = cpuResource(metric);
  return resource && members(resource.get('target')).get('averageUtilization');
}

function cpuCurrent(metric: JsonValue): JsonValue | undefined {
  const resource = cpuResource(metric);
  return resource && members(resource.get('current')).get('averageUtilization');
}

function cpuResource(metric: JsonValue): JsonObject | undefined {
  const resource = members(metric).get('resource');
  const isCpu =
    members(metric).get('type') === 'Resource' && resource instanceof Map && resource.get('name') === 'cpu';
  return isCpu ? resource : undefined;
}

function cpuMetric(utilization: JsonNumber): JsonObject {
  const target = new Map<string, JsonValue>([
    ['type', 'Utilization'],
    ['averageUtilization', utilization],
  ]);
  return resourceMetric('target', target);
}

function cpuStatus(utilization: JsonNumber): JsonObject {
  return resourceMetric('current', new Map([['averageUtilization', utilization]]));
}

function resourceMetric(name: string, value: JsonObject): JsonObject {
  const resource = new Map<string, JsonValue>([
    ['name', 'cpu'],
    [name, value],
  ]);
  return new Map<string, JsonValue>([
    ['type', 'Resource'],
    ['resource', resource],
  ]);
}

/** Go prints a time that isn't set; a tree leaves it out. */
function conditionInFull(condition: JsonValue): JsonObject {
  const given = members(condition);
  return new Map<string, JsonValue>([
    ['type', given.get('type') ?? ''],
    ['status', given.get('status') ?? ''],
    ['lastTransitionTime', given.get('lastTransitionTime') ?? null],
    ...given,
  ]);
}

const BEHAVIOR_FIELDS = ['scaleUp', 'scaleDown'];
const RULE_FIELDS = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'];
const POLICY_FIELDS = ['type', 'value', 'periodSeconds'];

/** The reference writes its internal structs here, which have no JSON names: all fields, by their Go names. */
function behaviorInGo(behavior: JsonObject): JsonObject {
  return inGo(behavior, BEHAVIOR_FIELDS, (rules) =>
    inGo(rules, RULE_FIELDS, (policies) =>
      list(policies).map((policy) => inGo(policy, POLICY_FIELDS, (value) => value)),
    ),
  );
}

function inGo(
  value: JsonValue,
  fields: readonly string[],
  inner: (value: JsonValue) => JsonValue,
): JsonObject {
  return new Map(
    fields.map((field) => {
      const member = members(value).get(field) ?? null;
      const isInner = member instanceof Map || Array.isArray(member);
      return [field[0]?.toUpperCase() + field.slice(1), isInner ? inner(member) : member];
    }),
  );
}

/** Names in any case; undefined for one that says nothing. */
function behaviorFromGo(value: JsonObject): JsonObject | undefined {
  const known = new Map(
    [...BEHAVIOR_FIELDS, ...RULE_FIELDS, ...POLICY_FIELDS].map((name) => [name.toLowerCase(), name]),
  );
  const named = (part: JsonValue): JsonValue => {
    if (Array.isArray(part)) return part.map(named);
    if (!(part instanceof Map)) return part;
    return new Map([...part].map(([name, member]) => [known.get(name.toLowerCase()) ?? name, named(member)]));
  };
  const behavior = members(named(value));
  return BEHAVIOR_FIELDS.some((field) => behavior.get(field) instanceof Map) ? behavior : undefined;
}

function foreignAnnotations(object: ApiObject): JsonObject {
  const annotations = new Map(members(members(object.get('metadata')).get('annotations')));
  for (const name of OWN_ANNOTATIONS) annotations.delete(name);
  return annotations;
}

function withAnnotations(object: ApiObject, annotations: JsonObject): JsonObject {
  return changed(members(object.get('metadata')), {
    annotations: annotations.size > 0 ? annotations : undefined,
  });
}
