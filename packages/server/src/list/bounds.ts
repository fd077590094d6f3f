// Where a list's items lie: the keys of its namespace, narrowed by field selectors that name a namespace or one object.
import type { Kind } from '@sluice/resources';
import type { Key } from '@sluice/storage';
import { collectionPrefix, objectKey } from '../keys.ts';
import type { ListOptions } from '../list-options.ts';

export type Bounds = {
  /** What continue tokens are relative to: the keys of the namespace in the path, or of all. */
  base: Key;
  /** What the keys of this answer begin with. */
  prefix: Key;
  /** The one object asked for by name; undefined: any. */
  single: Key | undefined;
};

/** A continue token was made without narrowing, so that what it says is read without. */
export function readBounds(kind: Kind, namespace: string, options: ListOptions): Bounds {
  const base = collectionPrefix(kind, namespace);
  if (options.continue !== '') return { base, prefix: base, single: undefined };
  const within =
    namespace === '' && kind.namespaced
      ? (options.fieldSelector.exact('metadata.namespace') ?? '')
      : namespace;
  const name = options.fieldSelector.exact('metadata.name') ?? '';
  const isSingle = name !== '' && (within !== '' || !kind.namespaced);
  return {
    base,
    prefix: collectionPrefix(kind, within),
    single: isSingle ? objectKey(kind, within, name) : undefined,
  };
}
