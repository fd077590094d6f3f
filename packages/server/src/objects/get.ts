// GET of one object: its bytes out of the cache.
import { goQuote, type Kind, notFound, plainError } from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget } from '../api.ts';
import { objectKey } from '../keys.ts';
import { shownForm } from '../list/form.ts';
import { uint64Problem } from '../list/snapshot.ts';
import type { ObjectParts } from '../parts.ts';
import { futureError } from '../uncached.ts';
import { findItem } from './stored.ts';

/** @throws ApiError 404, 500 and 504 for a resourceVersion that is none or isn't reached */
export function getObject(
  parts: ObjectParts,
  { kind, namespace, name }: ResourceTarget,
  request: ApiRequest,
): ObjectAnswer {
  checkResourceVersion(parts, kind, request.query.first('resourceVersion') ?? '');
  return { type: 'object', code: 200, kind, item: itemOf(parts, kind, namespace, name) };
}

/** What is newest is new enough for any revision that was reached. */
function checkResourceVersion(parts: ObjectParts, kind: Kind, text: string): void {
  if (text === '') return;
  const problem = uint64Problem(text);
  if (problem !== undefined) {
    const quoted = goQuote(text);
    throw plainError(
      `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`,
    );
  }
  const { revision } = parts.objects;
  if (BigInt(text) > revision) throw futureError(kind, BigInt(text), revision);
}

function itemOf(parts: ObjectParts, kind: Kind, namespace: string, name: string): Uint8Array {
  const item = findItem(parts, kind, objectKey(kind, namespace, name));
  if (!item) throw notFound(kind, name);
  const form = shownForm(parts, kind);
  return form ? form(item.bytes) : item.bytes;
}
