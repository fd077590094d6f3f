// Rows of Job and CronJob.
import { age, humanDuration, Since } from './age.ts';
import { containerCells, flagText, NONE, TEMPLATE_CONTAINERS } from './cell-text.ts';
import type { Picked } from './pick.ts';
import { type Cell, METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';
import { selectorText } from './selector-text.ts';

const JOB = {
  metadata: { ...METADATA, deletionTimestamp: 'some' },
  spec: {
    completions: 'number',
    parallelism: 'number',
    selector: 'tree',
    template: { spec: TEMPLATE_CONTAINERS },
  },
  status: {
    succeeded: 'number',
    startTime: 'text',
    completionTime: 'text',
    conditions: [{ type: 'text', status: 'text' }],
  },
} as const;

type Job = Picked<typeof JOB>;

export const jobRow: RowPrinter = rowPrinter(JOB, (job) => [
  job.metadata?.name ?? '',
  stateWord(job),
  completions(job),
  durationText(job),
  age(job.metadata?.creationTimestamp),
  ...containerCells(job.spec?.template?.spec?.containers),
  selectorText(job.spec?.selector),
]);

export const cronJobRow: RowPrinter = rowPrinter(
  {
    metadata: METADATA,
    spec: {
      schedule: 'text',
      timeZone: 'text',
      suspend: 'flag',
      jobTemplate: { spec: { selector: 'tree', template: { spec: TEMPLATE_CONTAINERS } } },
    },
    status: { active: 'size', lastScheduleTime: 'text' },
  },
  ({ metadata, spec, status }) => [
    metadata?.name ?? '',
    spec?.schedule ?? '',
    spec?.timeZone ?? NONE,
    flagText(spec?.suspend),
    status?.active ?? 0,
    status?.lastScheduleTime === undefined ? NONE : age(status.lastScheduleTime),
    age(metadata?.creationTimestamp),
    ...containerCells(spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorText(spec?.jobTemplate?.spec?.selector),
  ],
);

function stateWord({ metadata, status }: Job): string {
  const holds = (condition: string): boolean =>
    status?.conditions?.some(({ type, status }) => type === condition && status === 'True') === true;
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: Job): Cell {
  if (status?.startTime === undefined) return '';
  const start = Date.parse(status.startTime);
  if (status.completionTime === undefined) return new Since(start);
  return humanDuration(Date.parse(status.completionTime) - start);
}
