// Fields that stay as they were created, kind by kind, and how kube-apiserver refuses to change them.
import type { JsonValue } from '@sluice/encoding';
import { type ApiObject, type FieldError, forbiddenValue, invalidValue, type Kind } from '@sluice/resources';
import { isSame } from './sameness.ts';
import { integerAt, textAt, valueAt } from './tree.ts';

/** What is wrong with a changed object; nothing for custom kinds. */
export function immutableFieldErrors(kind: Kind, object: ApiObject, old: ApiObject): FieldError[] {
  if (kind.custom) return [];
  const rows = IMMUTABLE[kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`] ?? [];
  return rows
    .filter(({ path, mayChange }) => !isSame(kind, object, old, [path]) && !mayChange?.(object))
    .map(({ path, refuse }) => refuse(valueAt(object, ...path) ?? null));
}

type Row = {
  readonly path: readonly string[];
  readonly refuse: (value: JsonValue) => FieldError;
  readonly mayChange?: (object: ApiObject) => boolean;
};

const DETAIL = 'field is immutable';

/** The error shows the new value. */
function shown(text: string, field: string = text): Row {
  return { path: text.split('.'), refuse: (value) => invalidValue(field, value, DETAIL) };
}

/** A text that is taken away is an empty text. */
function shownText(text: string): Row {
  return { path: text.split('.'), refuse: (value) => invalidValue(text, value ?? '', DETAIL) };
}

/** The error shows null, whatever the value is. */
function hidden(text: string): Row {
  return { path: text.split('.'), refuse: () => invalidValue(text, null, DETAIL) };
}

function forbidden(text: string, detail: string): Row {
  return { path: text.split('.'), refuse: () => forbiddenValue(text, detail) };
}

/** The error shows members by the names they have in Go. */
const ROLE_REF: Row = {
  path: ['roleRef'],
  refuse(value) {
    const named = Object.entries({ APIGroup: 'apiGroup', Kind: 'kind', Name: 'name' }).map(
      ([name, json]): [string, string] => [name, textAt(value, json)],
    );
    return invalidValue('roleRef', new Map(named), DETAIL);
  },
};

/** As long as an indexed job has as many indexes as pods, it may have more or fewer of both. */
function isElastic(job: ApiObject): boolean {
  const completions = integerAt(job, 'spec', 'completions');
  const isIndexed = textAt(job, 'spec', 'completionMode') === 'Indexed';
  return isIndexed && completions !== undefined && completions === integerAt(job, 'spec', 'parallelism');
}

/** Asked of kube-apiserver 1.37.2. Where it shows a difference between old and new instead, the kind isn't here. */
const IMMUTABLE: Readonly<Record<string, readonly Row[]>> = {
  'controllerrevisions.apps': [shown('data')],
  'daemonsets.apps': [shown('spec.selector')],
  'deployments.apps': [shown('spec.selector')],
  'replicasets.apps': [shown('spec.selector')],
  'statefulsets.apps': [
    shown('spec.volumeClaimTemplates'),
    shown('spec.selector'),
    shownText('spec.serviceName'),
    shownText('spec.podManagementPolicy'),
  ],
  'jobs.batch': [
    { ...shown('spec.completions'), mayChange: isElastic },
    shown('spec.selector'),
    shown('spec.completionMode'),
    shown('spec.backoffLimitPerIndex'),
  ],
  'csidrivers.storage.k8s.io': [
    shown('spec.attachRequired', 'spec.attachedRequired'),
    shown('spec.volumeLifecycleModes'),
  ],
  'csistoragecapacities.storage.k8s.io': [shownText('storageClassName')],
  'endpointslices.discovery.k8s.io': [hidden('addressType')],
  'ingressclasses.networking.k8s.io': [shownText('spec.controller')],
  'ipaddresses.networking.k8s.io': [hidden('spec.parentRef')],
  'priorityclasses.scheduling.k8s.io': [
    forbidden('value', 'may not be changed in an update.'),
    shown('preemptionPolicy'),
  ],
  'clusterrolebindings.rbac.authorization.k8s.io': [ROLE_REF],
  'rolebindings.rbac.authorization.k8s.io': [ROLE_REF],
  'resourceclaims.resource.k8s.io': [hidden('spec')],
  'resourceslices.resource.k8s.io': [
    shownText('spec.driver'),
    shownText('spec.pool.name'),
    shown('spec.nodeName'),
  ],
  'runtimeclasses.node.k8s.io': [hidden('handler')],
  'storageclasses.storage.k8s.io': [
    hidden('provisioner'),
    hidden('parameters'),
    hidden('reclaimPolicy'),
    hidden('volumeBindingMode'),
  ],
  'volumeattachments.storage.k8s.io': [hidden('spec')],
  'volumeattributesclasses.storage.k8s.io': [
    forbidden('driverName', 'updates to driverName are forbidden.'),
    forbidden('parameters', 'updates to parameters are forbidden.'),
  ],
  persistentvolumes: [shown('spec.volumeMode', 'volumeMode')],
};
