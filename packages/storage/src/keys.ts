// What a key may be, and where the keys of a prefix end.
import type { Key } from './store.ts';

/** kube-apiserver's longest key (group, plural, namespace and name at their limits) stays below 900 bytes. */
export const KEY_LIMIT_BYTES = 1024;

/** @throws RangeError: a mistake of the caller, not a state of the store. */
export function checkKey(key: Key): void {
  if (key.length === 0 || key.length > KEY_LIMIT_BYTES) {
    throw new RangeError(`a key has 1 to ${KEY_LIMIT_BYTES} bytes, this one has ${key.length}`);
  }
  for (let at = 0; at < key.length; at++) {
    if (key.charCodeAt(at) > 0xff) {
      throw new RangeError(`a key is a binary string, character ${at} of this one is no byte`);
    }
  }
}

/** The first key behind all those that start with `prefix`; undefined when there is no such key. */
export function prefixEnd(prefix: Key): Key | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    const byte = prefix.charCodeAt(last);
    if (byte < 0xff) return prefix.slice(0, last) + String.fromCharCode(byte + 1);
  }
  return undefined;
}
