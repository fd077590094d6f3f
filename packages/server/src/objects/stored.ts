// Between the bytes that are stored and the object a handler works with: forms, resourceVersions, and commits that can fail.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Item } from '@sluice/cache';
import {
  type ApiObject,
  convert,
  type Halves,
  internalError,
  type Kind,
  serverTimeout,
  setDefaults,
} from '@sluice/resources';
import { type Key, type Revision, StoreError, type Write } from '@sluice/storage';
import { storedKind } from '../list/form.ts';
import type { Parts } from '../parts.ts';

/** What is stored under the key, at the newest revision. */
export function findItem(parts: Parts, kind: Kind, key: Key): Item | undefined {
  return parts.cache.resource(kind.storagePrefix).current().get(key);
}

/** The item as an object in the form of `kind`. */
export function readItem(parts: Parts, kind: Kind, item: Uint8Array): ApiObject {
  const stored = storedKind(parts, kind);
  return convert(stored.codec.read(item), stored, kind);
}

/** The object as it will be read again: what the stored form can't hold is gone, its defaults are there. */
export function storable(parts: Parts, kind: Kind, object: ApiObject): ApiObject {
  const stored = storedKind(parts, kind);
  const converted = convert(object, kind, stored);
  setDefaults(stored, converted);
  return convert(converted, stored, kind);
}

/** The object's bytes in the form it is stored in. */
export function storedHalves(parts: Parts, kind: Kind, object: ApiObject): Halves {
  const stored = storedKind(parts, kind);
  return stored.codec.encode(convert(object, kind, stored));
}

/** Item bytes in the form of `kind`. */
export function shownItem(kind: Kind, object: ApiObject, revision: Revision | undefined): Uint8Array {
  const halves = kind.codec.encode(object);
  return revision === undefined ? withoutRevision(halves) : joined(halves, revision);
}

/** Item bytes at a revision. */
export function joined({ head, tail }: Halves, revision: Revision): Uint8Array {
  return Buffer.concat([head, Buffer.from(String(revision)), tail]);
}

const MEMBER = '"resourceVersion":"';
const COMMA = 0x2c;

/** An object that was only tried has no resourceVersion. */
function withoutRevision({ head, tail }: Halves): Uint8Array {
  const start = head.subarray(0, head.length - MEMBER.length);
  const rest = tail.subarray(1);
  const hasComma = start.at(-1) === COMMA;
  if (hasComma) return Buffer.concat([start.subarray(0, -1), rest]);
  return Buffer.concat([start, rest[0] === COMMA ? rest.subarray(1) : rest]);
}

/** Tries that met another write, before the client is told that the object keeps changing. */
const CONFLICT_LIMIT = 1000;

/**
 * Makes a write; `again` when another write came between: the cache has it when this resolves.
 * @throws ApiError when the store can't take it
 */
export async function commit(parts: Parts, kind: Kind, write: Write): Promise<Revision | 'again'> {
  try {
    return (await parts.store.commit(write)).revision;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'conflict') {
      const newest = error.current?.modRevision ?? 0n;
      do await nextTurn();
      while (parts.cache.revision < newest && !parts.cache.closed);
      return 'again';
    }
    if (error.reason === 'closed') throw serverTimeout(kind, operationOf(write));
    throw internalError(error.message);
  }
}

/** Runs until it gives something else than `again`. */
export async function retried<Result>(attempt: () => Promise<Result | 'again'>): Promise<Result> {
  for (let count = 0; count < CONFLICT_LIMIT; count++) {
    const result = await attempt();
    if (result !== 'again') return result;
  }
  throw internalError('the object was changed by others again and again');
}

function operationOf(write: Write): string {
  if (write.value === null) return 'delete';
  return write.expect === 0n ? 'create' : 'update';
}
