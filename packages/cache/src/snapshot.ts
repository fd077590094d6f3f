// A resource at one revision: a root of its tree.
import type { Key, Revision } from '@sluice/storage';
import type { Item, Snapshot } from './contract.ts';
import type { Leaf } from './leaf.ts';
import { leafOf, leavesFrom, type Node, type Sum, sumBefore } from './tree.ts';

export class RootSnapshot implements Snapshot {
  readonly revision: Revision;
  readonly root: Node;

  constructor(root: Node, revision: Revision) {
    this.root = root;
    this.revision = revision;
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
    const end = afterPrefix(prefix);
    for (const leaf of leavesFrom(this.root, start < prefix ? prefix : start)) {
      if (leaf.keys[0]! >= end) return;
      yield leaf;
    }
  }

  sum(prefix: Key, start: Key): Sum {
    const before = sumBefore(this.root, start < prefix ? prefix : start);
    const until = sumBefore(this.root, afterPrefix(prefix));
    return { count: until.count - before.count, bytes: until.bytes - before.bytes };
  }
}

/** The first key after all that begin with `prefix`; keys are bytes, and no byte of UTF-8 is 0xff. */
export function afterPrefix(prefix: Key): Key {
  return `${prefix}\xff`;
}
