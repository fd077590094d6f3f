// The Event's row, in both groups: fields have other names in events.k8s.io.
import { age } from './age.ts';
import { type Cell, type RowPrinter, rowPrinter } from './row-printer.ts';

const SOURCE = { component: 'text', host: 'text' } as const;
const INVOLVED = { kind: 'text', name: 'text', fieldPath: 'text' } as const;
const SERIES = { count: 'number', lastObservedTime: 'text' } as const;

type Event = {
  name?: string | undefined;
  type?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  involved?: { kind?: string; name?: string; fieldPath?: string } | undefined;
  source?: { component?: string; host?: string } | undefined;
  controller?: string | undefined;
  instance?: string | undefined;
  first?: string | undefined;
  last?: string | undefined;
  time?: string | undefined;
  count?: number | undefined;
  series?: { count?: number; lastObservedTime?: string } | undefined;
};

export const coreEventRow: RowPrinter = rowPrinter(
  {
    metadata: { name: 'text' },
    involvedObject: INVOLVED,
    reason: 'text',
    message: 'text',
    source: SOURCE,
    firstTimestamp: 'text',
    lastTimestamp: 'text',
    count: 'number',
    type: 'text',
    eventTime: 'text',
    series: SERIES,
    reportingComponent: 'text',
    reportingInstance: 'text',
  },
  (event) =>
    cells({
      name: event.metadata?.name,
      type: event.type,
      reason: event.reason,
      message: event.message,
      involved: event.involvedObject,
      source: event.source,
      controller: event.reportingComponent,
      instance: event.reportingInstance,
      first: event.firstTimestamp,
      last: event.lastTimestamp,
      time: event.eventTime,
      count: event.count,
      series: event.series,
    }),
);

export const newEventRow: RowPrinter = rowPrinter(
  {
    metadata: { name: 'text' },
    eventTime: 'text',
    series: SERIES,
    reportingController: 'text',
    reportingInstance: 'text',
    reason: 'text',
    regarding: INVOLVED,
    note: 'text',
    type: 'text',
    deprecatedSource: SOURCE,
    deprecatedFirstTimestamp: 'text',
    deprecatedLastTimestamp: 'text',
    deprecatedCount: 'number',
  },
  (event) =>
    cells({
      name: event.metadata?.name,
      type: event.type,
      reason: event.reason,
      message: event.note,
      involved: event.regarding,
      source: event.deprecatedSource,
      controller: event.reportingController,
      instance: event.reportingInstance,
      first: event.deprecatedFirstTimestamp,
      last: event.deprecatedLastTimestamp,
      time: event.eventTime,
      count: event.deprecatedCount,
      series: event.series,
    }),
);

function cells(event: Event): Cell[] {
  const { involved, series } = event;
  const first = event.first ?? event.time;
  const last = series === undefined ? (event.last ?? first) : series.lastObservedTime;
  const kind = (involved?.kind ?? '').toLowerCase();
  return [
    age(last),
    event.type ?? '',
    event.reason ?? '',
    involved?.name ? `${kind}/${involved.name}` : kind,
    involved?.fieldPath ?? '',
    sourceText(event),
    trimSpace(event.message ?? ''),
    age(first),
    series === undefined ? event.count || 1 : (series.count ?? 0),
    event.name ?? '',
  ];
}

function sourceText({ source, controller, instance }: Event): string {
  const component = source?.component || controller || '';
  const host = source?.host || instance || '';
  return host === '' ? component : `${component}, ${host}`;
}

/** Unicode white space as Go has it: with U+0085, without U+FEFF. */
function trimSpace(text: string): string {
  return text.replace(/^(?:(?!\ufeff)[\s\u0085])+|(?:(?!\ufeff)[\s\u0085])+$/g, '');
}
