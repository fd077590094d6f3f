// DELETE of a collection: what a list would show is deleted, object by object, and the answer is that list as it was.
import type { ResourceTarget, StreamAnswer } from '../api.ts';
import { leafRange } from '../list/body.ts';
import { listAnswer, type Plan, planList } from '../list/list.ts';
import type { ListShape } from '../list/shape.ts';
import type { ListOptions } from '../list-options.ts';
import type { Parts } from '../parts.ts';
import { deleteStored } from './content.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Deletes under way at once: they share the store's syncs. */
const BATCH_OBJECTS = 32;

/** @throws ApiError of the first delete that failed; those before it are done. */
export async function deleteCollection(
  parts: Parts,
  { kind, namespace }: ResourceTarget,
  listOptions: ListOptions,
  shape: ListShape,
  options: DeleteOptions,
): Promise<StreamAnswer> {
  const plan = await planList(parts, kind, namespace, listOptions);
  let batch: Promise<void>[] = [];
  for (const key of options.dryRun ? [] : keysOf(plan)) {
    batch.push(deleteStored(parts, kind, key, options));
    if (batch.length < BATCH_OBJECTS) continue;
    await settle(batch);
    batch = [];
  }
  await settle(batch);
  return listAnswer(parts, plan, shape);
}

function* keysOf({ found, page, selection }: Plan): Generator<string> {
  for (const leaf of found.snapshot.leaves(page.prefix, page.start)) {
    const [from, to] = leafRange(leaf, page);
    const shows = selection.on(leaf);
    // All before the first: the test isn't good any more once another was asked for.
    yield* leaf.keys.slice(from, to).filter((_key, index) => shows(from + index));
  }
}

/** None is left alone while others go on. */
async function settle(batch: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(batch);
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
}
