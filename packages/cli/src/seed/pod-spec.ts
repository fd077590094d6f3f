// The spec of a made Pod: a service with its proxy and a migration that runs first, as a Deployment gives it.
import type { Identity } from './pod-identity.ts';

/** Everything a server would fill in is there, so that the Pod weighs the same on each. */
export function buildPodSpec(identity: Identity): Record<string, unknown> {
  const { application, accountVolume, node } = identity;
  return {
    volumes: [
      { name: 'settings', configMap: { name: `${application}-settings`, defaultMode: 420 } },
      { name: 'credentials', secret: { secretName: `${application}-database`, defaultMode: 288 } },
      { name: 'scratch', emptyDir: { sizeLimit: '256Mi' } },
      { name: accountVolume, projected: { sources: accountSources(), defaultMode: 420 } },
    ],
    initContainers: [migrationContainer(identity)],
    containers: [serviceContainer(identity), proxyContainer(identity)],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 45,
    dnsPolicy: 'ClusterFirst',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    serviceAccountName: 'orders',
    serviceAccount: 'orders',
    nodeName: node,
    securityContext: { runAsUser: 10001, runAsNonRoot: true, fsGroup: 10001 },
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              labelSelector: { matchLabels: { 'app.kubernetes.io/instance': `${application}-eu-west` } },
              topologyKey: 'kubernetes.io/hostname',
            },
          },
        ],
      },
    },
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((condition) => ({
      key: `node.kubernetes.io/${condition}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    enableServiceLinks: true,
  };
}

function accountSources(): unknown[] {
  return [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  ];
}

function migrationContainer({ accountVolume, application }: Identity): Record<string, unknown> {
  return {
    name: 'migrate',
    image: 'registry.example.test/shop/orders-migrations:2026.11',
    args: ['--schema', application, '--wait', '90s'],
    resources: {},
    volumeMounts: [accountMount(accountVolume)],
    ...ENDS,
  };
}

function serviceContainer({ accountVolume }: Identity): Record<string, unknown> {
  return {
    name: 'orders',
    image: 'registry.example.test/shop/orders:2026.11.3',
    ports: [
      { name: 'http', containerPort: 8443, protocol: 'TCP' },
      { name: 'metrics', containerPort: 9102, protocol: 'TCP' },
    ],
    env: [
      fieldVariable('POD', 'metadata.name'),
      fieldVariable('NAMESPACE', 'metadata.namespace'),
      fieldVariable('NODE', 'spec.nodeName'),
      { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
      { name: 'DATABASE_HOST', value: 'orders-primary.databases.svc.cluster.local' },
      { name: 'QUEUE_URL', value: 'amqps://queue.messaging.svc.cluster.local:5671/orders' },
      { name: 'NODE_OPTIONS', value: '--max-old-space-size=384 --enable-source-maps' },
      { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector.telemetry.svc:4318' },
      { name: 'LOG_LEVEL', value: 'info' },
    ],
    resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '250m', memory: '384Mi' } },
    volumeMounts: [
      { name: 'settings', readOnly: true, mountPath: '/etc/orders' },
      { name: 'credentials', readOnly: true, mountPath: '/var/run/credentials' },
      { name: 'scratch', mountPath: '/tmp' },
      accountMount(accountVolume),
    ],
    livenessProbe: httpProbe('/live', 8443, 20),
    readinessProbe: httpProbe('/ready', 8443, 5),
    securityContext: { capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    ...ENDS,
  };
}

function proxyContainer({ accountVolume }: Identity): Record<string, unknown> {
  return {
    name: 'proxy',
    image: 'registry.example.test/mesh/proxy:1.18.0',
    args: ['--admin', '127.0.0.1:4191'],
    env: [fieldVariable('POD', 'metadata.name'), fieldVariable('POD_IP', 'status.podIP')],
    resources: { limits: { memory: '96Mi' }, requests: { cpu: '20m', memory: '48Mi' } },
    volumeMounts: [accountMount(accountVolume)],
    readinessProbe: httpProbe('/ready', 4191, 10),
    ...ENDS,
  };
}

const ENDS = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};

function fieldVariable(name: string, fieldPath: string): unknown {
  return { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } };
}

function accountMount(name: string): unknown {
  return { name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
}

function httpProbe(path: string, port: number, periodSeconds: number): unknown {
  return {
    httpGet: { path, port, scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds,
    successThreshold: 1,
    failureThreshold: 3,
  };
}
