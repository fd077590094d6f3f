// Which snapshot a list shows: resourceVersion, resourceVersionMatch, limit and continue, in every combination.
import { CacheError, type Snapshot } from '@sluice/cache';
import {
  badRequest,
  continueTooOld,
  decodeContinueToken,
  encodeContinueToken,
  goQuote,
  type Kind,
  listTooOld,
} from '@sluice/resources';
import type { Key } from '@sluice/storage';
import { binary } from '../keys.ts';
import type { ListOptions } from '../list-options.ts';
import type { Parts } from '../parts.ts';
import { futureError, isUncached } from '../uncached.ts';
import type { Bounds } from './bounds.ts';

export type Found = {
  snapshot: Snapshot;
  /** The first key that may be shown. */
  start: Key;
  /** Items on this page; 0: all. */
  limit: number;
};

/** @throws ApiError 400 for what can't be read, 410 and 504 for what the cache no longer or not yet has. */
export function findSnapshot(parts: Parts, kind: Kind, bounds: Bounds, options: ListOptions): Found {
  const { resourceVersionMatch: match } = options;
  // The text "0" asks for whatever is at hand; the reference's cache then looks at no limit.
  const limit = options.resourceVersion === '0' && !isUncached(kind) ? 0 : options.limit;
  if (options.continue !== '') return { ...nextPage(parts, kind, bounds.prefix, options), limit };
  const revision = readResourceVersion(options.resourceVersion);
  const newest = parts.cache.resource(kind.storagePrefix).current();
  const found = { snapshot: newest, start: bounds.single ?? bounds.prefix, limit };
  if (revision === undefined || revision === 0n) return found;
  // One object alone is no page.
  const exact = match === 'Exact' || (match === '' && limit > 0 && bounds.single === undefined);
  if (exact) return { ...found, snapshot: at(parts, kind, revision, listTooOld) };
  if (revision > newest.revision) throw futureError(kind, revision, newest.revision);
  return found;
}

/** A page after the first: the snapshot of the first, from the token's key on. */
function nextPage(parts: Parts, kind: Kind, prefix: Key, options: ListOptions): Omit<Found, 'limit'> {
  const token = decodeContinueToken(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const start = prefix + binary(token.start.replace(/^\//, ''));
  const snapshot =
    token.revision < 0n
      ? parts.cache.resource(kind.storagePrefix).current()
      : at(parts, kind, token.revision, () =>
          continueTooOld(encodeContinueToken({ revision: -1n, start: token.start })),
        );
  return { snapshot, start };
}

/** What the store has forgotten is told to nobody, although it may still be known here: servers on one store agree. */
function at({ store, cache }: Parts, kind: Kind, revision: bigint, expired: () => Error): Snapshot {
  if (revision < store.compacted) throw expired();
  try {
    return cache.resource(kind.storagePrefix).at(revision);
  } catch (error) {
    if (!(error instanceof CacheError)) throw error;
    throw error.reason === 'future' ? futureError(kind, revision, cache.revision) : expired();
  }
}

/** Undefined when none is given. ApiError 400 unless it is an unsigned 64-bit number, in Go's words. */
function readResourceVersion(text: string): bigint | undefined {
  if (text === '') return undefined;
  const problem = uint64Problem(text);
  if (problem === undefined) return BigInt(text);
  const quoted = goQuote(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`,
  );
}

/** What Go's strconv.ParseUint says against it. */
export function uint64Problem(text: string): string | undefined {
  if (!/^[0-9]+$/.test(text)) return 'invalid syntax';
  return text.length > 20 || BigInt(text) > 0xffff_ffff_ffff_ffffn ? 'value out of range' : undefined;
}
