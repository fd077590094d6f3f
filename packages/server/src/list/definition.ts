// The definition of a custom kind as it is stored: threads make the kind's schema of it.
import type { StoredDefinition } from '@sluice/cache';
import type { Kind } from '@sluice/resources';
import { binary } from '../keys.ts';
import type { Parts } from '../parts.ts';

/** Undefined: it has gone since the kind was found. */
export function definitionOf(
  { kinds, cache }: Pick<Parts, 'kinds' | 'cache'>,
  kind: Kind,
): StoredDefinition | undefined {
  const { storagePrefix } = kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;
  const key = storagePrefix + binary(`${kind.plural}.${kind.group}`);
  const item = cache.resource(storagePrefix).current().get(key);
  return item && { bytes: item.bytes, modRevision: item.modRevision };
}
