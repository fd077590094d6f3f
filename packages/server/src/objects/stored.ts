// Between the bytes that are stored and the object a handler works with: forms, resourceVersions, and commits that can fail.
import type { Item } from '@sluice/cache';
import {
  type ApiObject,
  convert,
  type Halves,
  internalError,
  type Kind,
  plainError,
  protobufCodec,
  serverTimeout,
  setDefaults,
} from '@sluice/resources';
import { type Key, type Revision, StoreError } from '@sluice/storage';
import { storedKind } from '../list/form.ts';
import type { ObjectParts } from '../parts.ts';
import { joined, type ObjectWrite } from './stored-objects.ts';

/** What is stored under the key, at the newest revision. */
export function findItem(parts: ObjectParts, kind: Kind, key: Key): Item | undefined {
  return parts.objects.find(kind.storagePrefix, key);
}

/** The item as an object in the form of `kind`. */
export function readItem(parts: ObjectParts, kind: Kind, item: Uint8Array): ApiObject {
  const stored = storedKind(parts, kind);
  return convert(stored.codec.read(item), stored, kind);
}

/** The object as it will be read again: what the stored form can't hold is gone, its defaults are there. */
export function storable(parts: ObjectParts, kind: Kind, object: ApiObject): ApiObject {
  const stored = storedKind(parts, kind);
  const converted = convert(object, kind, stored);
  setDefaults(stored, converted);
  return convert(converted, stored, kind);
}

/** The object's bytes in the form it is stored in. */
export function storedHalves(parts: ObjectParts, kind: Kind, object: ApiObject): Halves {
  const stored = storedKind(parts, kind);
  return stored.codec.encode(convert(object, kind, stored));
}

/** Item bytes in the form of `kind`. */
export function shownItem(kind: Kind, object: ApiObject, revision: Revision | undefined): Uint8Array {
  const halves = kind.codec.encode(object);
  return revision === undefined ? withoutRevision(halves) : joined(halves, revision);
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

/** What the reference's etcd takes as one request. */
const STORED_MAX_BYTES = 1.5 * 1024 * 1024;

/**
 * Counts what the reference would store: Protobuf, JSON of custom resources. Protobuf is hardly ever the longer of both.
 * @throws ApiError 500, as the reference has it
 */
function checkSize(stored: Kind, halves: Halves): void {
  if (halves.head.length + halves.tail.length <= STORED_MAX_BYTES) return;
  const codec = stored.custom ? undefined : protobufCodec(stored);
  if (codec && codec.message(joined(halves, 0n)).length <= STORED_MAX_BYTES) return;
  throw plainError('etcdserver: request is too large');
}

/** Tries that met another write, before the client is told that the object keeps changing. */
const CONFLICT_LIMIT = 1000;

/**
 * Makes a write; `again` when another write came between: the cache has it when this resolves.
 * @throws ApiError when the store can't take it
 */
export async function commit(
  parts: ObjectParts,
  kind: Kind,
  write: ObjectWrite,
): Promise<Revision | 'again'> {
  if (write.halves) checkSize(storedKind(parts, kind), write.halves);
  try {
    return await parts.objects.commit(write);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
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

function operationOf(write: ObjectWrite): string {
  if (write.halves === null) return 'delete';
  return write.expect === 0n ? 'create' : 'update';
}
