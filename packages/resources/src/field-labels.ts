// Which fields a field selector may name, kind by kind, and where in an object each is read.
import { JsonNumber, type JsonValue } from '@sluice/encoding';
import { badRequest } from './errors.ts';
import { goQuote } from './go-quote.ts';
import type { ApiObject, Kind } from './kind.ts';
import { type FieldSelector, fieldSelector } from './selectors/field.ts';

/** A path's members, or a rule for what lies at none. */
type Reader = readonly string[] | ((object: ApiObject) => string);

type Labels = {
  readers: ReadonlyMap<string, Reader>;
  /** Old names that stand for new ones. */
  renamed?: ReadonlyMap<string, string>;
  refusal?: (field: string, kind: Kind) => string;
};

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

const LABELS: Readonly<Record<string, Labels>> = {
  pods: {
    readers: fields([
      NAME,
      NAMESPACE,
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      ['spec.hostNetwork', flag('spec', 'hostNetwork')],
      'status.phase',
      'status.podIP',
      // Accepted, but no attribute of that name is ever set.
      ['status.podIPs', () => ''],
      'status.nominatedNodeName',
    ]),
    renamed: new Map([['spec.host', 'spec.nodeName']]),
  },
  nodes: { readers: fields([NAME, ['spec.unschedulable', flag('spec', 'unschedulable')]]) },
  replicationcontrollers: {
    readers: fields([NAME, NAMESPACE, ['status.replicas', count('status', 'replicas')]]),
  },
  events: { readers: fields(eventFields('involvedObject')) },
  'events.events.k8s.io': { readers: fields(eventFields('regarding')) },
  namespaces: { readers: fields([NAME, 'status.phase']) },
  secrets: { readers: fields([NAME, NAMESPACE, 'type']) },
  services: { readers: fields([NAME, NAMESPACE, 'spec.clusterIP', 'spec.type']) },
  'jobs.batch': {
    readers: fields([NAME, NAMESPACE, ['status.successful', count('status', 'succeeded')]]),
    refusal: (field) => `field label ${goQuote(field)} not supported for Job`,
  },
  'certificatesigningrequests.certificates.k8s.io': { readers: fields([NAME, 'spec.signerName']) },
  'clustertrustbundles.certificates.k8s.io': { readers: fields([NAME, 'spec.signerName']) },
  'podcertificaterequests.certificates.k8s.io': {
    readers: fields([NAME, 'spec.signerName', 'spec.podName', 'spec.nodeName']),
  },
  'resourceslices.resource.k8s.io': {
    readers: fields([NAME, 'spec.nodeName', 'spec.driver', 'spec.pool.name']),
    refusal: (field, kind) =>
      `field label not supported for ${kind.group}/${kind.version}, Kind=${kind.kind}: ${field}`,
  },
};

const ANY_KIND: Labels = {
  readers: fields([NAME, NAMESPACE]),
  refusal: (field) =>
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

/** The selector with old names replaced. ApiError 400 for the first field the kind can't be selected by. */
export function checkFieldLabels(kind: Kind, selector: FieldSelector): FieldSelector {
  const { readers, renamed, refusal } = labelsOf(kind);
  const terms = selector.terms.map((term) => {
    const field = renamed?.get(term.field) ?? term.field;
    if (readers.has(field)) return { ...term, field };
    throw badRequest(refusal?.(field, kind) ?? `field label not supported: ${field}`);
  });
  return fieldSelector(terms);
}

/** What a selector's `matches` asks of an object: a field's text, empty when it isn't there. */
export function fieldReader(kind: Kind, object: ApiObject): (field: string) => string {
  const { readers } = labelsOf(kind);
  return (field) => {
    const reader = readers.get(field);
    if (reader === undefined) return '';
    return typeof reader === 'function' ? reader(object) : textAt(object, reader);
  };
}

function labelsOf(kind: Kind): Labels {
  if (kind.custom) return customLabels(kind);
  return LABELS[kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`] ?? ANY_KIND;
}

function customLabels(kind: Kind): Labels {
  const selectable = (kind.selectableFields ?? []).map((path): [string, Reader] => [path, path.split('.')]);
  return { readers: fields([NAME, ...(kind.namespaced ? [NAMESPACE] : []), ...selectable]) };
}

function eventFields(subject: string): (string | [string, Reader])[] {
  const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return [
    NAME,
    NAMESPACE,
    ...parts.map((part): [string, Reader] => [
      `${subject}.${part}`,
      either([subject, part], ['involvedObject', part]),
    ]),
    'reason',
    ['reportingComponent', either(['reportingComponent'], ['reportingController'])],
    ['source', eventSource],
    'type',
  ];
}

/** The source's component; events in the new form have only the reporting one. */
function eventSource(object: ApiObject): string {
  const sources = [
    ['source', 'component'],
    ['deprecatedSource', 'component'],
    ['reportingComponent'],
    ['reportingController'],
  ];
  return sources.map((path) => textAt(object, path)).find((text) => text !== '') ?? '';
}

function either(path: readonly string[], other: readonly string[]): Reader {
  return (object) => textAt(object, path) || textAt(object, other);
}

function flag(...path: string[]): Reader {
  return (object) => textAt(object, path) || 'false';
}

function count(...path: string[]): Reader {
  return (object) => textAt(object, path) || '0';
}

function fields(names: readonly (string | [string, Reader])[]): ReadonlyMap<string, Reader> {
  return new Map(names.map((name) => (typeof name === 'string' ? [name, name.split('.')] : name)));
}

function textAt(object: ApiObject, path: readonly string[]): string {
  let value: JsonValue | undefined = object;
  for (const part of path) value = value instanceof Map ? value.get(part) : undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof JsonNumber ? value.text : '';
}
