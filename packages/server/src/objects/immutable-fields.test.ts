// What must stay as it was created, told as kube-apiserver 1.37.2 told it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, type Json, openClient } from './handler.fixture.ts';

const SELECTOR = { matchLabels: { app: 'a' } };
const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } };
const APPS = '/apis/apps/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CLAIM = {
  metadata: { name: 'v' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const OTHER = {
  spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
};
const SHOWN_SELECTOR = 'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable';

const CASES: readonly { path: string; made: Json; changes: readonly [Json, string][] }[] = [
  {
    path: `${APPS}/deployments`,
    made: { spec: { selector: SELECTOR, template: TEMPLATE } },
    changes: [
      [OTHER, `Deployment.apps "x" is invalid: ${SHOWN_SELECTOR}`],
      [{ spec: { replicas: 5 } }, ''],
    ],
  },
  {
    path: `${APPS}/statefulsets`,
    made: {
      spec: { selector: SELECTOR, template: TEMPLATE, serviceName: 'a', volumeClaimTemplates: [CLAIM] },
    },
    changes: [
      [
        { spec: { volumeClaimTemplates: null, serviceName: 'z', podManagementPolicy: 'Parallel' } },
        'StatefulSet.apps "x" is invalid: [spec.volumeClaimTemplates: Invalid value: null: field is immutable, spec.serviceName: Invalid value: "z": field is immutable, spec.podManagementPolicy: Invalid value: "Parallel": field is immutable]',
      ],
      [{ spec: { replicas: 3, minReadySeconds: 4, template: TEMPLATE } }, ''],
    ],
  },
  {
    path: '/apis/batch/v1/namespaces/default/jobs',
    made: {
      spec: {
        completions: 2,
        parallelism: 2,
        completionMode: 'Indexed',
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'a:1' }] } },
      },
    },
    changes: [
      [
        { spec: { completions: 5 } },
        'Job.batch "x" is invalid: spec.completions: Invalid value: 5: field is immutable',
      ],
      [{ spec: { completions: 5, parallelism: 5 } }, ''],
    ],
  },
  {
    path: `${RBAC}/namespaces/default/rolebindings`,
    made: { roleRef: { kind: 'Role', name: 'r' } },
    changes: [
      [
        { roleRef: { name: 'zz' } },
        'RoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"zz"}: field is immutable',
      ],
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    made: { provisioner: 'a/b' },
    changes: [
      [
        { provisioner: 'x/y', parameters: { a: 'b' } },
        'StorageClass.storage.k8s.io "x" is invalid: [provisioner: Invalid value: null: field is immutable, parameters: Invalid value: null: field is immutable]',
      ],
      [{ allowVolumeExpansion: true }, ''],
    ],
  },
  {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    made: { value: 5 },
    changes: [
      [
        { value: 6, preemptionPolicy: 'Never' },
        'PriorityClass.scheduling.k8s.io "x" is invalid: [value: Forbidden: may not be changed in an update., preemptionPolicy: Invalid value: "Never": field is immutable]',
      ],
    ],
  },
];

for (const { path, made, changes } of CASES) {
  test(`immutableFieldErrors() keeps ${path.split('/').at(-1)} as they were created`, () =>
    withClient(async (client) => {
      assert.equal((await client.send('POST', path, { metadata: { name: 'x' }, ...made })).code, 201);
      for (const [change, message] of changes) {
        const { code, json } = await client.send(
          'PATCH',
          `${path}/x`,
          change,
          'application/merge-patch+json',
        );
        assert.deepEqual([code, code === 200 ? '' : json.message], [message === '' ? 200 : 422, message]);
      }
    }));
}

async function withClient(run: (client: Client) => Promise<void>): Promise<void> {
  const client = await openClient();
  try {
    await run(client);
  } finally {
    await client.close();
  }
}
