// Rows of what decides over requests and Pods: admission, budgets, priorities, flow control.
import { JsonNumber, type JsonObject, type JsonValue, sortedKeys } from '@sluice/encoding';
import { list, members, text, texts } from '../tree.ts';
import { age } from './age.ts';
import { NONE, UNSET } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

export const webhookConfigurationRow: RowPrinter = rowPrinter(
  { metadata: METADATA, webhooks: 'size' },
  ({ metadata, webhooks }) => [metadata?.name ?? '', webhooks ?? 0, age(metadata?.creationTimestamp)],
);

const PARAM_KIND = { apiVersion: 'text', kind: 'text' } as const;

export const validatingPolicyRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { validations: 'size', paramKind: PARAM_KIND } },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.validations ?? 0,
    paramKindText(spec?.paramKind),
    age(metadata?.creationTimestamp),
  ],
);

export const mutatingPolicyRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { mutations: 'size', paramKind: PARAM_KIND } },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.mutations ?? 0,
    paramKindText(spec?.paramKind),
    age(metadata?.creationTimestamp),
  ],
);

function paramKindText(param: { apiVersion?: string; kind?: string } | undefined): string {
  return param === undefined ? UNSET : `${param.apiVersion ?? ''}/${param.kind ?? ''}`;
}

export const policyBindingRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { policyName: 'text', paramRef: { name: 'text', namespace: 'text', selector: 'tree' } },
  },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.policyName ?? '',
    paramRefText(spec?.paramRef),
    age(metadata?.creationTimestamp),
  ],
);

function paramRefText(ref: { name?: string; namespace?: string; selector?: JsonValue } | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector instanceof Map ? selectorInGo(ref.selector) : UNSET;
}

/** A selector as Go's debug form of it has it: that is what the reference shows. */
function selectorInGo(selector: JsonObject): string {
  const labels = members(selector.get('matchLabels'));
  const pairs = sortedKeys(labels).map((key) => `${key}: ${text(labels.get(key))},`);
  const requirements = list(selector.get('matchExpressions')).map((expression) => {
    const requirement = members(expression);
    const key = text(requirement.get('key'));
    const operator = text(requirement.get('operator'));
    const values = texts(requirement.get('values')).join(' ');
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

export const disruptionBudgetRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { minAvailable: 'tree', maxUnavailable: 'tree' },
    status: { disruptionsAllowed: 'number' },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    countOrShare(spec?.minAvailable),
    countOrShare(spec?.maxUnavailable),
    status?.disruptionsAllowed ?? 0,
    age(metadata?.creationTimestamp),
  ],
);

function countOrShare(value: JsonValue | undefined): string {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : 'N/A';
}

export const priorityClassRow: RowPrinter = rowPrinter(
  { metadata: METADATA, value: 'number', globalDefault: 'flag', preemptionPolicy: 'text' },
  ({ metadata, value, globalDefault, preemptionPolicy }) => [
    metadata?.name ?? '',
    value ?? 0,
    globalDefault ?? false,
    age(metadata?.creationTimestamp),
    preemptionPolicy ?? '',
  ],
);

export const flowSchemaRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      priorityLevelConfiguration: { name: 'text' },
      matchingPrecedence: 'number',
      distinguisherMethod: { type: 'text' },
    },
    status: { conditions: [{ type: 'text', status: 'text' }] },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.priorityLevelConfiguration?.name ?? '',
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod === undefined ? NONE : (spec.distinguisherMethod.type ?? ''),
    age(metadata?.creationTimestamp),
    status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ],
);

export const priorityLevelRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      type: 'text',
      limited: {
        nominalConcurrencyShares: 'number',
        limitResponse: { queuing: { queues: 'number', handSize: 'number', queueLengthLimit: 'number' } },
      },
    },
  },
  ({ metadata, spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return [
      metadata?.name ?? '',
      spec?.type ?? '',
      spec?.limited?.nominalConcurrencyShares ?? NONE,
      queuing?.queues ?? NONE,
      queuing?.handSize ?? NONE,
      queuing?.queueLengthLimit ?? NONE,
      age(metadata?.creationTimestamp),
    ];
  },
);

export const apiServiceRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { service: { namespace: 'text', name: 'text' } },
    status: { conditions: [{ type: 'text', status: 'text', reason: 'text' }] },
  },
  ({ metadata, spec, status }) => {
    const available = status?.conditions?.find(({ type }) => type === 'Available');
    const word = available?.status ?? 'Unknown';
    return [
      metadata?.name ?? '',
      spec?.service === undefined ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
      word !== 'True' && available?.reason ? `${word} (${available.reason})` : word,
      age(metadata?.creationTimestamp),
    ];
  },
);

export const leaseRow: RowPrinter = rowPrinter(
  { metadata: METADATA, spec: { holderIdentity: 'text' } },
  ({ metadata, spec }) => [
    metadata?.name ?? '',
    spec?.holderIdentity ?? '',
    age(metadata?.creationTimestamp),
  ],
);

export const runtimeClassRow: RowPrinter = rowPrinter(
  { metadata: METADATA, handler: 'text' },
  ({ metadata, handler }) => [metadata?.name ?? '', handler ?? '', age(metadata?.creationTimestamp)],
);

export const migrationRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: { resource: { group: 'text', resource: 'text' } },
    status: { conditions: [{ type: 'text', status: 'text' }] },
  },
  ({ metadata, spec, status }) => {
    const { group, resource = '' } = spec?.resource ?? {};
    const holds = (condition: string): boolean =>
      status?.conditions?.some(({ type, status }) => type === condition && status === 'True') === true;
    return [
      metadata?.name ?? '',
      group ? `${resource}.${group}` : resource,
      ['Succeeded', 'Failed', 'Running'].find(holds) ?? 'Unknown',
    ];
  },
);
