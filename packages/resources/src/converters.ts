// An object from one served form to another: the two groups of Event, the two versions of HorizontalPodAutoscaler,
// the versions of a custom kind.
import { autoscalerFromV1, autoscalerToV1 } from './autoscalers.ts';
import type { ApiObject, Kind } from './kind.ts';

/** The object as `to` has it, in normal form. Both are forms of one kind, and neither is changed. */
export function convert(object: ApiObject, from: Kind, to: Kind): ApiObject {
  if (from === to && !isOfAnotherVersion(object, to)) return object;
  const converted = new Map(fieldsOf(object, from, to));
  converted.set('apiVersion', groupVersion(to));
  converted.set('kind', to.kind);
  return to.codec.decodeValue(converted).object;
}

/** Stored before its definition's storage version became another. */
function isOfAnotherVersion(object: ApiObject, kind: Kind): boolean {
  return kind.custom && object.get('apiVersion') !== groupVersion(kind);
}

function groupVersion({ group, version }: Kind): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Versions of a custom kind differ in apiVersion alone; what the schema doesn't know falls away on reading. */
function fieldsOf(object: ApiObject, from: Kind, to: Kind): ApiObject {
  if (from.custom) return object;
  if (from.kind === 'Event') return renamed(object, from.group === '' ? NEW_EVENT_FIELDS : OLD_EVENT_FIELDS);
  return to.version === 'v1' ? autoscalerToV1(object) : autoscalerFromV1(object, to.codec);
}

const NEW_EVENT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]);

const OLD_EVENT_FIELDS: ReadonlyMap<string, string> = new Map(
  [...NEW_EVENT_FIELDS].map(([old, current]) => [current, old]),
);

function renamed(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  return new Map([...object].map(([name, value]) => [names.get(name) ?? name, value]));
}
