// Which fields a field selector may name, kind by kind, and where in an object each is read.
import { findPath, JsonReader, quote } from '@sluice/encoding';
import { badRequest } from './errors.ts';
import { goQuote } from './go-quote.ts';
import type { Kind } from './kind.ts';
import { type FieldSelector, fieldSelector } from './selectors/field.ts';

/** A path's members, or a rule for what lies at none. */
type Reader = readonly string[] | ((item: Uint8Array) => string);

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
  let isRenamed = false;
  for (const term of selector.terms) {
    const field = renamed?.get(term.field) ?? term.field;
    if (!readers.has(field)) {
      throw badRequest(refusal?.(field, kind) ?? `field label not supported: ${field}`);
    }
    isRenamed ||= field !== term.field;
  }
  if (!isRenamed) return selector;
  return fieldSelector(
    selector.terms.map((term) => ({ ...term, field: renamed?.get(term.field) ?? term.field })),
  );
}

/**
 * What a selector's `matches` asks of an object: a field's text, empty when it isn't there. Looks for it in the item's bytes
 * as they are stored; what is passed over isn't read.
 */
export function fieldReader(kind: Kind, item: Uint8Array): (field: string) => string {
  const { readers } = labelsOf(kind);
  return (field) => {
    const reader = readers.get(field);
    if (reader === undefined) return '';
    return typeof reader === 'function' ? reader(item) : textAt(item, reader);
  };
}

function labelsOf(kind: Kind): Labels {
  if (kind.custom) return customLabels(kind);
  return LABELS[kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`] ?? ANY_KIND;
}

function customLabels(kind: Kind): Labels {
  const selectable = (kind.selectableFields ?? []).map((path): [string, Reader] => [
    path,
    path.split('.').map(asStored),
  ]);
  return { readers: fields([NAME, ...(kind.namespaced ? [NAMESPACE] : []), ...selectable]) };
}

/** As the name of a member stands in an item's bytes. */
function asStored(name: string): string {
  return Buffer.from(quote(name).slice(1, -1)).toString('latin1');
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
function eventSource(item: Uint8Array): string {
  const sources = [
    ['source', 'component'],
    ['deprecatedSource', 'component'],
    ['reportingComponent'],
    ['reportingController'],
  ];
  return sources.map((path) => textAt(item, path)).find((text) => text !== '') ?? '';
}

function either(path: readonly string[], other: readonly string[]): Reader {
  return (item) => textAt(item, path) || textAt(item, other);
}

function flag(...path: string[]): Reader {
  return (item) => textAt(item, path) || 'false';
}

function count(...path: string[]): Reader {
  return (item) => textAt(item, path) || '0';
}

function fields(names: readonly (string | [string, Reader])[]): ReadonlyMap<string, Reader> {
  return new Map(names.map((name) => (typeof name === 'string' ? [name, name.split('.')] : name)));
}

function textAt(item: Uint8Array, path: readonly string[]): string {
  const found = findPath(item, path);
  if (!found) return '';
  const { start, end } = found;
  const first = item[start];
  if (first === OPEN_BRACE || first === OPEN_BRACKET || first === NULL) return '';
  const text = Buffer.from(item.buffer, item.byteOffset + start, end - start).toString();
  return first === QUOTE ? new JsonReader(text).string() : text;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const NULL = 0x6e;
const OPEN_BRACE = 0x7b;
