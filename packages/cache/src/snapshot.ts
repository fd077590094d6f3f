// A resource at one revision: a root of its tree.
import type { Key, Revision } from '@sluice/storage';
import type { Item, Snapshot } from './contract.ts';
import type { Leaf } from './leaf.ts';
import { leafOf, leavesFrom, type Node, type Sum, sumBefore } from './tree.ts';

/** What holding a snapshot costs: leaves the newest root has no more. */
export type Cost = {
  /** Bytes of leaves its resource had replaced, since it was opened, when this was its newest root. */
  readonly replacedBefore: number;
  /** Bytes of leaves that no newest root ever had: those of a root made by undoing. */
  readonly ownBytes: number;
};

export class RootSnapshot implements Snapshot {
  readonly revision: Revision;
  readonly root: Node;
  readonly cost: Cost;

  constructor(root: Node, revision: Revision, cost: Cost) {
    this.root = root;
    this.revision = revision;
    this.cost = cost;
  }

  get count(): number {
    return this.root.count;
  }

  get bytes(): number {
    return this.root.bytes;
  }

  get(key: Key): Item | undefined {
    const leaf = leafOf(this.root, key);
    const index = leaf.indexOf(key);
    return index < 0 ? undefined : leaf.item(index);
  }

  *leaves(prefix: Key, start: Key): Generator<Leaf, void> {
    const from = start < prefix ? prefix : start;
    const end = afterPrefix(prefix);
    for (const leaf of leavesFrom(this.root, from)) {
      const first = leaf.keys[leaf.indexFrom(from)];
      if (first === undefined) continue;
      if (first >= end) return;
      yield leaf;
    }
  }

  sum(prefix: Key, start: Key): Sum {
    const end = afterPrefix(prefix);
    const from = start < prefix ? prefix : start;
    if (from >= end) return { count: 0, bytes: 0 };
    const before = sumBefore(this.root, from);
    const until = sumBefore(this.root, end);
    return { count: until.count - before.count, bytes: until.bytes - before.bytes };
  }
}

/** The first key after all that begin with `prefix`; keys are bytes, and no byte of UTF-8 is 0xff. */
export function afterPrefix(prefix: Key): Key {
  return `${prefix}\xff`;
}
