// POST: a new object, named, filled in, checked and stored.
import {
  type ApiObject,
  alreadyExists,
  badRequest,
  forbidden,
  generatedNameTaken,
  type Kind,
  notFound,
  plainError,
  setDefaults,
} from '@sluice/resources';
import type { Key } from '@sluice/storage';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import { objectKey } from '../keys.ts';
import { textIn } from '../object-bytes.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { ensureNamespace, fillNewMetadata, metadataOf } from './metadata.ts';
import { readWriteOptions } from './options.ts';
import { prepareNew } from './preparation.ts';
import { claimNumbers } from './service-addresses.ts';
import { commit, findItem, shownItem, storable, storedHalves } from './stored.ts';
import { textAt } from './tree.ts';
import { checkNew } from './validation.ts';

/** Names tried before a client is told that there is none left. */
const GENERATED_NAMES_TRIED = 8;

/** @throws ApiError */
export async function createObject(
  parts: ObjectParts,
  { kind, namespace }: ResourceTarget,
  request: ApiRequest,
): Promise<ObjectAnswer> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'CreateOptions');
  const object = await readObject(request, kind, fieldValidation);
  ensureNamespace(kind, object, namespace);
  const item = await createWith(parts, kind, namespace, object, dryRun);
  return { type: 'object', code: 201, kind, item };
}

/** Creates the object, under another name while a generated one is taken. Gives its item bytes. */
export async function createWith(
  parts: ObjectParts,
  kind: Kind,
  namespace: string,
  object: ApiObject,
  dryRun: boolean,
): Promise<Uint8Array> {
  setDefaults(kind, object);
  checkNamespace(parts, kind, namespace, object);
  const isGenerated =
    textAt(object, 'metadata', 'name') === '' && textAt(object, 'metadata', 'generateName') !== '';
  for (let tried = 1; ; tried++) {
    const item = await tryToCreate(parts, kind, namespace, object, dryRun);
    if (item !== 'taken') return item;
    const name = textAt(object, 'metadata', 'name');
    if (!isGenerated) throw alreadyExists(kind, name);
    if (tried === GENERATED_NAMES_TRIED) throw generatedNameTaken(kind, name);
    metadataOf(object).delete('name');
  }
}

async function tryToCreate(
  parts: ObjectParts,
  kind: Kind,
  namespace: string,
  object: ApiObject,
  dryRun: boolean,
): Promise<Uint8Array | 'taken'> {
  const now = parts.now();
  fillNewMetadata(object, now);
  const prepared = storable(parts, kind, prepareNew(kind, object, now));
  checkNew(kind, prepared);
  const key = objectKey(kind, namespace, textAt(prepared, 'metadata', 'name'));
  const claim = claimNumbers(parts, kind, key, prepared, undefined);
  try {
    return await store(parts, kind, key, prepared, dryRun);
  } finally {
    claim.release();
  }
}

async function store(
  parts: ObjectParts,
  kind: Kind,
  key: Key,
  prepared: ApiObject,
  dryRun: boolean,
): Promise<Uint8Array | 'taken'> {
  if (dryRun) return findItem(parts, kind, key) ? 'taken' : shownItem(kind, prepared, undefined);
  if (metadataOf(prepared).has('resourceVersion') && textAt(prepared, 'metadata', 'resourceVersion') !== '') {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  const halves = storedHalves(parts, kind, prepared);
  const revision = await commit(parts, kind, { key, expect: 0n, halves });
  return revision === 'again' ? 'taken' : shownItem(kind, prepared, revision);
}

/**
 * A new object needs a namespace that is there, and there to stay.
 * @throws ApiError 404, 403
 */
function checkNamespace(parts: ObjectParts, kind: Kind, namespace: string, object: ApiObject): void {
  if (!kind.namespaced) return;
  if (namespace === '') throw badRequest('an empty namespace may not be set during creation');
  const namespaces = parts.kinds.find('', 'v1', 'namespaces');
  if (!namespaces) return;
  const found = findItem(parts, namespaces, objectKey(namespaces, '', namespace));
  if (!found) throw notFound(namespaces, namespace);
  if (textIn(found.bytes, 'status', 'phase') !== 'Terminating') return;
  throw forbidden(
    kind,
    textAt(object, 'metadata', 'name'),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
