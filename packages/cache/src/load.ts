// Fills the cache at start: the store's entries, in key order, become leaves that are joined and full.
import type { Key, Range } from '@sluice/storage';
import { LEAF_FILL_BYTES, LEAF_FILL_ITEMS, Leaf, type Row, rowOf } from './leaf.ts';
import { build, type Node } from './tree.ts';

/** Reads the range to its end; gives each resource's tree by its prefix. */
export async function loadTrees(range: Range): Promise<Map<Key, Node>> {
  const leaves = new Map<Key, Leaf[]>();
  let prefix = '';
  let rows: Row[] = [];
  let bytes = 0;
  const closeLeaf = (): void => {
    if (rows.length === 0) return;
    const leaf = new Leaf(rows);
    leaf.join();
    const ofResource = leaves.get(prefix);
    if (ofResource) ofResource.push(leaf);
    else leaves.set(prefix, [leaf]);
    rows = [];
    bytes = 0;
  };
  for await (const batch of range.batches) {
    for (const entry of batch) {
      const itsPrefix = resourcePrefix(entry.key);
      const full = bytes + entry.value.length > LEAF_FILL_BYTES || rows.length >= LEAF_FILL_ITEMS;
      if (full || itsPrefix !== prefix) closeLeaf();
      prefix = itsPrefix;
      bytes += entry.value.length;
      rows.push(rowOf({ ...entry, bytes: entry.value }));
    }
  }
  closeLeaf();
  return new Map([...leaves].map(([key, ofResource]) => [key, build(ofResource)]));
}

/**
 * The storage prefix a key belongs to, in kube-apiserver's layout: `/registry/pods/`, but two segments where the first
 * is a group (`/registry/example.test/widgets/`) or splits further (`/registry/services/specs/`).
 */
export function resourcePrefix(key: Key): Key {
  const first = key.indexOf('/', ROOT.length);
  const segment = key.slice(ROOT.length, first);
  if (!segment.includes('.') && segment !== 'services') return key.slice(0, first + 1);
  return key.slice(0, key.indexOf('/', first + 1) + 1);
}

const ROOT = '/registry/';
