// Namespaces live by themselves: the first four are made at start, and one that is Terminating is emptied and removed.
import type { Kind } from '@sluice/resources';
import { objectKey } from '../keys.ts';
import { hasText, textIn } from '../object-bytes.ts';
import type { Parts } from '../parts.ts';
import { hereOrInThread } from '../threads/here-or-in-thread.ts';
import { deleteContent } from './content.ts';
import { createWith } from './create.ts';
import { follow } from './follow.ts';
import { CONTENT_FINALIZER } from './namespace-object.ts';
import { findItem } from './stored.ts';

const FIRST_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Long enough for a client to see Terminating, and to finish what it has begun in there. */
export const EMPTIED_AFTER_MS = 1000;
/** How often a namespace is looked at again while finalizers hold what is in it. */
const HELD_EVERY_MS = 500;

export interface Namespaces {
  close(): Promise<void>;
}

/** Resolves when the first namespaces are there. */
export async function openNamespaces(
  parts: Parts,
  emptiedAfterMs: number = EMPTIED_AFTER_MS,
): Promise<Namespaces> {
  const kind = parts.kinds.find('', 'v1', 'namespaces')!;
  for (const name of FIRST_NAMESPACES) await ensureNamespaceExists(parts, kind, name);
  const follower = follow(parts, kind.storagePrefix, async (name) => {
    const deletedAt = terminatingSince(parts, kind, name);
    if (deletedAt === undefined) return;
    const wait = deletedAt + emptiedAfterMs - parts.now().getTime();
    if (wait > 0) return follower.again(name, wait);
    if (await empty(parts, name)) await release(parts, kind, name);
    else follower.again(name, HELD_EVERY_MS);
  });
  return { close: () => follower.close() };
}

async function ensureNamespaceExists(parts: Parts, kind: Kind, name: string): Promise<void> {
  if (findItem(parts, kind, objectKey(kind, '', name))) return;
  await createWith(parts, kind, '', new Map([['metadata', new Map([['name', name]])]]), false);
}

/** Milliseconds; undefined unless the namespace waits to be emptied. */
function terminatingSince(parts: Parts, kind: Kind, name: string): number | undefined {
  const item = findItem(parts, kind, objectKey(kind, '', name));
  if (!item) return undefined;
  const deletedAt = Date.parse(textIn(item.bytes, 'metadata', 'deletionTimestamp'));
  const isHeld = hasText(item.bytes, ['spec', 'finalizers'], CONTENT_FINALIZER);
  // Times are whole seconds; the next one is surely not too early.
  return Number.isNaN(deletedAt) || !isHeld ? undefined : deletedAt + 999;
}

/** True when nothing is left in there. */
async function empty(parts: Parts, namespace: string): Promise<boolean> {
  const kinds = new Map(
    parts.kinds
      .all()
      .filter((kind) => kind.namespaced && kind.storagePrefix !== '')
      .map((kind) => [kind.storagePrefix, kind]),
  );
  let left = 0;
  for (const kind of kinds.values()) left += await deleteContent(parts, kind, namespace);
  return left === 0;
}

/** A large one in a thread. */
function release(parts: Parts, kind: Kind, name: string): Promise<void> {
  const bytes = findItem(parts, kind, objectKey(kind, '', name))?.bytes.length ?? 0;
  return hereOrInThread(parts, 'releaseNamespace', kind, { name }, bytes);
}
