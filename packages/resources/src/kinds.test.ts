// The registry of kinds: built-in ones as discovery lists them, custom ones coming and going.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Kind } from './kind.ts';
import { compareVersions, openKinds } from './kinds.ts';

type Document = {
  items: { metadata: { name?: string }; versions: { version: string; resources: Row[] }[] }[];
};
type Row = { resource: string; scope: string; verbs: string[]; subresources?: { subresource: string }[] };

test('openKinds() has every kind of discovery in its order', () => {
  const kinds = openKinds();
  const names = ['discovery-api-v1.json', 'discovery-apis.json'].flatMap((file) => {
    const document: Document = JSON.parse(
      readFileSync(new URL(`../testdata/${file}`, import.meta.url), 'utf8'),
    );
    return document.items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map((row) => {
          const kind = kinds.find(metadata.name ?? '', version, row.resource);
          assert.ok(kind, row.resource);
          assert.equal(kind.namespaced, row.scope === 'Namespaced');
          assert.deepEqual(kind.verbs, row.verbs);
          const subresources = (row.subresources ?? []).map(({ subresource }) => subresource);
          assert.deepEqual(
            kind.subresources.map(({ name }) => name),
            subresources,
          );
          return `${metadata.name ?? ''}/${version}/${row.resource}`;
        }),
      ),
    );
  });
  assert.deepEqual(
    kinds.all().map(({ group, version, plural }) => `${group}/${version}/${plural}`),
    names,
  );
  assert.equal(kinds.groups()[0], '');
  assert.deepEqual(kinds.versionsOf('autoscaling'), ['v2', 'v1']);
});

/** What kube-apiserver 1.37.2 wrote into its etcd when one object of each was created. */
const LAYOUT: Record<string, string> = {
  '/v1/configmaps': '/registry/configmaps/',
  '/v1/replicationcontrollers': '/registry/controllers/',
  '/v1/nodes': '/registry/minions/',
  '/v1/services': '/registry/services/specs/',
  '/v1/endpoints': '/registry/services/endpoints/',
  '/v1/events': '/registry/events/',
  'events.k8s.io/v1/events': '/registry/events/',
  '/v1/podtemplates': '/registry/podtemplates/',
  'apps/v1/deployments': '/registry/deployments/',
  'autoscaling/v1/horizontalpodautoscalers': '/registry/horizontalpodautoscalers/',
  'autoscaling/v2/horizontalpodautoscalers': '/registry/horizontalpodautoscalers/',
  'networking.k8s.io/v1/ingresses': '/registry/ingress/',
  'networking.k8s.io/v1/ingressclasses': '/registry/ingressclasses/',
  'coordination.k8s.io/v1/leases': '/registry/leases/',
  'discovery.k8s.io/v1/endpointslices': '/registry/endpointslices/',
  'policy/v1/poddisruptionbudgets': '/registry/poddisruptionbudgets/',
  'flowcontrol.apiserver.k8s.io/v1/flowschemas': '/registry/flowschemas/',
  'rbac.authorization.k8s.io/v1/clusterrolebindings': '/registry/clusterrolebindings/',
  'apiregistration.k8s.io/v1/apiservices': '/registry/apiregistration.k8s.io/apiservices/',
  'apiextensions.k8s.io/v1/customresourcedefinitions':
    '/registry/apiextensions.k8s.io/customresourcedefinitions/',
  'authorization.k8s.io/v1/subjectaccessreviews': '',
};

test('storagePrefix is where kube-apiserver keeps a kind', () => {
  const kinds = openKinds();
  for (const [path, prefix] of Object.entries(LAYOUT)) {
    const [group = '', version = '', plural = ''] = path.split('/');
    assert.equal(kinds.find(group, version, plural)?.storagePrefix, prefix, path);
  }
});

test('storageVersion names another form only for the kinds that have two', () => {
  const converted = openKinds()
    .all()
    .filter((kind) => kind.storageVersion !== (kind.group === '' ? 'v1' : `${kind.group}/${kind.version}`))
    .map(
      ({ group, version, plural, storageVersion }) => `${group}/${version}/${plural} as ${storageVersion}`,
    );
  assert.deepEqual(converted, [
    'events.k8s.io/v1/events as v1',
    'autoscaling/v1/horizontalpodautoscalers as autoscaling/v2',
  ]);
});

test('setCustom() and removeCustom() change what is served and tell it', () => {
  const kinds = openKinds();
  let changes = 0;
  const stop = kinds.onChange(() => changes++);
  kinds.setCustom('widgets.b.io', [custom('b.io', 'v1beta1'), custom('b.io', 'v1')]);
  kinds.setCustom('widgets.a.io', [custom('a.io', 'v1')]);
  assert.deepEqual(kinds.groups().slice(-2), ['a.io', 'b.io']);
  assert.deepEqual(kinds.versionsOf('b.io'), ['v1', 'v1beta1']);
  assert.equal(kinds.find('b.io', 'v1', 'widgets')?.custom, true);
  assert.equal(kinds.storedAt('/registry/b.io/widgets/').length, 2);
  kinds.removeCustom('widgets.b.io');
  kinds.removeCustom('widgets.b.io');
  assert.equal(kinds.hasGroup('b.io'), false);
  stop();
  kinds.removeCustom('widgets.a.io');
  assert.equal(changes, 3);
});

test('compareVersions() sorts stable versions first, newest first', () => {
  const versions = ['foo10', 'v1alpha1', 'v2', 'v10', 'v1beta2', 'v11beta2', 'foo1', 'v1', 'v3beta1'];
  assert.deepEqual(versions.sort(compareVersions), [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v3beta1',
    'v1beta2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});

function custom(group: string, version: string): Kind {
  return {
    group,
    version,
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ['get', 'list'],
    subresources: [],
    storagePrefix: `/registry/${group}/widgets/`,
    storageVersion: `${group}/v1`,
    custom: true,
    get codec(): never {
      throw new Error('not asked for here');
    },
  };
}
