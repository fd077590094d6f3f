// What single kinds get when they are created: selectors, counted templates, finalizers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, type Json, openClient } from './handler.fixture.ts';

const PODS = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'a:1' }] };
const APPS = '/apis/apps/v1/namespaces/default';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';

test('addSelector() labels a job and its pods, and selects by the uid', () =>
  withClient(async (client) => {
    const { json } = await client.send(
      'POST',
      JOBS,
      job('j', { template: { metadata: { labels: { a: 'b' } }, spec: PODS } }),
    );
    const labels = {
      a: 'b',
      'batch.kubernetes.io/controller-uid': json.metadata.uid,
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': json.metadata.uid,
      'job-name': 'j',
    };
    assert.deepEqual([json.metadata.labels, json.spec.template.metadata.labels], [labels, labels]);
    const { selector } = json.spec;
    assert.deepEqual(selector.matchLabels, { 'batch.kubernetes.io/controller-uid': json.metadata.uid });
  }));

test('addSelector() leaves a job whose creator selects by hand', () =>
  withClient(async (client) => {
    const selector = { matchLabels: { x: 'y' } };
    const template = { metadata: { labels: { x: 'y' } }, spec: PODS };
    const { json } = await client.send('POST', JOBS, job('j', { manualSelector: true, selector, template }));
    assert.deepEqual([json.spec.selector, json.spec.template.metadata], [selector, template.metadata]);
  }));

test('countTemplates() counts changes of the template, whatever the client says', () =>
  withClient(async (client) => {
    const generation = ({ json }: Json): string =>
      json.metadata.annotations['deprecated.daemonset.template.generation'];
    const set = (image: string, more: Json = {}): Json => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd', ...more },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image }] } },
      },
    });
    const annotations = { 'deprecated.daemonset.template.generation': '7' };
    assert.equal(generation(await client.send('POST', `${APPS}/daemonsets`, set('a:1'))), '1');
    const path = `${APPS}/daemonsets/d`;
    assert.equal(generation(await client.send('PUT', path, set('a:1', { annotations }))), '1');
    assert.equal(generation(await client.send('PUT', path, set('a:2'))), '2');
    await client.send('DELETE', path);
    const kept = await client.send('POST', `${APPS}/daemonsets`, set('a:1', { annotations }));
    assert.equal(generation(kept), '7');
  }));

test('isSame() finds no new generation in what is left out', () =>
  withClient(async (client) => {
    const deployment = (replicas: number): Json => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        replicas,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } },
      },
    });
    await client.send('POST', `${APPS}/deployments`, deployment(1));
    const generation = async (replicas: number): Promise<number> =>
      (await client.send('PUT', `${APPS}/deployments/d`, deployment(replicas))).json.metadata.generation;
    assert.deepEqual([await generation(1), await generation(0), await generation(0)], [1, 2, 2]);
  }));

test('prepareKind() protects volumes and claims that are in use', () =>
  withClient(async (client) => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', finalizers: ['a.b/c'] },
    };
    const path = '/api/v1/namespaces/default/persistentvolumeclaims';
    const { json } = await client.send('POST', path, claim);
    assert.deepEqual(json.metadata.finalizers, ['a.b/c', 'kubernetes.io/pvc-protection']);
    const freed = await client.send('PUT', `${path}/c`, claim);
    assert.deepEqual(freed.json.metadata.finalizers, ['a.b/c']);
  }));

test('storable() gives what the stored form fills in', () =>
  withClient(async (client) => {
    const scaler = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    };
    const { json } = await client.send(
      'POST',
      '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
      scaler,
    );
    assert.deepEqual([json.spec.minReplicas, json.spec.targetCPUUtilizationPercentage], [1, 80]);
  }));

function job(name: string, spec: Json): Json {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec };
}

async function withClient(run: (client: Client) => Promise<void>): Promise<void> {
  const client = await openClient();
  try {
    await run(client);
  } finally {
    await client.close();
  }
}
