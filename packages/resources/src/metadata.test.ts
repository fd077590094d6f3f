// Names, labels, annotations, finalizers and owners against answers recorded from kube-apiserver.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type JsonObject, parseJson } from '@sluice/encoding';
import type { Kind } from './kind.ts';
import { openKinds } from './kinds.ts';
import { metadataErrors, metadataUpdateErrors } from './metadata.ts';
import { nameProblems } from './name-rules.ts';
import { dnsSubdomainProblems, labelValueProblems } from './names.ts';
import { encodeStatus } from './status.ts';
import { invalid } from './validation.ts';

const kinds = openKinds();

test('metadataErrors() finds what kube-apiserver finds, in its words', () => {
  const lines = readFileSync(new URL('../testdata/metadata.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  assert.ok(lines.length >= 10);
  for (const line of lines) {
    const { id, path, body, status } = JSON.parse(line);
    const kind = kindOf('', 'v1', path.split('/').at(-1));
    const object = tree({ ...body, metadata: { namespace: 'default', ...body.metadata } });
    const error = invalid(kind, body.metadata.name ?? '', metadataErrors(kind, object));
    assert.equal(Buffer.from(encodeStatus(error.status)).toString(), status, id);
  }
});

test('metadataErrors() counts the bytes of all annotations', () => {
  const object = (bytes: number): JsonObject =>
    tree({
      metadata: { name: 'a', namespace: 'default', annotations: { a: 'é'.repeat(bytes / 2 - 1), b: '' } },
    });
  const kind = kindOf('', 'v1', 'configmaps');
  assert.deepEqual(metadataErrors(kind, object(256 * 1024)), []);
  const [error] = metadataErrors(kind, object(256 * 1024 + 2));
  assert.equal(error?.message, 'Too long: may not be more than 262144 bytes');
});

test('metadataUpdateErrors() refuses new finalizers while an object is being deleted', () => {
  const kind = kindOf('', 'v1', 'configmaps');
  const old = tree({ metadata: { name: 'a', deletionTimestamp: 'x', finalizers: ['ex.test/a'] } });
  const changed = tree({
    metadata: { name: 'a', deletionTimestamp: 'x', finalizers: ['ex.test/a', 'ex.test/new'] },
  });
  assert.deepEqual(metadataUpdateErrors(kind, changed, old), [
    {
      reason: 'FieldValueForbidden',
      field: 'metadata.finalizers',
      message:
        'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"ex.test/new"}',
    },
  ]);
});

test('metadataUpdateErrors() names a problem once for a built-in kind, three times for a definition', () => {
  const old = tree({ metadata: { name: 'a' } });
  const changed = tree({ metadata: { name: 'a', labels: { a: 'b c' } } });
  const definitions = kindOf('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  assert.equal(metadataUpdateErrors(kindOf('', 'v1', 'configmaps'), changed, old).length, 1);
  assert.equal(metadataUpdateErrors(definitions, changed, old).length, 3);
});

test('nameProblems() follows the rule of each kind', () => {
  const none = tree({});
  const of = (kind: Kind, name: string): string[] => nameProblems(kind, name, none, false);
  assert.deepEqual(of(kindOf('', 'v1', 'namespaces'), 'a.b'), ['must not contain dots']);
  assert.deepEqual(of(kindOf('', 'v1', 'configmaps'), 'a.b'), []);
  assert.deepEqual(of(kindOf('rbac.authorization.k8s.io', 'v1', 'clusterroles'), 'system:Any thing'), []);
  assert.deepEqual(of(kindOf('rbac.authorization.k8s.io', 'v1', 'clusterroles'), 'a/b%'), [
    "may not contain '/'",
    "may not contain '%'",
  ]);
  const addresses = kindOf('networking.k8s.io', 'v1', 'ipaddresses');
  assert.deepEqual(of(addresses, '2001:db8::1'), []);
  assert.deepEqual(of(addresses, '2001:DB8::1'), ['must be in canonical form ("2001:db8::1")']);
  const apiServices = kindOf('apiregistration.k8s.io', 'v1', 'apiservices');
  const service = tree({ spec: { group: 'g.io', version: 'v1' } });
  assert.deepEqual(nameProblems(apiServices, 'v1.g.io', service, false), []);
  assert.deepEqual(nameProblems(apiServices, 'x', service, false), [
    'must be `spec.version+"."+spec.group`: "v1.g.io"',
  ]);
});

test('nameProblems() lets the start of a generated name end in a dash', () => {
  const kind = kindOf('', 'v1', 'pods');
  assert.deepEqual(nameProblems(kind, 'web-', tree({}), true), []);
  assert.equal(nameProblems(kind, 'web-', tree({}), false).length, 1);
});

test('names of megabytes are refused without a deep match', () => {
  const long = 'a.'.repeat(1_500_000);
  assert.equal(dnsSubdomainProblems(long).length, 2);
  assert.equal(labelValueProblems(`${'a'.repeat(3_000_000)}!`).length, 2);
});

function kindOf(group: string, version: string, plural: string): Kind {
  const kind = kinds.find(group, version, plural);
  assert.ok(kind, plural);
  return kind;
}

function tree(value: unknown): JsonObject {
  return parseJson(Buffer.from(JSON.stringify(value))) as JsonObject;
}
