// Objects as they are created with nothing said that can be left out, and what kube-apiserver made of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseJson, printJson } from '@sluice/encoding';
import { FIELD_ROWS } from '../generated/field-tables.ts';
import type { ApiObject, Kind } from '../kind.ts';
import { openKinds } from '../kinds.ts';
import { fieldsOf } from '../schema/field-table.ts';
import { setDefaults } from './defaults.ts';
import { isConditional } from './rule.ts';
import { DEFAULTS, WITHOUT_DEFAULTS } from './table.ts';

type Recorded = { sent: { kind: string; apiVersion: string; metadata: { name: string } }; made: string };

const RECORDED: readonly Recorded[] = readFileSync(
  new URL('../../testdata/created.ndjson', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

for (const { sent, made } of RECORDED) {
  test(`setDefaults() fills in ${sent.kind} ${sent.metadata.name} as the reference does`, () => {
    const kind = kindOf(sent);
    const object = kind.codec.decode(Buffer.from(JSON.stringify(sent))).object;
    setDefaults(kind, object);
    assert.deepEqual(comparable(shown(kind, object)), comparable(JSON.parse(made)));
    const once = printJson(object);
    setDefaults(kind, object);
    assert.deepEqual(printJson(object), once);
  });
}

test('setDefaults() leaves what clients say, zeros of pointers included', () => {
  const deployment = defaulted('apps', 'v1', 'deployments', {
    spec: { replicas: 0, template: { spec: { containers: [{ terminationMessagePath: '/x' }] } } },
  });
  const { replicas, template } = deployment.spec;
  assert.equal(replicas, 0);
  assert.equal(template.spec.containers[0].terminationMessagePath, '/x');
});

test('setDefaults() makes structs that are always there, and no others', () => {
  const deployment = defaulted('apps', 'v1', 'deployments', {});
  assert.deepEqual(deployment.spec.strategy, {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
  });
  assert.equal(deployment.spec.template.spec.dnsPolicy, 'ClusterFirst');
  assert.equal(deployment.spec.selector, null);
  assert.equal(defaulted('', 'v1', 'replicationcontrollers', {}).spec.template, undefined);
});

test('setDefaults() shares nothing between objects', () => {
  const kind = openKinds().find('', 'v1', 'pods')!;
  const [one, other]: [ApiObject, ApiObject] = [new Map(), new Map()];
  for (const pod of [one, other]) setDefaults(kind, pod);
  const context = (pod: ApiObject): unknown => (pod.get('spec') as ApiObject).get('securityContext');
  assert.deepEqual(context(one), new Map());
  assert.notEqual(context(one), context(other));
});

test('DEFAULTS names types and fields that there are', () => {
  for (const [typeName, rules] of Object.entries(DEFAULTS)) {
    if (typeName === 'core/v1.ResourceList') continue;
    assert.ok(FIELD_ROWS[typeName], typeName);
    const names = fieldsOf(typeName).map(({ json }) => json);
    for (const rule of rules) {
      if (typeof rule === 'function') continue;
      const said = isConditional(rule) ? [rule.when, ...Object.keys(rule.sets)] : Object.keys(rule);
      for (const name of said) assert.ok(names.includes(name), `${typeName} ${name}`);
    }
  }
  for (const typeName of WITHOUT_DEFAULTS) assert.ok(FIELD_ROWS[typeName], typeName);
});

test('DEFAULTS has rules for no type that stands in a map', () => {
  for (const typeName of Object.keys(FIELD_ROWS)) {
    for (const { type } of fieldsOf(typeName)) {
      if (type.kind === 'map') assert.equal(DEFAULTS[type.elem!.name], undefined, type.elem!.name);
    }
  }
});

function kindOf({ kind, apiVersion }: Recorded['sent']): Kind {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const found = openKinds()
    .all()
    .find((one) => one.kind === kind && one.group === group && one.version === version);
  assert.ok(found, `${apiVersion} ${kind}`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of any shape.
type Json = any;

function defaulted(group: string, version: string, plural: string, body: Json): Json {
  const kind = openKinds().find(group, version, plural)!;
  const object = parseJson(Buffer.from(JSON.stringify(body))) as ApiObject;
  setDefaults(kind, object);
  return shown(kind, object);
}

function shown(kind: Kind, object: ApiObject): Json {
  const { head, tail } = kind.codec.encode(object);
  return JSON.parse(Buffer.concat([head, tail]).toString());
}

/** Without what is no default: metadata, statuses that are the server's, generated selectors, families of addresses, the time. */
function comparable({ kind: _, apiVersion: __, metadata: ___, ...object }: Json): Json {
  if (object.spec?.capacity === undefined && object.status?.nodeInfo === undefined) delete object.status;
  delete object.status?.lastPhaseTransitionTime;
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete object.spec?.[name];
  if (object.spec?.manualSelector === false) {
    delete object.spec.selector;
    delete object.spec.template.metadata;
  }
  const devices = Array.isArray(object.spec?.devices) ? object.spec.devices : [];
  for (const { taints } of devices) for (const taint of taints ?? []) delete taint.timeAdded;
  return object;
}
