// LIST: finds the snapshot, plans the page from the tree's sums, and gives a stream of the leaves' own bytes.
import type { Kind } from '@sluice/resources';
import type { StreamAnswer } from '../api.ts';
import type { ListOptions } from '../list-options.ts';
import type { Parts } from '../parts.ts';
import { writeItems } from './body.ts';
import { readBounds } from './bounds.ts';
import { shownForm } from './form.ts';
import { frame } from './frame.ts';
import { type Page, planPage } from './page.ts';
import { openSelection, type Selection } from './selection.ts';
import { type Found, findSnapshot } from './snapshot.ts';

/**
 * Answers a list of `kind` in `namespace` (empty: all). Nothing is encoded and no item is read before the socket asks
 * for it; unless a selector is given the body's length is known from the sums.
 * @throws ApiError 400, 410, 504
 */
export async function list(
  parts: Parts,
  kind: Kind,
  namespace: string,
  options: ListOptions,
): Promise<StreamAnswer> {
  return listAnswer(parts, kind, await planList(parts, kind, namespace, options));
}

/** What a list will show: a page of a snapshot, and which of its items. */
export type Plan = { found: Found; page: Page; selection: Selection };

export async function planList(
  parts: Parts,
  kind: Kind,
  namespace: string,
  options: ListOptions,
): Promise<Plan> {
  const cache = parts.cache.resource(kind.storagePrefix);
  const selection = openSelection(parts, kind, options);
  const bounds = readBounds(kind, namespace, options);
  const found = findSnapshot(cache, bounds, options);
  const page = await planPage(found, bounds, selection);
  if (page.continueToken !== '') cache.keep(found.snapshot);
  return { found, page, selection };
}

export function listAnswer(parts: Parts, kind: Kind, { found, page, selection }: Plan): StreamAnswer {
  const form = shownForm(parts, kind);
  const { head, tail } = frame(kind, {
    resourceVersion: found.snapshot.revision,
    continueToken: page.continueToken,
    remainingItemCount: page.remainingItemCount,
  });
  const commas = Math.max(0, (page.count ?? 0) - 1);
  const isKnown = page.bytes !== undefined && form === undefined;
  return {
    type: 'stream',
    code: 200,
    mediaType: 'application/json',
    ...(isKnown && { length: head.length + page.bytes! + commas + tail.length }),
    async write(sink) {
      await sink.write(head);
      await writeItems(sink, found.snapshot, page, { selection, form, twins: parts.cache.twins });
      await sink.write(tail);
    },
  };
}
