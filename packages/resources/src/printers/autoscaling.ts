// The HorizontalPodAutoscaler's row. What it watches is read from the v2 form, whichever form is shown.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import { JsonNumber } from '@sluice/encoding';
import { list, members, text } from '../tree.ts';
import { age } from './age.ts';
import { firstFew, NONE, UNKNOWN, UNSET } from './cell-text.ts';
import { METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

/** How many metrics the cell shows. */
const SHOWN = 2;

export const autoscalerRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      scaleTargetRef: { kind: 'text', name: 'text' },
      minReplicas: 'number',
      maxReplicas: 'number',
      metrics: 'tree',
    },
    status: { currentReplicas: 'number', currentMetrics: 'tree' },
  },
  ({ metadata, spec, status }) => {
    const { kind = '', name = '' } = spec?.scaleTargetRef ?? {};
    return [
      metadata?.name ?? '',
      `${kind}/${name}`,
      metricsText(list(spec?.metrics), list(status?.currentMetrics)),
      spec?.minReplicas === undefined ? UNSET : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      age(metadata?.creationTimestamp),
    ];
  },
);

function metricsText(specs: readonly JsonValue[], statuses: readonly JsonValue[]): string {
  if (specs.length === 0) return NONE;
  const texts = specs.map((spec, index) => metricText(members(spec), members(statuses[index])));
  return firstFew(texts, SHOWN, ', ');
}

/** Where each type of metric keeps its target and its current value. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['External', 'external'],
]);

/** A status is only looked at where it is of the spec's type. */
function metricText(spec: JsonObject, status: JsonObject): string {
  const type = text(spec.get('type'));
  const member = MEMBERS.get(type);
  if (member === undefined) return '<unknown type>';
  const metric = members(spec.get(member));
  const target = members(metric.get('target'));
  const current = members(members(status.get(member)).get('current'));
  const averages = `${value(current, 'averageValue') ?? UNKNOWN}/${value(target, 'averageValue')}`;
  if (type === 'Pods') return averages;
  const hasAverage = target.get('averageValue') !== undefined;
  if (type === 'Object' || type === 'External') {
    return hasAverage
      ? `${averages} (avg)`
      : `${value(current, 'value') ?? UNKNOWN}/${value(target, 'value')}`;
  }
  const shares = `${share(current) ?? UNKNOWN}/${share(target) ?? '<auto>'}`;
  return `${text(metric.get('name'))}: ${hasAverage ? averages : shares}`;
}

function value(metric: JsonObject, name: string): string | undefined {
  const found = metric.get(name);
  return typeof found === 'string' ? found : undefined;
}

function share(metric: JsonObject): string | undefined {
  const utilization = metric.get('averageUtilization');
  return utilization instanceof JsonNumber ? `${utilization.text}%` : undefined;
}
