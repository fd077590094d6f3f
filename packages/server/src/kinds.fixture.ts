// Kinds for this room's tests: the built-in ones, and two custom ones as their definitions would make them.
import { type Kind, type Kinds, openKinds, type Subresource, type Verb } from '@sluice/resources';

const GROUP = 'd.example.test';
const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const SUBRESOURCE_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/** Widget: namespaced, v1 with status and scale, and v1beta1. Gizmo: cluster-scoped, v1. */
export function kindsWithCustom(): Kinds {
  const kinds = openKinds();
  const status: Subresource = {
    name: 'status',
    kind: 'Widget',
    group: GROUP,
    version: 'v1',
    verbs: SUBRESOURCE_VERBS,
  };
  const scale: Subresource = {
    name: 'scale',
    kind: 'Scale',
    group: 'autoscaling',
    version: 'v1',
    verbs: SUBRESOURCE_VERBS,
  };
  const widget = {
    kind: 'Widget',
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd'],
    categories: ['all'],
    namespaced: true,
  };
  kinds.setCustom(`widgets.${GROUP}`, [
    customKind({ ...widget, version: 'v1', subresources: [status, scale] }),
    customKind({ ...widget, version: 'v1beta1' }),
  ]);
  kinds.setCustom(`gizmos.${GROUP}`, [
    customKind({ kind: 'Gizmo', plural: 'gizmos', singular: 'gizmo', version: 'v1' }),
  ]);
  return kinds;
}

function customKind(named: Pick<Kind, 'kind' | 'plural' | 'singular' | 'version'> & Partial<Kind>): Kind {
  return {
    group: GROUP,
    listKind: `${named.kind}List`,
    shortNames: [],
    categories: [],
    namespaced: false,
    verbs: VERBS,
    subresources: [],
    storagePrefix: `/registry/${GROUP}/${named.plural}/`,
    storageVersion: `${GROUP}/v1`,
    custom: true,
    get codec(): never {
      throw new Error('not needed here');
    },
    ...named,
  };
}
