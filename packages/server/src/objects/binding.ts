// POST pods/<name>/binding: a scheduler says on which node a pod runs.
import type { JsonObject } from '@sluice/encoding';
import { builtInCodec, conflict, invalid, requiredValue } from '@sluice/resources';
import type { ApiRequest, ResourceTarget, StatusAnswer } from '../api.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { changeObject } from './change.ts';
import { ensureName, ensureNamespace, metadataOf, timeText } from './metadata.ts';
import { readWriteOptions } from './options.ts';
import { clone, objectAt, objectsAt, textAt, valueAt } from './tree.ts';

const IDENTITY = { group: '', version: 'v1', kind: 'Binding' };
const BINDING = { ...IDENTITY, codec: builtInCodec('core/v1.Binding', IDENTITY) };

/** @throws ApiError 404, 409 when the pod has a node or is being deleted */
export async function bindPod(
  parts: ObjectParts,
  target: ResourceTarget,
  request: ApiRequest,
): Promise<StatusAnswer> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'CreateOptions');
  const binding = await readObject(request, BINDING, fieldValidation);
  ensureNamespace(target.kind, binding, target.namespace);
  ensureName(binding, target.name);
  const node = textAt(binding, 'target', 'name');
  if (node === '') throw invalid(IDENTITY, target.name, [requiredValue('target.name')]);
  await changeObject(parts, target, {
    dryRun,
    uid: textAt(binding, 'metadata', 'uid'),
    make(old) {
      const pod = clone(old!) as JsonObject;
      refuseBound(target.name, pod);
      objectAt(pod, 'spec').set('nodeName', node);
      const annotations = valueAt(binding, 'metadata', 'annotations');
      if (annotations instanceof Map) {
        for (const [name, value] of annotations) objectAt(metadataOf(pod), 'annotations').set(name, value);
      }
      addScheduled(pod, parts.now());
      return pod;
    },
    prepare: (made) => made,
  });
  return { type: 'status', code: 201, status: { status: 'Success', code: 201 } };
}

function refuseBound(name: string, pod: JsonObject): void {
  const binding = { group: '', plural: 'pods/binding' };
  if (textAt(pod, 'metadata', 'deletionTimestamp') !== '') {
    throw conflict(binding, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const bound = textAt(pod, 'spec', 'nodeName');
  if (bound !== '') throw conflict(binding, name, `pod ${name} is already assigned to node "${bound}"`);
}

function addScheduled(pod: JsonObject, now: Date): void {
  const others = objectsAt(pod, 'status', 'conditions').filter(
    (one) => textAt(one, 'type') !== 'PodScheduled',
  );
  const scheduled = new Map([
    ['type', 'PodScheduled'],
    ['status', 'True'],
    ['lastTransitionTime', timeText(now)],
  ]);
  objectAt(pod, 'status').set('conditions', [...others, scheduled]);
}
