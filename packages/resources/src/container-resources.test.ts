// What containers may not ask for, as kube-apiserver 1.37.2 answered dry runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@sluice/encoding';
import { containerResourceErrors } from './container-resources.ts';
import type { ApiObject } from './kind.ts';
import { openKinds } from './kinds.ts';

const kinds = openKinds();
const NEGATIVE = 'must be greater than or equal to 0';

const CASES: readonly [group: string, plural: string, object: string, errors: readonly string[]][] = [
  [
    '',
    'pods',
    `{"spec":{"containers":[${container('{"limits":{"cpu":"-2","memory":"-1"},"requests":{"cpu":"-3"}}')}],"initContainers":[${container('{"limits":{"cpu":"-1m"}}')}]}}`,
    [
      `spec.containers[0].resources.limits[cpu]: Invalid value: "-2": ${NEGATIVE}`,
      `spec.containers[0].resources.limits[memory]: Invalid value: "-1": ${NEGATIVE}`,
      `spec.containers[0].resources.requests[cpu]: Invalid value: "-3": ${NEGATIVE}`,
      `spec.initContainers[0].resources.limits[cpu]: Invalid value: "-1m": ${NEGATIVE}`,
    ],
  ],
  [
    '',
    'pods',
    `{"spec":{"containers":[${container('{"limits":{"cpu":"1"},"requests":{"cpu":"2","memory":"-1"}}')}]}}`,
    [
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      `spec.containers[0].resources.requests[memory]: Invalid value: "-1": ${NEGATIVE}`,
    ],
  ],
  [
    'apps',
    'deployments',
    `{"spec":{"template":{"spec":{"containers":[{},${container('{"requests":{"memory":"-1"}}')}]}}}}`,
    [`spec.template.spec.containers[1].resources.requests[memory]: Invalid value: "-1": ${NEGATIVE}`],
  ],
  [
    '',
    'pods',
    `{"spec":{"containers":[${container('{"limits":{"cpu":"1","memory":"1Mi"},"requests":{"cpu":"1000m","memory":"1024Ki"}}')}]}}`,
    [],
  ],
  ['', 'pods', '{"spec":{"containers":7}}', []],
  ['', 'configmaps', `{"spec":{"containers":[${container('{"limits":{"cpu":"-1"}}')}]}}`, []],
];

test('containerResourceErrors() finds what is negative and what is above its limit, wherever pods are described', () => {
  for (const [group, plural, object, errors] of CASES) {
    const kind = kinds.find(group, 'v1', plural)!;
    const found = containerResourceErrors(kind, parseJson(Buffer.from(object)) as ApiObject);
    assert.deepEqual(
      found.map(({ field, message }) => `${field}: ${message}`),
      errors,
      object,
    );
  }
});

function container(resources: string): string {
  return `{"name":"c","resources":${resources}}`;
}
