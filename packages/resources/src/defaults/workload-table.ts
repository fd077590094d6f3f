// Defaults of workloads: how many pods, how they are replaced, how many revisions are kept.
import type { Fields, Rule } from './rule.ts';
import { setClaimTypes, setControllerLabels, setJobDefaults } from './workloads.ts';

const QUARTERS: Fields = { rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };
const ONE_BY_ONE: Fields = { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
const ROLLING: readonly string[] = ['RollingUpdate'];

export const WORKLOAD_DEFAULTS: Readonly<Record<string, readonly Rule[]>> = {
  'core/v1.ReplicationController': [setControllerLabels, { spec: { replicas: 1 } }],

  'apps/v1.DaemonSetSpec': [{ revisionHistoryLimit: 10 }],
  'apps/v1.DaemonSetUpdateStrategy': [
    { type: 'RollingUpdate' },
    { when: 'type', is: ROLLING, sets: ONE_BY_ONE },
  ],
  'apps/v1.DeploymentSpec': [{ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }],
  'apps/v1.DeploymentStrategy': [{ type: 'RollingUpdate' }, { when: 'type', is: ROLLING, sets: QUARTERS }],
  'apps/v1.ReplicaSetSpec': [{ replicas: 1 }],
  'apps/v1.RollingUpdateStatefulSetStrategy': [{ partition: 0, maxUnavailable: 1 }],
  'apps/v1.StatefulSetSpec': [
    setClaimTypes,
    {
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      replicas: 1,
      revisionHistoryLimit: 10,
    },
  ],
  // Who names the strategy is left without its parameters.
  'apps/v1.StatefulSetUpdateStrategy': [
    { when: 'type', is: [''], sets: { rollingUpdate: {} } },
    { type: 'RollingUpdate' },
  ],

  'batch/v1.CronJobSpec': [
    {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  ],
  'batch/v1.Job': [
    setJobDefaults,
    { spec: { parallelism: 1, completionMode: 'NonIndexed', suspend: false, manualSelector: false } },
  ],
  'batch/v1.PodFailurePolicyOnPodConditionsPattern': [{ status: 'True' }],

  'autoscaling/v1.HorizontalPodAutoscalerSpec': [{ minReplicas: 1 }],
  'autoscaling/v2.HorizontalPodAutoscalerSpec': [
    {
      minReplicas: 1,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  ],
  'autoscaling/v2.HorizontalPodAutoscalerBehavior': [
    {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      },
    },
  ],
};
