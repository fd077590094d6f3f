// The part of metadata that is the server's: what it fills in, what it takes away, what it keeps whatever a client sends.
import { randomInt, randomUUID } from 'node:crypto';
import type { JsonObject } from '@sluice/encoding';
import { type ApiObject, badRequest, type Kind } from '@sluice/resources';
import { objectAt, put, textAt } from './tree.ts';

const GENERATED_NAME_MAX_CHARACTERS = 63;
const RANDOM_CHARACTERS = 5;
/** No vowels, and nothing that looks like another: no word comes out, and nobody misreads it. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A new object: whatever the client says, it is born now, and isn't being deleted. */
export function fillNewMetadata(object: ApiObject, now: Date): void {
  const metadata = metadataOf(object);
  for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']) {
    metadata.delete(name);
  }
  dropEmptyManagedFields(metadata);
  if (textAt(metadata, 'name') === '' && textAt(metadata, 'generateName') !== '') {
    metadata.set('name', generatedName(textAt(metadata, 'generateName')));
  }
  metadata.set('uid', randomUUID());
  metadata.set('creationTimestamp', timeText(now));
}

/** A changed object: its birth stays, and deletion that has begun is never taken back. */
export function keepOldMetadata(object: ApiObject, old: ApiObject): void {
  const metadata = metadataOf(object);
  const before = metadataOf(old);
  metadata.delete('selfLink');
  if (!metadata.has('managedFields')) put(metadata, 'managedFields', before.get('managedFields'));
  dropEmptyManagedFields(metadata);
  if (textAt(metadata, 'uid') === '') metadata.set('uid', textAt(before, 'uid'));
  put(metadata, 'creationTimestamp', before.get('creationTimestamp'));
  put(metadata, 'generation', before.get('generation'));
  const deleted = before.get('deletionTimestamp');
  if (deleted !== undefined) metadata.set('deletionTimestamp', deleted);
  const grace = before.get('deletionGracePeriodSeconds');
  if (grace !== undefined && !metadata.has('deletionGracePeriodSeconds')) {
    metadata.set('deletionGracePeriodSeconds', grace);
  }
}

/**
 * Field managers' entries are kept as clients send them, though no new ones are made here. An empty list, or one empty
 * entry, is how a client takes them all away.
 */
function dropEmptyManagedFields(metadata: JsonObject): void {
  const entries = metadata.get('managedFields');
  const isEmpty =
    !Array.isArray(entries) || entries.every((entry) => entry instanceof Map && entry.size === 0);
  if (isEmpty) metadata.delete('managedFields');
}

/**
 * Puts the request's namespace into the object, and none into that of a cluster-scoped kind.
 * @throws ApiError 400 when it names another.
 */
export function ensureNamespace(kind: Kind, object: ApiObject, namespace: string): void {
  const metadata = metadataOf(object);
  const own = textAt(metadata, 'namespace');
  if (kind.namespaced && own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  put(metadata, 'namespace', kind.namespaced ? namespace : undefined);
}

/** @throws ApiError 400 unless the object has the name it is addressed by. */
export function ensureName(object: ApiObject, name: string): void {
  const own = textAt(object, 'metadata', 'name');
  if (own === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (own !== name) {
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
}

export function metadataOf(object: ApiObject): JsonObject {
  return objectAt(object, 'metadata');
}

/** Long starts are cut so that the whole still fits a label. */
function generatedName(start: string): string {
  let name = start.slice(0, GENERATED_NAME_MAX_CHARACTERS - RANDOM_CHARACTERS);
  for (let count = 0; count < RANDOM_CHARACTERS; count++) name += ALPHABET[randomInt(ALPHABET.length)];
  return name;
}

/** RFC 3339 in whole seconds, as all times of metadata are. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
