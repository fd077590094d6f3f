// The Pod's row: readiness, the word for its state, restarts; templates of Pods.
import { age, Since } from './age.ts';
import { containerCells, labelsText, NONE, TEMPLATE_CONTAINERS } from './cell-text.ts';
import type { Picked } from './pick.ts';
import { type Cell, METADATA, type RowPrinter, rowPrinter } from './row-printer.ts';

const CONTAINER_STATUS = {
  name: 'text',
  ready: 'flag',
  started: 'flag',
  restartCount: 'number',
  state: {
    waiting: { reason: 'text' },
    running: 'some',
    terminated: { reason: 'text', exitCode: 'number', signal: 'number' },
  },
  lastState: { terminated: { finishedAt: 'text' } },
} as const;

const POD = {
  metadata: { ...METADATA, deletionTimestamp: 'some' },
  spec: {
    containers: 'size',
    initContainers: [{ name: 'text', restartPolicy: 'text' }],
    nodeName: 'text',
    readinessGates: [{ conditionType: 'text' }],
  },
  status: {
    phase: 'text',
    reason: 'text',
    conditions: [{ type: 'text', status: 'text', reason: 'text' }],
    podIPs: [{ ip: 'text' }],
    nominatedNodeName: 'text',
    initContainerStatuses: [CONTAINER_STATUS],
    containerStatuses: [CONTAINER_STATUS],
  },
} as const;

type Pod = Picked<typeof POD>;
type ContainerStatus = Picked<typeof CONTAINER_STATUS>;

const FINISHED: Readonly<Record<string, string>> = {
  Succeeded: conditions('Succeeded', 'The pod has completed successfully.'),
  Failed: conditions('Failed', 'The pod failed.'),
};

export const podRow: RowPrinter = rowPrinter(
  POD,
  (pod) => {
    const { metadata, spec, status } = pod;
    const init = initContainersOf(pod);
    const run = init.initializing && !isTrue(pod, 'Initialized') ? undefined : containersOf(pod, init);
    const restarts = run ?? init;
    const ready = init.ready + (run?.ready ?? 0);
    return [
      metadata?.name ?? '',
      `${ready}/${(spec?.containers ?? 0) + init.sidecars.size}`,
      deletionWord(pod) ?? run?.word ?? init.word,
      restartsText(restarts.restarts, restarts.lastRestart),
      age(metadata?.creationTimestamp),
      status?.podIPs?.[0]?.ip || NONE,
      spec?.nodeName || NONE,
      status?.nominatedNodeName || NONE,
      readinessGates(pod),
    ];
  },
  (pod) => FINISHED[pod.status?.phase ?? ''] ?? '',
);

export const podTemplateRow: RowPrinter = rowPrinter(
  { metadata: METADATA, template: { metadata: { labels: 'tree' }, spec: TEMPLATE_CONTAINERS } },
  ({ metadata, template }) => [
    metadata?.name ?? '',
    ...containerCells(template?.spec?.containers),
    labelsText(template?.metadata?.labels),
  ],
);

/** What is known once some of the containers have been looked at. */
type Progress = { word: string; ready: number; restarts: number; lastRestart: string };

type InitProgress = Progress & {
  initializing: boolean;
  /** Names of init containers that go on running. */
  sidecars: ReadonlySet<string>;
  /** Of these alone. */
  sidecarRestarts: number;
  sidecarLastRestart: string;
};

/** Goes through the init containers up to the first that isn't through. */
function initContainersOf(pod: Pod): InitProgress {
  const all = pod.spec?.initContainers ?? [];
  const sidecars = new Set(
    all.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name ?? ''),
  );
  const progress: InitProgress = {
    word: firstWord(pod),
    ready: 0,
    restarts: 0,
    lastRestart: '',
    initializing: false,
    sidecars,
    sidecarRestarts: 0,
    sidecarLastRestart: '',
  };
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name ?? '');
    const last = lastRestartOf(container);
    progress.restarts += container.restartCount ?? 0;
    progress.lastRestart = later(progress.lastRestart, last);
    if (isSidecar) {
      progress.sidecarRestarts += container.restartCount ?? 0;
      progress.sidecarLastRestart = later(progress.sidecarLastRestart, last);
    }
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && !terminated.exitCode) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) progress.ready++;
      continue;
    }
    progress.initializing = true;
    if (terminated !== undefined) progress.word = `Init:${terminationWord(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing')
      progress.word = `Init:${waiting.reason}`;
    else progress.word = `Init:${index}/${all.length}`;
    break;
  }
  return progress;
}

/** The first container's word wins, so they are looked at from the last one on. */
function containersOf(pod: Pod, init: InitProgress): Progress {
  const progress: Progress = {
    word: init.word,
    ready: 0,
    restarts: init.sidecarRestarts,
    lastRestart: init.sidecarLastRestart,
  };
  let running = false;
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    progress.restarts += container.restartCount ?? 0;
    progress.lastRestart = later(progress.lastRestart, lastRestartOf(container));
    const state = container.state ?? {};
    if (state.waiting?.reason) {
      progress.word = state.waiting.reason;
    } else if (state.terminated !== undefined) {
      progress.word = terminationWord(state.terminated);
    } else if (container.ready === true && state.running === true) {
      running = true;
      progress.ready++;
    }
  }
  if (progress.word === 'Completed' && running) progress.word = isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  return progress;
}

function firstWord({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status?.reason || status?.phase || '';
}

/** The word for a Pod that is to go away. */
function deletionWord({ metadata, status }: Pod): string | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return FINISHED[status?.phase ?? ''] === undefined ? 'Terminating' : undefined;
}

function terminationWord(terminated: { reason?: string; exitCode?: number; signal?: number }): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

function lastRestartOf(container: ContainerStatus): string {
  return container.lastState?.terminated?.finishedAt ?? '';
}

/** Times in their canonical text compare as text. */
function later(a: string, b: string): string {
  return a < b ? b : a;
}

function restartsText(restarts: number, lastRestart: string): Cell {
  if (restarts === 0 || lastRestart === '') return String(restarts);
  const last = age(lastRestart);
  return last instanceof Since ? new Since(last.time, `${restarts} (`, ' ago)') : `${restarts} (${last} ago)`;
}

function isTrue(pod: Pod, condition: string): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === condition && status === 'True') === true;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const holding = gates.filter(({ conditionType = '' }) => {
    const first = pod.status?.conditions?.find(({ type }) => type === conditionType);
    return first?.status === 'True';
  });
  return `${holding.length}/${gates.length}`;
}

function conditions(reason: string, message: string): string {
  return `"conditions":[{"type":"Completed","status":"True","reason":"${reason}","message":"${message}"}],`;
}
