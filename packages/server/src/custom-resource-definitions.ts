// Makes kinds of CustomResourceDefinitions: serves what is established, writes their conditions, cleans up after those that go.
import type { Item } from '@sluice/cache';
import { type ApiObject, customKinds, type Kind, withAcceptedNames } from '@sluice/resources';
import { outlineOf } from './definition-outline.ts';
import { objectKey } from './keys.ts';
import { deleteContent } from './objects/content.ts';
import { CLEANUP_FINALIZER } from './objects/content-deletion.ts';
import { isDeleted } from './objects/definition-update.ts';
import { follow } from './objects/follow.ts';
import { metadataOf, timeText } from './objects/metadata.ts';
import { findItem, readItem, storedHalves } from './objects/stored.ts';
import { joined } from './objects/stored-objects.ts';
import { put, textAt, textsAt, valueAt } from './objects/tree.ts';
import type { Parts } from './parts.ts';
import { hereOrInThread } from './threads/here-or-in-thread.ts';

/** How often a definition is looked at again while finalizers hold its objects. */
const HELD_EVERY_MS = 500;

export interface CustomResourceDefinitions {
  close(): Promise<void>;
}

/** Resolves when the kinds of all definitions that were established before are served. */
export async function openCustomResourceDefinitions(parts: Parts): Promise<CustomResourceDefinitions> {
  const kind = parts.kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;
  const names = new Map<string, ApiObject>();
  function serve(item: Uint8Array): ApiObject {
    const definition = readItem(parts, kind, outlineOf(item));
    const name = textAt(definition, 'metadata', 'name');
    const whole = (): ApiObject => {
      const stored = findItem(parts, kind, objectKey(kind, '', name));
      return stored ? readItem(parts, kind, stored.bytes) : definition;
    };
    names.set(name, namesOf(definition));
    parts.kinds.setCustom(name, customKinds(definition, whole));
    return definition;
  }

  for (const item of allItems(parts, kind)) serve(item);
  const follower = follow(parts, kind.storagePrefix, async (name) => {
    const item = findItem(parts, kind, objectKey(kind, '', name));
    if (!item) {
      names.delete(name);
      parts.kinds.removeCustom(name);
      // Names it had are free for others.
      for (const other of names.keys()) follower.again(other, 0);
      return;
    }
    const definition = serve(item.bytes);
    const next =
      textsAt(definition, 'metadata', 'finalizers').includes(CLEANUP_FINALIZER) && isDeleted(definition)
        ? await cleanedUp(parts, definition)
        : withAcceptedNames(definition, [...names.values()], timeText(parts.now()));
    if (next === 'held') return follower.again(name, HELD_EVERY_MS);
    // Another write came between: its own event brings us back here.
    if (next !== undefined) await write(parts, kind, item, next);
  });
  return { close: () => follower.close() };
}

function* allItems(parts: Parts, kind: Kind): Generator<Uint8Array> {
  const { storagePrefix } = kind;
  for (const leaf of parts.cache.resource(storagePrefix).current().leaves(storagePrefix, storagePrefix)) {
    for (let index = 0; index < leaf.count; index++) yield leaf.bytesOf(index);
  }
}

/** What other definitions must know of one: without its schemas, which may be large. */
function namesOf(definition: ApiObject): ApiObject {
  const keep = (member: string, ...names: string[]): [string, ApiObject] => [
    member,
    new Map(names.map((name) => [name, valueAt(definition, member, name) ?? null])),
  ];
  return new Map([keep('metadata', 'name'), keep('spec', 'group', 'names'), keep('status', 'acceptedNames')]);
}

/** Deletes the objects; the definition without its finalizer, once none is left. */
async function cleanedUp(parts: Parts, definition: ApiObject): Promise<ApiObject | 'held'> {
  const [kind] = customKinds(definition);
  const left = kind ? await deleteContent(parts, kind, '') : 0;
  if (left > 0) return 'held';
  const next: ApiObject = new Map(definition).set('metadata', new Map(metadataOf(definition)));
  const finalizers = textsAt(definition, 'metadata', 'finalizers').filter(
    (name) => name !== CLEANUP_FINALIZER,
  );
  put(metadataOf(next), 'finalizers', finalizers.length > 0 ? finalizers : undefined);
  return next;
}

/** A large one in a thread. */
async function write(
  parts: Parts,
  kind: Kind,
  { key, modRevision, bytes }: Item,
  next: ApiObject,
): Promise<void> {
  const outline = joined(storedHalves(parts, kind, next), modRevision);
  return hereOrInThread(parts, 'updateDefinition', kind, { key, expect: modRevision, outline }, bytes.length);
}
