// The scale subresource: an object's replica counts and selector as a Scale, and a Scale written back into it.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import {
  type ApiError,
  type ApiObject,
  builtInCodec,
  internalError,
  invalid,
  invalidValue,
  type Kind,
  notFound,
  type ScalePaths,
} from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import { readPatchType } from '../body-type.ts';
import { objectKey } from '../keys.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { changeObject } from './change.ts';
import { ensureName, ensureNamespace, metadataOf } from './metadata.ts';
import { readPatchOptions, readWriteOptions } from './options.ts';
import { applyPatch, decodePatched, readPatch } from './patch-document.ts';
import { prepareChanged } from './preparation.ts';
import { labelSelectorText } from './selector-text.ts';
import { findItem, readItem, shownItem } from './stored.ts';
import { clone, integer, integerAt, objectAt, put, textAt, valueAt } from './tree.ts';

const IDENTITY = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** It has no path of its own. */
const SCALE: Kind = {
  ...IDENTITY,
  listKind: 'ScaleList',
  plural: 'scales',
  singular: 'scale',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  subresources: [],
  storagePrefix: '',
  storageVersion: 'autoscaling/v1',
  custom: false,
  codec: builtInCodec('autoscaling/v1.Scale', IDENTITY),
};

export function getScale(parts: ObjectParts, { kind, namespace, name }: ResourceTarget): ObjectAnswer {
  const item = findItem(parts, kind, objectKey(kind, namespace, name));
  if (!item) throw notFound(kind, name);
  return answer(kind, readItem(parts, kind, item.bytes), item.modRevision);
}

export async function updateScale(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
): Promise<ObjectAnswer> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'UpdateOptions');
  const scale = await readObject(request, SCALE, fieldValidation);
  ensureNamespace(SCALE, scale, target.namespace);
  ensureName(scale, target.name);
  return write(parts, target, dryRun, textAt(scale, 'metadata', 'uid'), () => scale);
}

export async function patchScale(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
): Promise<ObjectAnswer> {
  const type = readPatchType(request.headers['content-type'], target.kind);
  const body = await request.readBody();
  const { dryRun, fieldValidation } = readPatchOptions(request.query, type);
  const patch = readPatch(body, type, fieldValidation);
  return write(parts, target, dryRun, '', (old) => {
    const before = scaleOf(target.kind, old);
    const patched = applyPatch(patch, new Map<string, JsonValue>([...TYPE_META, ...before]), SCALE);
    return decodePatched(patched, SCALE, patch, fieldValidation).object;
  });
}

const TYPE_META: readonly [string, string][] = [
  ['kind', 'Scale'],
  ['apiVersion', 'autoscaling/v1'],
];

async function write(
  parts: ObjectParts,
  target: ResourceTarget,
  dryRun: boolean,
  uid: string,
  scaleFor: (old: ApiObject) => ApiObject,
): Promise<ObjectAnswer> {
  const { kind } = target;
  const { object, item } = await changeObject(parts, target, {
    dryRun,
    uid,
    make(old) {
      const made = clone(old!) as JsonObject;
      const scale = scaleFor(old!);
      const replicas = integerAt(scale, 'spec', 'replicas') ?? 0n;
      if (replicas < 0n) throw negative(kind, target.name, replicas);
      setReplicas(kind, made, replicas);
      const asked = textAt(scale, 'metadata', 'resourceVersion');
      if (asked !== '') metadataOf(made).set('resourceVersion', asked);
      return made;
    },
    prepare: (made, old) => prepareChanged(kind, made, old, parts.now()),
  });
  return answer(kind, object, BigInt(textAt(kind.codec.read(item), 'metadata', 'resourceVersion')));
}

function negative(kind: Kind, name: string, replicas: bigint): ApiError {
  if (kind.scale) {
    const field = `.${kind.scale.specReplicas}`;
    return invalid(kind, name, [invalidValue(field, replicas, 'should be a non-negative integer')]);
  }
  return invalid(SCALE, name, [
    invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ]);
}

function answer(kind: Kind, object: ApiObject, revision: bigint): ObjectAnswer {
  return { type: 'object', code: 200, kind: SCALE, item: shownItem(SCALE, scaleOf(kind, object), revision) };
}

const BUILT_IN: ScalePaths = { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas' };

function scaleOf(kind: Kind, object: ApiObject): ApiObject {
  const paths = kind.scale ?? BUILT_IN;
  const metadata: JsonObject = new Map();
  for (const name of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
    put(metadata, name, valueAt(object, 'metadata', name));
  }
  const replicas = integerAt(object, ...paths.specReplicas.split('.'));
  if (replicas === undefined && kind.scale) {
    throw internalError(`the spec replicas field ".${paths.specReplicas}" does not exist`);
  }
  const selector = kind.scale
    ? customSelector(kind.scale, object)
    : labelSelectorText(valueAt(object, 'spec', 'selector'));
  const status: JsonObject = new Map();
  status.set('replicas', integer(integerAt(object, ...paths.statusReplicas.split('.')) ?? 0n));
  if (selector !== '') status.set('selector', selector);
  return new Map<string, JsonValue>([
    ['metadata', metadata],
    ['spec', new Map([['replicas', integer(replicas ?? 0n)]])],
    ['status', status],
  ]);
}

function customSelector(paths: ScalePaths, object: ApiObject): string {
  return paths.labelSelector === undefined ? '' : textAt(object, ...paths.labelSelector.split('.'));
}

function setReplicas(kind: Kind, object: ApiObject, replicas: bigint): void {
  const names = (kind.scale ?? BUILT_IN).specReplicas.split('.');
  const last = names.pop()!;
  let parent: JsonObject = object;
  for (const name of names) parent = objectAt(parent, name);
  parent.set(last, integer(replicas));
}
