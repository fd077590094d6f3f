// The copy-on-write B-tree: a root is a snapshot. Inner nodes carry sums, so that ranges are counted without walking them.
//
//                    Inner  count 5, bytes 612
//                   /     \
//        Inner  3, 400    Inner  2, 212          a write copies the path from its leaf to the root, nothing else
//        /    \               \
//     Leaf    Leaf            Leaf
import type { Key } from '@sluice/storage';
import {
  EMPTY_LEAF,
  LEAF_FILL_BYTES,
  LEAF_FILL_ITEMS,
  LEAF_MAX_BYTES,
  LEAF_MAX_ITEMS,
  LEAF_MIN_BYTES,
  Leaf,
  type Row,
} from './leaf.ts';

const FANOUT_MAX = 64;
const FANOUT_MIN = 16;

export type Node = Leaf | Inner;
export type Sum = { count: number; bytes: number };

export class Inner {
  readonly children: readonly Node[];
  readonly firstKeys: readonly Key[];
  readonly count: number;
  readonly bytes: number;

  constructor(children: readonly Node[]) {
    this.children = children;
    this.firstKeys = children.map(firstKey);
    this.count = children.reduce((sum, child) => sum + child.count, 0);
    this.bytes = children.reduce((sum, child) => sum + child.bytes, 0);
  }

  /** The child that holds `key`, or would. */
  childOf(key: Key): number {
    let low = 1;
    let high = this.children.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.firstKeys[middle]! <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The tree with `row` put in place of what its key held. Leaves that are no longer part of it are added to `retired`. */
export function put(root: Node, row: Row, retired: Leaf[]): Node {
  return rootOf(edit(root, row.key, row, retired));
}

/** The tree without `key`. */
export function remove(root: Node, key: Key, retired: Leaf[]): Node {
  return rootOf(edit(root, key, undefined, retired));
}

/** A tree of leaves that are in order already. */
export function build(leaves: readonly Leaf[]): Node {
  let level: readonly Node[] = leaves;
  while (level.length > 1) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += FANOUT_MAX) above.push(new Inner(level.slice(i, i + FANOUT_MAX)));
    level = above;
  }
  return level[0] ?? EMPTY_LEAF;
}

/** The leaf that holds `key`, or would. */
export function leafOf(root: Node, key: Key): Leaf {
  let node = root;
  while (node instanceof Inner) node = node.children[node.childOf(key)]!;
  return node;
}

/** Leaves in order, from the one that holds `start` on. */
export function* leavesFrom(root: Node, start: Key): Generator<Leaf, void> {
  if (root instanceof Leaf) {
    if (root.count > 0) yield root;
    return;
  }
  const first = root.childOf(start);
  yield* leavesFrom(root.children[first]!, start);
  for (let i = first + 1; i < root.children.length; i++) yield* leavesFrom(root.children[i]!, '');
}

/** Items whose key is before `key`, counted and summed from the nodes' sums: one path, no walk. */
export function sumBefore(root: Node, key: Key): Sum {
  let count = 0;
  let bytes = 0;
  let node = root;
  while (node instanceof Inner) {
    const index = node.childOf(key);
    for (let i = 0; i < index; i++) {
      count += node.children[i]!.count;
      bytes += node.children[i]!.bytes;
    }
    node = node.children[index]!;
  }
  const end = node.indexFrom(key);
  for (let i = 0; i < end; i++) bytes += node.lengthOf(i);
  return { count: count + end, bytes };
}

function firstKey(node: Node): Key {
  return node instanceof Leaf ? (node.keys[0] ?? '') : node.firstKeys[0]!;
}

function rootOf(nodes: readonly Node[]): Node {
  if (nodes.length > 1) return new Inner(nodes);
  const [node] = nodes;
  return node instanceof Inner && node.children.length === 1 ? rootOf(node.children) : (node ?? EMPTY_LEAF);
}

/** What stands in place of `node` after the edit: nothing, one node, or two. */
function edit(node: Node, key: Key, row: Row | undefined, retired: Leaf[]): readonly Node[] {
  if (node instanceof Leaf) return editLeaf(node, key, row, retired);
  const index = node.childOf(key);
  const child = node.children[index]!;
  const edited = edit(child, key, row, retired);
  if (edited.length === 1 && edited[0] === child) return [node];
  const children = node.children.toSpliced(index, 1, ...edited);
  if (edited.length === 1) joinSmall(children, index, retired);
  if (children.length === 0) return [];
  if (children.length <= FANOUT_MAX) return [new Inner(children)];
  const half = index >= children.length - 2 ? FANOUT_MAX : children.length >>> 1;
  return [new Inner(children.slice(0, half)), new Inner(children.slice(half))];
}

function editLeaf(leaf: Leaf, key: Key, row: Row | undefined, retired: Leaf[]): readonly Node[] {
  const index = leaf.indexFrom(key);
  const held = leaf.keys[index] === key;
  if (!row && !held) return [leaf];
  if (row && index === leaf.count && isFull(leaf.bytes + row.length, leaf.count + 1) && leaf.count > 0) {
    // Keys that grow: the full leaf stays as it is, twins included.
    return [leaf, new Leaf([row])];
  }
  if (leaf.count > 0) retired.push(leaf);
  const rows = leaf.rows();
  rows.splice(index, held ? 1 : 0, ...(row ? [row] : []));
  if (rows.length === 0) return [];
  const bytes = rows.reduce((sum, one) => sum + one.length, 0);
  return isFull(bytes, rows.length) && rows.length > 1 ? halves(rows, bytes) : [new Leaf(rows)];
}

function isFull(bytes: number, count: number): boolean {
  return bytes > LEAF_MAX_BYTES || count > LEAF_MAX_ITEMS;
}

/** Cut where the bytes are halved; either side has at least one item. */
function halves(rows: readonly Row[], bytes: number): readonly Leaf[] {
  let at = 0;
  for (let sum = 0; at < rows.length - 1 && (at === 0 || sum + rows[at]!.length <= bytes / 2); at++) {
    sum += rows[at]!.length;
  }
  return [new Leaf(rows.slice(0, at)), new Leaf(rows.slice(at))];
}

/** Joins children[index] with a neighbour if it has become small and both fit into one. */
function joinSmall(children: Node[], index: number, retired: Leaf[]): void {
  const node = children[index]!;
  const isSmall = node instanceof Leaf ? node.bytes < LEAF_MIN_BYTES : node.children.length < FANOUT_MIN;
  if (!isSmall) return;
  for (const left of [index - 1, index]) {
    const a = children[left];
    const b = children[left + 1];
    const joined = a && b && join(a, b, retired);
    if (joined) {
      children.splice(left, 2, joined);
      return;
    }
  }
}

function join(a: Node, b: Node, retired: Leaf[]): Node | undefined {
  if (a instanceof Leaf && b instanceof Leaf) {
    if (a.bytes + b.bytes > LEAF_FILL_BYTES || a.count + b.count > LEAF_FILL_ITEMS) return undefined;
    retired.push(a, b);
    return new Leaf([...a.rows(), ...b.rows()]);
  }
  if (a instanceof Inner && b instanceof Inner && a.children.length + b.children.length <= FANOUT_MAX) {
    return new Inner([...a.children, ...b.children]);
  }
  return undefined;
}
