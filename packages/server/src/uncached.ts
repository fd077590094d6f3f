// Kinds that kube-apiserver keeps no watch cache for, which its clients can tell from the answers.
import { type ApiError, futureRevision, type Kind, watchTooOld } from '@sluice/resources';
import type { Parts } from './parts.ts';

/** Events, in both their groups: they come from the store, as its clients see them. */
export function isUncached({ storagePrefix }: Pick<Kind, 'storagePrefix'>): boolean {
  return storagePrefix === '/registry/events/';
}

/** Only where there is a cache that may catch up is it worth asking again. */
export function futureError(kind: Kind, asked: bigint, current: bigint): ApiError {
  return futureRevision(asked, current, isUncached(kind) ? 0 : 1);
}

export function watchTooOldError({ cache }: Parts, kind: Kind, asked: bigint): ApiError {
  return watchTooOld(asked, isUncached(kind) ? undefined : cache.floor);
}

/** A store tells no change that comes right after a revision it has forgotten; a cache still has it. */
export function isWatchTooOld({ store }: Parts, kind: Kind, after: bigint): boolean {
  return isUncached(kind) && after + 1n < store.compacted;
}
