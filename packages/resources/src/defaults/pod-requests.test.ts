// What a pod asks for as a whole: what kube-apiserver 1.37.2 made of limits of a pod.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@sluice/encoding';
import type { ApiObject } from '../kind.ts';
import { setPodRequests } from './pod-requests.ts';

const LIMITS = { cpu: '5', memory: '1Gi' };

test('setPodRequests() takes what containers ask for together, else the limit', () => {
  const containers = [{ requests: { cpu: '100m' } }, { requests: { cpu: '1', memory: '1Mi' } }];
  const inits = [{ requests: { cpu: '3' } }];
  assert.deepEqual(requests({ limits: LIMITS }, containers, inits), { cpu: '3', memory: '1Mi' });
  assert.deepEqual(requests({ limits: LIMITS }, containers, []), { cpu: '1100m', memory: '1Mi' });
  assert.deepEqual(requests({ limits: LIMITS }, [{}], []), LIMITS);
  assert.deepEqual(requests({ limits: { 'hugepages-2Mi': '4Mi' } }, [{}], []), { 'hugepages-2Mi': '4Mi' });
});

test('setPodRequests() leaves what the pod says, and pods without limits', () => {
  const containers = [{ requests: { cpu: '1' } }];
  assert.deepEqual(requests({ limits: LIMITS, requests: { cpu: '2' } }, containers, []), {
    cpu: '2',
    memory: '1Gi',
  });
  assert.equal(requests({ requests: { cpu: '2' } }, containers, []).memory, undefined);
});

test('setPodRequests() counts init containers that stay with all that start later', () => {
  const stays = { restartPolicy: 'Always', requests: { memory: '1Gi' } };
  const inits = [stays, { requests: { memory: '3Gi' } }];
  const containers = [{ requests: { memory: '512Mi' } }];
  assert.equal(requests({ limits: LIMITS }, containers, inits).memory, '4Gi');
  assert.equal(requests({ limits: LIMITS }, containers, [stays]).memory, '1536Mi');
});

type Container = { restartPolicy?: string; requests?: Record<string, string> };

function requests(
  resources: object,
  containers: readonly Container[],
  inits: readonly Container[],
): Record<string, string> {
  const shaped = (all: readonly Container[]): object[] =>
    all.map(({ requests, restartPolicy }) => ({ restartPolicy, resources: requests ? { requests } : {} }));
  const spec = { resources, containers: shaped(containers), initContainers: shaped(inits) };
  const pod = parseJson(Buffer.from(JSON.stringify({ spec }))) as ApiObject;
  setPodRequests(pod);
  const made = (pod.get('spec') as ApiObject).get('resources') as ApiObject;
  return Object.fromEntries((made.get('requests') ?? new Map()) as Map<string, string>);
}
