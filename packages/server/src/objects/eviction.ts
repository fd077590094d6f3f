// POST pods/<name>/eviction: a deletion that is asked for politely. Nothing here keeps disruption budgets, so that nothing refuses.
import { builtInCodec } from '@sluice/resources';
import type { ApiRequest, ResourceTarget, StatusAnswer } from '../api.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { deleteWith } from './delete.ts';
import { ensureName, ensureNamespace } from './metadata.ts';
import { readWriteOptions } from './options.ts';
import { integerAt, textAt, textsAt } from './tree.ts';

const IDENTITY = { group: 'policy', version: 'v1', kind: 'Eviction' };
const EVICTION = { ...IDENTITY, codec: builtInCodec('policy/v1.Eviction', IDENTITY) };

/** @throws ApiError 404, 409 */
export async function evictPod(
  parts: ObjectParts,
  { kind, namespace, name }: ResourceTarget,
  request: ApiRequest,
): Promise<StatusAnswer> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'CreateOptions');
  const eviction = await readObject(request, EVICTION, fieldValidation);
  ensureNamespace(kind, eviction, namespace);
  ensureName(eviction, name);
  const uid = textAt(eviction, 'deleteOptions', 'preconditions', 'uid');
  const resourceVersion = textAt(eviction, 'deleteOptions', 'preconditions', 'resourceVersion');
  await deleteWith(parts, kind, namespace, name, {
    dryRun: dryRun || textsAt(eviction, 'deleteOptions', 'dryRun').length > 0,
    gracePeriodSeconds: integerAt(eviction, 'deleteOptions', 'gracePeriodSeconds'),
    propagation: undefined,
    orphanDependents: undefined,
    uid: uid === '' ? undefined : uid,
    resourceVersion: resourceVersion === '' ? undefined : resourceVersion,
  });
  return { type: 'status', code: 201, status: { status: 'Success', code: 201 } };
}
