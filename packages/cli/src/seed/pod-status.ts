// The status of a made Pod: running since some minutes, as a kubelet would report it.
import { digits, type Identity } from './pod-identity.ts';

const CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
const FIRST_START_MS = Date.UTC(2026, 10, 2, 8, 0, 0);

export function buildPodStatus(identity: Identity): Record<string, unknown> {
  const { index, hostIp, podIp } = identity;
  const scheduled = FIRST_START_MS + index * 1000;
  return {
    observedGeneration: 1,
    phase: 'Running',
    conditions: CONDITIONS.map((type, order) => ({
      type,
      observedGeneration: 1,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: timeText(scheduled + ((order * 4) % 20) * 1000),
    })),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    startTime: timeText(scheduled),
    initContainerStatuses: [finishedContainer(identity, scheduled)],
    containerStatuses: [
      runningContainer(identity, 'orders', 'shop/orders:2026.11.3', scheduled + 9000, [
        mount('settings', '/etc/orders', true),
        mount('credentials', '/var/run/credentials', true),
        mount('scratch', '/tmp', false),
        accountMount(identity),
      ]),
      runningContainer(identity, 'proxy', 'mesh/proxy:1.18.0', scheduled + 11_000, [accountMount(identity)]),
    ],
    qosClass: 'Burstable',
  };
}

function runningContainer(
  { index }: Identity,
  name: string,
  image: string,
  startedMs: number,
  volumeMounts: readonly unknown[],
): Record<string, unknown> {
  return {
    name,
    state: { running: { startedAt: timeText(startedMs) } },
    lastState: {},
    ready: true,
    restartCount: 0,
    ...images(image),
    containerID: containerId(name, index),
    started: true,
    allocatedResources: { cpu: '250m', memory: '384Mi' },
    resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '250m', memory: '384Mi' } },
    volumeMounts,
    user: USER,
  };
}

function finishedContainer(identity: Identity, scheduledMs: number): Record<string, unknown> {
  const containerID = containerId('migrate', identity.index);
  return {
    name: 'migrate',
    state: {
      terminated: {
        exitCode: 0,
        reason: 'Completed',
        startedAt: timeText(scheduledMs + 2000),
        finishedAt: timeText(scheduledMs + 7000),
        containerID,
      },
    },
    lastState: {},
    ready: true,
    restartCount: 0,
    ...images('shop/orders-migrations:2026.11'),
    containerID,
    started: false,
    resources: {},
    volumeMounts: [accountMount(identity)],
    user: USER,
  };
}

const USER = { linux: { uid: 10001, gid: 10001, supplementalGroups: [10001] } };

function images(image: string): { image: string; imageID: string } {
  const [repository] = image.split(':');
  const digest = digits(64, image, 0);
  return {
    image: `registry.example.test/${image}`,
    imageID: `registry.example.test/${repository}@sha256:${digest}`,
  };
}

function containerId(name: string, index: number): string {
  return `containerd://${digits(64, name, index)}`;
}

function accountMount({ accountVolume }: Identity): unknown {
  return mount(accountVolume, '/var/run/secrets/kubernetes.io/serviceaccount', true);
}

function mount(name: string, mountPath: string, readOnly: boolean): unknown {
  return readOnly ? { name, mountPath, readOnly, recursiveReadOnly: 'Disabled' } : { name, mountPath };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
