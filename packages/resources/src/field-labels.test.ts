// Which fields can be selected by, what the refusals say, and what is read for each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFieldLabels, fieldReader } from './field-labels.ts';
import type { Kind } from './kind.ts';
import { openKinds } from './kinds.ts';
import { parseFieldSelector } from './selectors/field.ts';

const kinds = openKinds();

/** Asked of kube-apiserver 1.37.2. */
const REFUSED: [kind: Kind, field: string, message: string][] = [
  [kindOf('', 'pods'), 'spec.hostname', 'field label not supported: spec.hostname'],
  [kindOf('', 'nodes'), 'metadata.namespace', 'field label not supported: metadata.namespace'],
  [kindOf('events.k8s.io', 'events'), 'note', 'field label not supported: note'],
  [
    kindOf('events.k8s.io', 'events'),
    'involvedObject.name',
    'field label not supported: involvedObject.name',
  ],
  [kindOf('batch', 'jobs'), 'status.active', 'field label "status.active" not supported for Job'],
  [
    kindOf('resource.k8s.io', 'resourceslices'),
    'spec.pool',
    'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.pool',
  ],
  [
    kindOf('apps', 'deployments'),
    'status.replicas',
    '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
];

test('checkFieldLabels() refuses in the words of each kind', () => {
  for (const [kind, field, message] of REFUSED) {
    assert.throws(() => checkFieldLabels(kind, parseFieldSelector(`${field}=x`)), { message, code: 400 });
  }
});

test('checkFieldLabels() names the first unknown field of several', () => {
  const selector = parseFieldSelector('zz=1,metadata.name=a,aa=1');
  assert.throws(() => checkFieldLabels(kindOf('', 'pods'), selector), {
    message: 'field label not supported: aa',
  });
});

test('checkFieldLabels() knows the old name of spec.nodeName', () => {
  assert.equal(
    checkFieldLabels(kindOf('', 'pods'), parseFieldSelector('spec.host!=n')).text,
    'spec.nodeName!=n',
  );
});

test('fieldReader() reads texts, flags and counts, and what stands for missing ones', () => {
  const pod = fieldReader(
    kindOf('', 'pods'),
    bytes({ metadata: { name: 'p' }, spec: { nodeName: 'n' }, status: { podIP: '10.0.0.1', podIPs: [{}] } }),
  );
  assert.deepEqual(
    ['metadata.name', 'spec.nodeName', 'spec.hostNetwork', 'status.podIP', 'status.podIPs', 'nope'].map(pod),
    ['p', 'n', 'false', '10.0.0.1', '', ''],
  );
  const node = fieldReader(kindOf('', 'nodes'), bytes({ spec: { unschedulable: true } }));
  assert.equal(node('spec.unschedulable'), 'true');
  const job = fieldReader(kindOf('batch', 'jobs'), bytes({ status: { succeeded: 3 } }));
  assert.equal(job('status.successful'), '3');
  assert.equal(fieldReader(kindOf('batch', 'jobs'), bytes({}))('status.successful'), '0');
});

test('fieldReader() reads fields of custom kinds whatever their names are spelled with', () => {
  const kind: Kind = {
    ...kindOf('', 'pods'),
    custom: true,
    selectableFields: ['spec.größe', 'spec.a<b', 'spec.c'],
  };
  const item = Buffer.from('{"metadata":{"name":"x"},"spec":{"a\\u003cb":"y\\n","c":null,"größe":7}}');
  const read = fieldReader(kind, item);
  assert.deepEqual(['spec.größe', 'spec.a<b', 'spec.c', 'metadata.name'].map(read), ['7', 'y\n', '', 'x']);
});

test('fieldReader() reads stored events for both groups', () => {
  const event = bytes({ involvedObject: { name: 'p' }, reportingComponent: 'c', source: {} });
  const old = fieldReader(kindOf('', 'events'), event);
  const current = fieldReader(kindOf('events.k8s.io', 'events'), event);
  assert.equal(old('involvedObject.name'), 'p');
  assert.equal(current('regarding.name'), 'p');
  assert.equal(current('reportingComponent'), 'c');
  assert.equal(old('source'), 'c');
});

function kindOf(group: string, plural: string): Kind {
  const kind = kinds.find(group, 'v1', plural);
  assert.ok(kind, plural);
  return kind;
}

function bytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
