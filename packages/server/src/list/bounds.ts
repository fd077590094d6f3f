// Where a list's items lie: the keys of its namespace, narrowed by field selectors that name a namespace or one object.
import type { Kind } from '@sluice/resources';
import type { Key } from '@sluice/storage';
import { collectionPrefix, objectKey } from '../keys.ts';
import type { ListOptions } from '../list-options.ts';

export type Bounds = {
  /** What the keys of this answer begin with, and what its continue token is relative to. */
  prefix: Key;
  /** The one object asked for by name; undefined: any. */
  single: Key | undefined;
};

/**
 * Behind a continue token nothing is narrowed: as in kube-apiserver, where a token of a list that was narrowed to a
 * namespace is then read relative to all of them, and so begins anew.
 */
export function readBounds(kind: Kind, namespace: string, options: ListOptions): Bounds {
  const base = collectionPrefix(kind, namespace);
  if (options.continue !== '') return { prefix: base, single: undefined };
  const within =
    namespace === '' && kind.namespaced
      ? (options.fieldSelector.exact('metadata.namespace') ?? '')
      : namespace;
  const name = options.fieldSelector.exact('metadata.name') ?? '';
  const isSingle = name !== '' && (within !== '' || !kind.namespaced);
  return {
    prefix: collectionPrefix(kind, within),
    single: isSingle ? objectKey(kind, within, name) : undefined,
  };
}
