// The copy-on-write B-tree: a root is a snapshot. Inner nodes carry sums, so that ranges are counted without walking them.
//
//                    Inner  count 5, bytes 612
//                   /     \
//        Inner  3, 400    Inner  2, 212          a write copies the path from its leaf to the root, nothing else
//        /    \               \
//     Leaf    Leaf            Leaf                all leaves are equally deep
import type { Key } from '@sluice/storage';
import { type Columns, columnsOf, concat, type Edit, edited, slice, sum } from './columns.ts';
import type { Item } from './contract.ts';
import {
  EMPTY_LEAF,
  LEAF_FILL_BYTES,
  LEAF_FILL_ITEMS,
  LEAF_MAX_BYTES,
  LEAF_MAX_ITEMS,
  LEAF_MIN_BYTES,
  Leaf,
} from './leaf.ts';

export const FANOUT_MAX = 64;
/** A node with fewer children joins a neighbour if both fit into one; where none does it stays. */
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
    this.count = children.reduce((total, child) => total + child.count, 0);
    this.bytes = children.reduce((total, child) => total + child.bytes, 0);
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

/** What edits did to a tree's leaves: those the new root has and the old one hadn't, and the other way round. */
export class Turnover {
  readonly made: Set<Leaf> = new Set();
  readonly gone: Set<Leaf> = new Set();
  readonly #joins: boolean;

  /** Leaves that won't be edited again need not be joined: they are when they are listed. */
  constructor(options: { joins: boolean } = { joins: true }) {
    this.#joins = options.joins;
  }

  make(columns: Columns): Leaf {
    const leaf = new Leaf(columns);
    if (this.#joins && leaf.isScattered) leaf.join();
    this.made.add(leaf);
    return leaf;
  }

  drop(leaf: Leaf): void {
    if (leaf !== EMPTY_LEAF && !this.made.delete(leaf)) this.gone.add(leaf);
  }
}

/** The tree with `item` put in place of what its key held. Its bytes are kept and must not change. */
export function put(root: Node, item: Item, turnover: Turnover): Node {
  return rootOf(edit(root, { key: item.key, item }, turnover));
}

/** The tree without `key`. */
export function remove(root: Node, key: Key, turnover: Turnover): Node {
  return rootOf(edit(root, { key, item: null }, turnover));
}

/**
 * The tree with many edits made, which are in key order: each leaf is made anew once. Small leaves stay small: it's for
 * roots of the past, which are not edited again.
 */
export function putAll(root: Node, edits: readonly Edit[], turnover: Turnover): Node {
  const old = root.count === 0 ? [EMPTY_LEAF] : [...leavesFrom(root, '')];
  let next = 0;
  const leaves = old.flatMap((leaf, i) => {
    const end = old[i + 1]?.keys[0];
    const from = next;
    while (next < edits.length && (end === undefined || edits[next]!.key < end)) next++;
    if (from === next) return leaf;
    turnover.drop(leaf);
    return cut(edited(leaf.columns, edits.slice(from, next)), turnover);
  });
  return build(leaves);
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

/** Leaves in order, from the one that holds `start`, or would, on. */
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

/** What stands in place of `node` after the edit: nothing, one node, or a few. */
function edit(node: Node, one: Edit, turnover: Turnover): readonly Node[] {
  if (node instanceof Leaf) return editLeaf(node, one, turnover);
  const index = placeFor(node, one);
  const child = node.children[index]!;
  const instead = edit(child, one, turnover);
  if (instead.length === 1 && instead[0] === child) return [node];
  const children = node.children.toSpliced(index, 1, ...instead);
  if (instead.length === 1) joinSmall(children, index, turnover);
  if (children.length === 0) return [];
  if (children.length <= FANOUT_MAX) return [new Inner(children)];
  // Keys that grow: what lies behind them stays full.
  const atEnd = index + instead.length === children.length;
  const half = atEnd ? FANOUT_MAX : children.length >>> 1;
  return [new Inner(children.slice(0, half)), new Inner(children.slice(half))];
}

/** The child the edit is made in. An item between two leaves goes to the right one if the left is full and it is not. */
function placeFor(node: Inner, { key, item }: Edit): number {
  const index = node.childOf(key);
  const leaf = node.children[index]!;
  const next = node.children[index + 1];
  if (!(item && leaf instanceof Leaf && next instanceof Leaf)) return index;
  const isBetween = leaf.keys[leaf.count - 1]! < key;
  return isBetween && !hasRoom(leaf, item) && hasRoom(next, item) ? index + 1 : index;
}

function editLeaf(leaf: Leaf, one: Edit, turnover: Turnover): readonly Node[] {
  const { key, item } = one;
  if (!item && leaf.indexOf(key) < 0) return [leaf];
  if (item && leaf.count > 0 && leaf.keys[leaf.count - 1]! < key && !hasRoom(leaf, item)) {
    // Keys that grow: the full leaf stays as it is, twins included.
    return [leaf, turnover.make(columnsOf([item]))];
  }
  turnover.drop(leaf);
  return cut(edited(leaf.columns, [one]), turnover);
}

function hasRoom(leaf: Leaf, item: Item): boolean {
  return !isOver(leaf.bytes + item.bytes.length, leaf.count + 1);
}

function isOver(bytes: number, count: number): boolean {
  return bytes > LEAF_MAX_BYTES || count > LEAF_MAX_ITEMS;
}

/** Leaves of the items: one if they fit, else cut where the bytes are halved, and again where it must be. */
function cut(columns: Columns, turnover: Turnover): readonly Leaf[] {
  const { lengths } = columns;
  const bytes = sum(lengths);
  if (lengths.length === 0) return [];
  if (lengths.length === 1 || !isOver(bytes, lengths.length)) return [turnover.make(columns)];
  let at = 1;
  for (let before = lengths[0]!; at < lengths.length - 1 && before + lengths[at]! <= bytes / 2; at++) {
    before += lengths[at]!;
  }
  return [...cut(slice(columns, 0, at), turnover), ...cut(slice(columns, at, lengths.length), turnover)];
}

/** Joins children[index] with a neighbour if it has become small and both fit into one. */
function joinSmall(children: Node[], index: number, turnover: Turnover): void {
  const node = children[index]!;
  const isSmall = node instanceof Leaf ? node.bytes < LEAF_MIN_BYTES : node.children.length < FANOUT_MIN;
  if (!isSmall) return;
  for (const left of [index - 1, index]) {
    const a = children[left];
    const b = children[left + 1];
    const joined = a && b && joinedOf(a, b, turnover);
    if (joined) {
      children.splice(left, 2, joined);
      return;
    }
  }
}

function joinedOf(a: Node, b: Node, turnover: Turnover): Node | undefined {
  if (a instanceof Leaf && b instanceof Leaf) {
    if (a.bytes + b.bytes > LEAF_FILL_BYTES || a.count + b.count > LEAF_FILL_ITEMS) return undefined;
    turnover.drop(a);
    turnover.drop(b);
    return turnover.make(concat(a.columns, b.columns));
  }
  if (a instanceof Inner && b instanceof Inner && a.children.length + b.children.length <= FANOUT_MAX) {
    return new Inner([...a.children, ...b.children]);
  }
  return undefined;
}
