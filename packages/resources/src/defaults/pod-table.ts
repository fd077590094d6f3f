// Defaults of pods, pod templates, and the volumes they use.
import { setImagePullPolicy, setVolumePullPolicy } from './images.ts';
import { setPodAddresses, setPodDefaults, setServiceAccountAlias, setVolumeSource } from './pods.ts';
import { roundUp } from './resource-lists.ts';
import type { Fields, Rule } from './rule.ts';

/** rw-r--r-- */
const READABLE: Fields = { defaultMode: 0o644 };
const RBD: Fields = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };
const SCALE_IO: Fields = { storageMode: 'ThinProvisioned', fsType: 'xfs' };
const ISCSI: Fields = { iscsiInterface: 'default' };

const CONTAINER: readonly Rule[] = [
  setImagePullPolicy,
  { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
];

export const POD_DEFAULTS: Readonly<Record<string, readonly Rule[]>> = {
  'core/v1.Pod': [setPodDefaults, { spec: { enableServiceLinks: true } }],
  'core/v1.PodSpec': [
    setServiceAccountAlias,
    {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
    },
  ],
  'core/v1.PodStatus': [setPodAddresses],
  'core/v1.Container': CONTAINER,
  'core/v1.EphemeralContainer': CONTAINER,
  'core/v1.ContainerPort': [{ protocol: 'TCP' }],
  'core/v1.FileKeySelector': [{ optional: false }],
  'core/v1.GRPCAction': [{ service: '' }],
  'core/v1.HTTPGetAction': [{ path: '/', scheme: 'HTTP' }],
  'core/v1.ObjectFieldSelector': [{ apiVersion: 'v1' }],
  'core/v1.Probe': [{ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }],
  'core/v1.ResourceList': [roundUp],

  'core/v1.Volume': [setVolumeSource],
  'core/v1.AzureDiskVolumeSource': [
    { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  ],
  'core/v1.ConfigMapVolumeSource': [READABLE],
  'core/v1.DownwardAPIVolumeSource': [READABLE],
  'core/v1.HostPathVolumeSource': [{ type: '' }],
  'core/v1.ImageVolumeSource': [setVolumePullPolicy],
  'core/v1.ISCSIPersistentVolumeSource': [ISCSI],
  'core/v1.ISCSIVolumeSource': [ISCSI],
  'core/v1.ProjectedVolumeSource': [READABLE],
  'core/v1.RBDPersistentVolumeSource': [RBD],
  'core/v1.RBDVolumeSource': [RBD],
  'core/v1.ScaleIOPersistentVolumeSource': [SCALE_IO],
  'core/v1.ScaleIOVolumeSource': [SCALE_IO],
  'core/v1.SecretVolumeSource': [READABLE],
  'core/v1.ServiceAccountTokenProjection': [{ expirationSeconds: 3600 }],

  'core/v1.PersistentVolume': [
    {
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  ],
  'core/v1.PersistentVolumeClaim': [{ status: { phase: 'Pending' } }],
  'core/v1.PersistentVolumeClaimSpec': [{ volumeMode: 'Filesystem' }],
};
