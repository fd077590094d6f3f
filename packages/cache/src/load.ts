// Fills the cache at start: the store's entries, in key order, become leaves that are joined and full.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key, Range } from '@sluice/storage';
import { columnsOf } from './columns.ts';
import type { Item } from './contract.ts';
import { LEAF_FILL_BYTES, LEAF_FILL_ITEMS, Leaf } from './leaf.ts';
import { build, type Node } from './tree.ts';

/** Bytes joined in one turn of the event loop: a few milliseconds. */
const TURN_BYTES: number = 4 * 1024 * 1024;

/** What all objects' keys begin with. */
export const REGISTRY = '/registry/';

/** Reads the range to its end; gives each resource's tree by its prefix. */
export async function loadTrees(range: Range): Promise<Map<Key, Node>> {
  const leaves = new Map<Key, Leaf[]>();
  let prefix = '';
  let items: Item[] = [];
  let bytes = 0;
  const closeLeaf = (): void => {
    if (items.length === 0) return;
    const leaf = new Leaf(columnsOf(items));
    leaf.join();
    leaves.set(prefix, leaves.get(prefix) ?? []);
    leaves.get(prefix)!.push(leaf);
    items = [];
    bytes = 0;
  };
  let turnBytes = 0;
  for await (const batch of range.batches) {
    for (const { value, ...entry } of batch) {
      const itsPrefix = resourcePrefix(entry.key);
      if (itsPrefix === undefined) continue;
      const isFull = bytes + value.length > LEAF_FILL_BYTES || items.length >= LEAF_FILL_ITEMS;
      if (isFull || itsPrefix !== prefix) closeLeaf();
      prefix = itsPrefix;
      bytes += value.length;
      items.push({ ...entry, bytes: value });
      turnBytes += value.length;
      if (turnBytes < TURN_BYTES) continue;
      turnBytes = 0;
      await nextTurn();
    }
  }
  closeLeaf();
  return new Map([...leaves].map(([key, ofResource]) => [key, build(ofResource)]));
}

/**
 * The storage prefix a key belongs to, in kube-apiserver's layout: `/registry/pods/`, but two segments where the first
 * is a group (`/registry/example.test/widgets/`) or splits further (`/registry/services/specs/`). Undefined for a key
 * that is no object's.
 */
export function resourcePrefix(key: Key): Key | undefined {
  if (!key.startsWith(REGISTRY)) return undefined;
  const first = key.indexOf('/', REGISTRY.length);
  const segment = key.slice(REGISTRY.length, first);
  const isSplit = segment.includes('.') || segment === 'services';
  const end = isSplit && first >= 0 ? key.indexOf('/', first + 1) : first;
  return end < 0 ? undefined : key.slice(0, end + 1);
}
