// What one page holds: where it ends, how many items and bytes it has, and the token of the next, all before the first byte is sent.
import { encodeContinueToken } from '@sluice/resources';
import type { Key } from '@sluice/storage';
import { keyText } from '../keys.ts';
import { leafRange } from './body.ts';
import type { Bounds } from './bounds.ts';
import type { Selection } from './selection.ts';
import { openSlices } from './slices.ts';
import type { Found } from './snapshot.ts';

export type Page = {
  prefix: Key;
  /** The first key that may be shown, and the first that may not; undefined: to the end of the prefix. */
  start: Key;
  end: Key | undefined;
  /** Undefined where a selector would have to be asked for every item first. */
  count: number | undefined;
  bytes: number | undefined;
  /** Empty: there is no next page. */
  continueToken: string;
  remainingItemCount: number | undefined;
};

/** `uncached`: tokens are spelled as kube-apiserver's store spells them, without the slash that its cache begins them with. */
export async function planPage(
  found: Found,
  { prefix, single }: Bounds,
  selection: Selection,
  uncached: boolean,
): Promise<Page> {
  const { snapshot, start, limit } = found;
  if (single !== undefined) return singlePage(prefix, single);
  const rest = snapshot.sum(prefix, start);
  const whole = { prefix, start, end: undefined, continueToken: '', remainingItemCount: undefined };
  if (selection.all && (limit <= 0 || rest.count <= limit))
    return { ...whole, count: rest.count, bytes: rest.bytes };
  if (limit <= 0) return { ...whole, count: undefined, bytes: undefined };
  const last = await lastKeyOfPage(found, prefix, selection);
  if (last === undefined) return { ...whole, count: undefined, bytes: undefined };
  const end = `${last}\0`;
  const after = snapshot.sum(prefix, end);
  if (after.count === 0) return { ...whole, count: undefined, bytes: undefined };
  const relative = keyText(last.slice(uncached ? prefix.length : prefix.length - 1));
  const continueToken = encodeContinueToken({ revision: snapshot.revision, start: `${relative}\0` });
  if (!selection.all) return { ...whole, end, continueToken, count: undefined, bytes: undefined };
  return {
    ...whole,
    end,
    continueToken,
    count: rest.count - after.count,
    bytes: rest.bytes - after.bytes,
    remainingItemCount: after.count,
  };
}

/** At most one object: the limit doesn't matter. */
function singlePage(prefix: Key, single: Key): Page {
  return {
    prefix,
    start: single,
    end: `${single}\0`,
    count: undefined,
    bytes: undefined,
    continueToken: '',
    remainingItemCount: undefined,
  };
}

/** The key of the item that fills the page; undefined if there are fewer. Skips whole leaves by their counts. */
async function lastKeyOfPage(found: Found, prefix: Key, selection: Selection): Promise<Key | undefined> {
  const slices = openSlices();
  let left = found.limit;
  for (const leaf of found.snapshot.leaves(prefix, found.start)) {
    const [from, to] = leafRange(leaf, { prefix, start: found.start, end: undefined });
    if (selection.all) {
      if (to - from >= left) return leaf.keys[from + left - 1];
      left -= to - from;
      continue;
    }
    const shows = selection.on(leaf);
    for (let i = from; i < to; i++) {
      if (shows(i) && --left === 0) return leaf.keys[i];
    }
    await slices.next();
  }
  return undefined;
}
