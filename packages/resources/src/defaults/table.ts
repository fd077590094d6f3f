// What kube-apiserver fills in, type by type. Types of workloads, pods and volumes stand in tables of their own.
import { setTimeAdded } from './devices.ts';
import { setPolicyTypes, setServiceDefaults } from './networking.ts';
import { POD_DEFAULTS } from './pod-table.ts';
import { setPodRanges } from './pods.ts';
import { setAllocatable, setContainerLimits } from './resource-lists.ts';
import type { Fields, Rule } from './rule.ts';
import { WORKLOAD_DEFAULTS } from './workload-table.ts';

/** Types that other types' rules would reach, but the reference's don't. */
export const WITHOUT_DEFAULTS: ReadonlySet<string> = new Set(['node/v1.Overhead']);

const OUTSIDE_TYPES: readonly string[] = ['ClusterIP', 'NodePort', 'LoadBalancer'];
const RBAC_GROUP: Fields = { apiGroup: 'rbac.authorization.k8s.io' };
const MATCH_ALL: Fields = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const WEBHOOK: Fields = { ...MATCH_ALL, failurePolicy: 'Fail', timeoutSeconds: 10 };

const DEVICE_COUNT: readonly Rule[] = [
  { allocationMode: 'ExactCount' },
  { when: 'allocationMode', is: ['ExactCount'], sets: { count: 1 } },
];

/** Keys are types of the field tables. Rules apply in their order, before those of the types within. */
export const DEFAULTS: Readonly<Record<string, readonly Rule[]>> = {
  ...POD_DEFAULTS,
  ...WORKLOAD_DEFAULTS,

  'core/v1.EndpointPort': [{ protocol: 'TCP' }],
  'core/v1.LimitRangeItem': [setContainerLimits],
  'core/v1.NodeSpec': [setPodRanges],
  'core/v1.NodeStatus': [setAllocatable],
  'core/v1.Secret': [{ type: 'Opaque' }],
  'core/v1.Service': [{ spec: { sessionAffinity: 'None', type: 'ClusterIP' } }, setServiceDefaults],
  'core/v1.ServicePort': [{ protocol: 'TCP' }],
  'core/v1.ServiceSpec': [
    { when: 'type', is: OUTSIDE_TYPES, sets: { internalTrafficPolicy: 'Cluster' } },
    { when: 'type', is: ['LoadBalancer'], sets: { allocateLoadBalancerNodePorts: true } },
  ],

  'admissionregistration/v1.MatchResources': [MATCH_ALL],
  'admissionregistration/v1.MutatingAdmissionPolicySpec': [{ failurePolicy: 'Fail' }],
  'admissionregistration/v1.MutatingWebhook': [{ ...WEBHOOK, reinvocationPolicy: 'Never' }],
  'admissionregistration/v1.NamedRuleWithOperations': [{ scope: '*' }],
  'admissionregistration/v1.RuleWithOperations': [{ scope: '*' }],
  'admissionregistration/v1.ServiceReference': [{ port: 443 }],
  'admissionregistration/v1.ValidatingAdmissionPolicySpec': [{ failurePolicy: 'Fail' }],
  'admissionregistration/v1.ValidatingWebhook': [WEBHOOK],

  'apiregistration/v1.ServiceReference': [{ port: 443 }],

  'certificates/v1.PodCertificateRequestSpec': [{ maxExpirationSeconds: 86400 }],

  'discovery/v1.EndpointPort': [{ name: '', protocol: 'TCP' }],

  'flowcontrol/v1.ExemptPriorityLevelConfiguration': [{ nominalConcurrencyShares: 0, lendablePercent: 0 }],
  'flowcontrol/v1.FlowSchemaSpec': [{ matchingPrecedence: 1000 }],
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': [{ nominalConcurrencyShares: 30, lendablePercent: 0 }],
  'flowcontrol/v1.QueuingConfiguration': [{ queues: 64, handSize: 8, queueLengthLimit: 50 }],

  'networking/v1.IngressClassParametersReference': [{ scope: 'Cluster' }],
  'networking/v1.NetworkPolicyPort': [{ protocol: 'TCP' }],
  'networking/v1.NetworkPolicySpec': [setPolicyTypes],

  'rbac/v1.ClusterRoleBinding': [{ roleRef: RBAC_GROUP }],
  'rbac/v1.RoleBinding': [{ roleRef: RBAC_GROUP }],
  'rbac/v1.Subject': [{ when: 'kind', is: ['User', 'Group'], sets: RBAC_GROUP }],

  'resource/v1.DeviceSubRequest': DEVICE_COUNT,
  'resource/v1.DeviceTaint': [setTimeAdded],
  'resource/v1.DeviceToleration': [{ operator: 'Equal' }],
  'resource/v1.ExactDeviceRequest': DEVICE_COUNT,

  'scheduling/v1.PriorityClass': [{ preemptionPolicy: 'PreemptLowerPriority' }],

  'storage/v1.CSIDriverSpec': [
    {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
      preventPodSchedulingIfMissing: false,
    },
  ],
  'storage/v1.StorageClass': [{ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
};
