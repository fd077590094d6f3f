// Every error's bytes against bodies recorded from kube-apiserver.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { JsonNumber } from '@sluice/encoding';
import * as errors from './errors.ts';
import { type ApiError, encodeStatus, encodeStatusPretty } from './status.ts';
import { forbiddenValue, invalid, invalidValue, tooLong, unsupportedValue } from './validation.ts';

const recorded = new Map<string, string>(
  readFileSync(new URL('../testdata/statuses.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ id, body }) => [id, body]),
);

const widgets = { group: 'run.example.test', plural: 'widgets' };
const gadgets = { group: 'run.example.test', plural: 'gadgets' };
const configMaps = { group: '', plural: 'configmaps' };
const definitions = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const atLeastZero = 'must be greater than or equal to 0';
const notAbove = 'cannot be greater than status.replicas';

const cases: Record<string, ApiError> = {
  'crd-lifecycle/cr-exists': errors.alreadyExists(widgets, 'a'),
  'crd-lifecycle/gone': errors.notFound(
    { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' },
    'widgets.run.example.test',
  ),
  'crd-patch-apply/stale': errors.conflict(widgets, 'a'),
  'crd-patch-apply/apply-conflict': errors.applyConflict(
    'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.atom\n- .spec.items[k="x"].v',
    ['.spec.atom', '.spec.items[k="x"].v'].map((field) => ({
      reason: 'FieldManagerConflict',
      message: 'conflict with "m1"',
      field,
    })),
  ),
  'crd-patch-apply/json-fails': errors.unprocessable(),
  'crd-subresources/status-post': errors.verbNotSupported(widgets, 'create'),
  'discovery-errors/version': errors.noSuchResource(),
  'discovery-errors/options': errors.methodNotAllowed(),
  'discovery-errors/unauthorized': errors.unauthorized(),
  'discovery-legacy/not-acceptable': errors.notAcceptableRoute(mediaTypes),
  'formats-accept-custom/text': errors.notAcceptable(mediaTypes),
  'formats-cbor-off/post': errors.unsupportedMediaType(mediaTypes),
  'formats-cbor-off/apply': errors.unsupportedMediaTypeRoute(),
  'list-auth/user-list-group': errors.forbidden(
    { group: 'apps', plural: 'deployments' },
    '',
    'User "jane" cannot list resource "deployments" in API group "apps" in the namespace "default"',
  ),
  'list-auth/user-by-name': errors.forbidden(
    configMaps,
    'a',
    'User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
  ),
  'list-auth/anonymous-root': errors.forbiddenPath('User "system:anonymous" cannot get path "/"'),
  'objects-create-body/too-large': errors.tooLarge('limit is 3145728'),
  'objects-delete-pods/bind-again': errors.conflict(
    { group: '', plural: 'pods/binding' },
    'b',
    'pod b is already assigned to node "n1"',
  ),
  'objects-namespaces/create-in': errors.forbidden(
    configMaps,
    'b',
    'unable to create new content in namespace run-n because it is being terminated',
    [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace run-n is being terminated',
        field: 'metadata.namespace',
      },
    ],
  ),
  'list-custom/options': errors.verbNotSupported(gadgets, ''),
  'list-custom/long-ago': errors.listTooOld(),
  'list-custom/future': errors.futureRevision(7n, 7n),
  'list-custom/word': errors.badRequest(
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ),
  'objects-create-metadata/resource-version': errors.plainError(
    'resourceVersion should not be set on objects to be created',
  ),
  'objects-immutable/service-ip': invalid({ group: '', kind: 'Service' }, 's', [
    invalidValue('spec.clusterIPs[0]', ['10.0.0.1'], 'may not change once set'),
  ]),
  'objects-status-scale/status-invalid': invalid({ group: 'apps', kind: 'Deployment' }, 'd', [
    invalidValue('status.replicas', -1, atLeastZero),
    ...['updated', 'ready', 'available'].map((which) =>
      invalidValue(`status.${which}Replicas`, new JsonNumber('0'), notAbove),
    ),
  ]),
  'list-deletecollection/bad-dry-run': invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    unsupportedValue('dryRun', ['Some'], ['All']),
  ]),
  'objects-managed-fields/manager-unprintable': invalid({ group: 'meta.k8s.io', kind: 'CreateOptions' }, '', [
    invalidValue('fieldManager', '\x01', 'invalid character U+0001 (at position 0)'),
  ]),
  'objects-create-metadata/data-too-big': invalid({ group: '', kind: 'ConfigMap' }, 'a', [
    tooLong('[]', 1048576),
  ]),
  'crd-definition-invalid/no-versions': invalid(definitions, 'widgets.run.example.test', [
    invalidValue('spec.versions', [], 'must have exactly one version marked as storage version'),
    invalidValue('status.storedVersions', null, 'must have at least one stored version'),
  ]),
};

test('encodeStatus() gives the bytes kube-apiserver sends', () => {
  assert.deepEqual([...recorded.keys()].sort(), Object.keys(cases).sort());
  for (const [id, error] of Object.entries(cases)) {
    const body = recorded.get(id);
    const encode = body?.endsWith('\n') ? encodeStatus : encodeStatusPretty;
    assert.equal(Buffer.from(encode(error.status)).toString(), body, id);
    assert.equal(error.code, JSON.parse(body ?? '').code, id);
  }
});

test('ApiError asks for a retry only when its details do', () => {
  assert.deepEqual(errors.futureRevision(9n, 3n).headers, { 'Retry-After': '1' });
  assert.deepEqual(errors.futureRevision(9n, 3n, 0).headers, {});
  assert.deepEqual(errors.notFound(configMaps, 'a').headers, {});
});

test('continueTooOld() hands out the token to go on with', () => {
  const body = Buffer.from(encodeStatus(errors.continueTooOld('abc').status)).toString();
  assert.ok(
    body.startsWith('{"kind":"Status","apiVersion":"v1","metadata":{"continue":"abc"},"status":"Failure"'),
  );
  assert.ok(errors.continueTooOld('').message.endsWith('without the continue parameter.'));
});

test('invalid() says each error once and keeps all causes', () => {
  const twice = forbiddenValue('a', 'no');
  const error = invalid({ group: '', kind: 'Pod' }, 'p', [twice, twice]);
  assert.equal(error.message, 'Pod "p" is invalid: a: Forbidden: no');
  assert.equal(error.status.details?.causes?.length, 2);
});
