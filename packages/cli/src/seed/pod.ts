// Makes Pods of the weight real ones have: about 15 KB each, as stored.
import { buildManagedFields } from './managed-fields.ts';
import { digits, type Identity, identityOf } from './pod-identity.ts';
import { buildPodSpec } from './pod-spec.ts';
import { buildPodStatus } from './pod-status.ts';

export type Pod = {
  kind: 'Pod';
  apiVersion: 'v1';
  metadata: { name: string; annotations: Record<string, string>; [field: string]: unknown };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
};

/** The same index gives the same Pod. */
export function buildPod(index: number, name: string, namespace: string): Pod {
  const identity = identityOf(index, name);
  const metadata = buildMetadata(identity);
  const spec = buildPodSpec(identity);
  const status = buildPodStatus(identity);
  const managedFields = buildManagedFields(metadata, spec, status);
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace, ...metadata, managedFields },
    spec,
    status,
  };
}

function buildMetadata({ application, templateHash, index, set }: Identity): Record<string, unknown> & {
  annotations: Record<string, string>;
} {
  const uid = digits(32, 'replicaset', set);
  return {
    generateName: `${application}-${templateHash}-`,
    labels: {
      'app.kubernetes.io/component': 'api',
      'app.kubernetes.io/instance': `${application}-eu-west`,
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/name': 'orders',
      'app.kubernetes.io/part-of': 'web-shop',
      'app.kubernetes.io/version': `4.${set % 20}.${index % 10}`,
      group: 'load',
      'pod-template-hash': templateHash,
      stage: 'production',
      team: 'checkout',
      tenth: String(index % 10),
      tier: 'backend',
      track: 'stable',
    },
    annotations: {
      'checksum/config': digits(64, 'config', set),
      'checksum/secret': digits(32, 'secret', set),
      'cni.example.test/pod-network': 'default/overlay',
      'kubectl.kubernetes.io/default-container': 'orders',
      'linkerd.io/inject': 'enabled',
      'logging.example.test/format': 'json',
      'prometheus.io/path': '/internal/metrics',
      'prometheus.io/port': '9102',
      'prometheus.io/scrape': 'true',
    },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `${application}-${templateHash}`,
        uid: [uid.slice(0, 8), uid.slice(8, 12), uid.slice(12, 16), uid.slice(16, 20), uid.slice(20)].join(
          '-',
        ),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}
