// Where an object lies in the store: kube-apiserver's own layout, as binary strings.
import type { Kind } from '@sluice/resources';
import type { Key } from '@sluice/storage';

/** `/registry/configmaps/default/a`; the namespace of a cluster-scoped kind is not looked at. */
export function objectKey(kind: Kind, namespace: string, name: string): Key {
  return collectionPrefix(kind, kind.namespaced ? namespace : '') + binary(name);
}

/** What the keys of a collection begin with; without a namespace: those of all namespaces. */
export function collectionPrefix(kind: Kind, namespace: string): Key {
  return namespace === '' ? kind.storagePrefix : `${kind.storagePrefix}${binary(namespace)}/`;
}

/** The key as a person reads it, for error texts. */
export function keyText(key: Key): string {
  return Buffer.from(key, 'latin1').toString('utf8');
}

/** One character for each byte of the UTF-8 form. Names that are stored are ASCII; names asked for may be anything. */
export function binary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
