// How kinds differ when they are written, as data: who counts generations, whose DELETE answers the object, and so on.
import type { Kind } from '@sluice/resources';

export type Strategy = {
  /** What makes a new generation besides a changed spec; undefined: the kind counts none. */
  readonly generation?: 'spec' | 'annotations' | 'labels';
  /** A PUT must say which resourceVersion it replaces. */
  readonly needsResourceVersion?: true;
  /** A PUT to a name nobody has creates the object. */
  readonly createsOnUpdate?: true;
  /** DELETE answers the object, not a Status. */
  readonly answersDeleted?: true;
  /** A DELETE that doesn't say otherwise orphans dependents. */
  readonly orphans?: true;
  /** Owners and dependents are nothing to it: no orphan and foreground finalizers. */
  readonly uncollected?: true;
  /** What a write to /status keeps of the old metadata; the spec is always kept. */
  readonly statusKeeps?: 'metadata' | 'labels' | 'owners';
};

export function strategyOf(kind: Kind): Strategy {
  if (kind.custom) return CUSTOM;
  return STRATEGIES[kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`] ?? {};
}

export function hasStatus(kind: Kind): boolean {
  return kind.subresources.some(({ name }) => name === 'status');
}

const CUSTOM: Strategy = { generation: 'spec', needsResourceVersion: true, statusKeeps: 'metadata' };

/** Kinds that aren't here have nothing special. Asked of kube-apiserver 1.37.2, kind by kind. */
const STRATEGIES: Readonly<Record<string, Strategy>> = {
  endpoints: { createsOnUpdate: true },
  events: { createsOnUpdate: true, uncollected: true },
  'events.events.k8s.io': { createsOnUpdate: true, uncollected: true },
  limitranges: { createsOnUpdate: true },
  persistentvolumeclaims: { answersDeleted: true },
  persistentvolumes: { answersDeleted: true },
  pods: { generation: 'spec', answersDeleted: true, statusKeeps: 'owners' },
  podtemplates: { generation: 'spec', answersDeleted: true },
  replicationcontrollers: { generation: 'spec', orphans: true },
  resourcequotas: { answersDeleted: true },
  serviceaccounts: { answersDeleted: true },
  services: { createsOnUpdate: true, answersDeleted: true },

  'daemonsets.apps': { generation: 'spec' },
  'deployments.apps': { generation: 'annotations', statusKeeps: 'labels' },
  'replicasets.apps': { generation: 'spec' },
  'statefulsets.apps': { generation: 'spec' },
  'horizontalpodautoscalers.autoscaling': { generation: 'spec' },
  'cronjobs.batch': { generation: 'spec' },
  'jobs.batch': { generation: 'spec', orphans: true },
  'poddisruptionbudgets.policy': { generation: 'spec', needsResourceVersion: true },
  'leases.coordination.k8s.io': { createsOnUpdate: true, needsResourceVersion: true },
  'endpointslices.discovery.k8s.io': { generation: 'labels' },
  'ingresses.networking.k8s.io': { generation: 'spec' },
  'ingressclasses.networking.k8s.io': { generation: 'spec' },
  'networkpolicies.networking.k8s.io': { generation: 'spec' },
  'priorityclasses.scheduling.k8s.io': { generation: 'spec' },
  'runtimeclasses.node.k8s.io': { createsOnUpdate: true, needsResourceVersion: true },
  'flowschemas.flowcontrol.apiserver.k8s.io': { generation: 'spec', statusKeeps: 'metadata' },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': { generation: 'spec', statusKeeps: 'metadata' },
  'deviceclasses.resource.k8s.io': { generation: 'spec', answersDeleted: true },
  'resourceclaims.resource.k8s.io': { answersDeleted: true, statusKeeps: 'metadata' },
  'resourceclaimtemplates.resource.k8s.io': { answersDeleted: true },
  'resourceslices.resource.k8s.io': { generation: 'spec', answersDeleted: true },

  'csidrivers.storage.k8s.io': { needsResourceVersion: true, answersDeleted: true },
  'csinodes.storage.k8s.io': { needsResourceVersion: true, answersDeleted: true },
  'csistoragecapacities.storage.k8s.io': { needsResourceVersion: true },
  'storageclasses.storage.k8s.io': { answersDeleted: true },
  'volumeattachments.storage.k8s.io': { needsResourceVersion: true, answersDeleted: true },
  'volumeattributesclasses.storage.k8s.io': { answersDeleted: true },

  'clusterroles.rbac.authorization.k8s.io': { createsOnUpdate: true },
  'clusterrolebindings.rbac.authorization.k8s.io': { createsOnUpdate: true },
  'roles.rbac.authorization.k8s.io': { createsOnUpdate: true },
  'rolebindings.rbac.authorization.k8s.io': { createsOnUpdate: true },

  'mutatingadmissionpolicies.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },
  'validatingadmissionpolicies.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },
  'validatingwebhookconfigurations.admissionregistration.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
  },

  'apiservices.apiregistration.k8s.io': { needsResourceVersion: true, statusKeeps: 'metadata' },
  'customresourcedefinitions.apiextensions.k8s.io': {
    generation: 'spec',
    needsResourceVersion: true,
    statusKeeps: 'metadata',
  },
};
