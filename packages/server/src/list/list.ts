// LIST: finds the snapshot, plans the page from the tree's sums, and gives a stream of the leaves' own bytes.
import { type Form, FormError } from '@sluice/cache';
import { type Kind, plainError } from '@sluice/resources';
import type { StreamAnswer } from '../api.ts';
import type { ListOptions } from '../list-options.ts';
import type { Parts } from '../parts.ts';
import { isUncached } from '../uncached.ts';
import type { Around } from './around.ts';
import { type ItemSource, writeItems } from './body.ts';
import { readBounds } from './bounds.ts';
import { writeForm } from './form-body.ts';
import { type Page, planPage } from './page.ts';
import { openSelection, type Selection } from './selection.ts';
import type { ListShape } from './shape.ts';
import { type Found, findSnapshot } from './snapshot.ts';
import { knownBytes, measure } from './totals.ts';

/**
 * Answers a list of `kind` in `namespace` (empty: all). No item is read or encoded before the socket asks for it, but
 * what an encoding must know of all of them; unless a selector is given the body's length is known from the sums.
 * @throws ApiError 400, 406, 410, 500, 504
 */
export async function list(
  parts: Parts,
  kind: Kind,
  namespace: string,
  options: ListOptions,
  shape: ListShape,
): Promise<StreamAnswer> {
  return listAnswer(parts, await planList(parts, kind, namespace, options), shape);
}

/** What a list will show: a page of a snapshot, and which of its items. */
export type Plan = { found: Found; page: Page; selection: Selection };

export async function planList(
  parts: Parts,
  kind: Kind,
  namespace: string,
  options: ListOptions,
): Promise<Plan> {
  const selection = openSelection(parts, kind, options);
  const bounds = readBounds(kind, namespace, options);
  const found = findSnapshot(parts, kind, bounds, options);
  const page = await planPage(found, bounds, selection, isUncached(kind));
  if (page.continueToken !== '') parts.cache.resource(kind.storagePrefix).keep(found.snapshot);
  return { found, page, selection };
}

export async function listAnswer(
  parts: Parts,
  { found, page, selection }: Plan,
  shape: ListShape,
): Promise<StreamAnswer> {
  const { snapshot } = found;
  const { continueToken, remainingItemCount } = page;
  const around = shape.around({ resourceVersion: snapshot.revision, continueToken, remainingItemCount });
  const source = { snapshot, page, selection, twins: parts.cache.twins, nowMs: parts.now().getTime() };
  return shape.form
    ? formAnswer(source, shape, shape.form, around)
    : storedAnswer(source, shape.mediaType, around);
}

function storedAnswer(source: ItemSource, mediaType: string, { head, tail }: Around): StreamAnswer {
  const { bytes, count = 0 } = source.page;
  const start = head({ count: 0, bytes: 0 });
  const commas = Math.max(0, count - 1);
  return {
    type: 'stream',
    code: 200,
    mediaType,
    ...(bytes !== undefined && { length: start.length + bytes + commas + tail.length }),
    async write(sink) {
      await sink.write(start);
      await writeItems(sink, source);
      await sink.write(tail);
    },
  };
}

async function formAnswer(
  source: ItemSource,
  { mediaType, needs }: ListShape,
  form: Form,
  around: Around,
): Promise<StreamAnswer> {
  const totals = await measure(source, form, needs);
  const bytes = knownBytes(source, form);
  const surrounds = bytes === 0 ? around.empty.length : around.head(totals).length + around.tail.length;
  return {
    type: 'stream',
    code: 200,
    mediaType,
    ...(bytes !== undefined && { length: surrounds + bytes }),
    async write(sink) {
      try {
        await writeForm(sink, source, form, around, totals);
      } catch (error) {
        throw error instanceof FormError ? plainError(error.message) : error;
      }
    },
  };
}
