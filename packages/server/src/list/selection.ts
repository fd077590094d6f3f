// Which items of a leaf a list shows: label selectors asked once per label set, field selectors read from the key where they can be.
import type { LabelSets, Leaf } from '@sluice/cache';
import { type FieldSelector, fieldReader, type Kind, type LabelSelector } from '@sluice/resources';
import { keyText } from '../keys.ts';
import type { ListOptions } from '../list-options.ts';
import type { Parts } from '../parts.ts';

/** Says of each item whether it is shown. */
export interface Selection {
  /** Everything is shown. */
  readonly all: boolean;
  /** A test for the items of one leaf, by index. Good until the next leaf is asked for. */
  on(leaf: Leaf): (index: number) => boolean;
}

const EVERYTHING: Selection = { all: true, on: () => () => true };

export function openSelection(parts: Parts, kind: Kind, options: ListOptions): Selection {
  const { fieldSelector: fields } = options;
  const tests: ((leaf: Leaf) => (index: number) => boolean)[] = [];
  if (!options.labelSelector.empty) tests.push(labelTest(parts.cache.labels, options.labelSelector));
  if (!fields.empty) tests.push(fieldTest(kind, fields));
  if (tests.length === 0) return EVERYTHING;
  return {
    all: false,
    on(leaf) {
      const ofLeaf = tests.map((test) => test(leaf));
      return (index) => ofLeaf.every((test) => test(index));
    },
  };
}

/** One answer per label set, kept for the request; all of a leaf's at once, since sets may be renumbered between leaves. */
function labelTest(sets: LabelSets, selector: LabelSelector): (leaf: Leaf) => (index: number) => boolean {
  let epoch = sets.epoch;
  let answers: boolean[] = [];
  return (leaf) => {
    const ids = sets.idsOf(leaf);
    if (sets.epoch !== epoch) {
      epoch = sets.epoch;
      answers = [];
    }
    for (const id of ids) answers[id] ??= selector.matches(sets.labels(id));
    const known = answers;
    return (index) => known[ids[index]!]!;
  };
}

/** Names and namespaces stand in the key; any other field is read from the item. */
function fieldTest(kind: Kind, selector: FieldSelector): (leaf: Leaf) => (index: number) => boolean {
  const inKey = selector.terms.every(
    ({ field }) => field === 'metadata.name' || field === 'metadata.namespace',
  );
  if (inKey) {
    return (leaf) => (index) => selector.matches((field) => fieldOfKey(kind, leaf.keys[index]!, field));
  }
  return (leaf) => (index) => selector.matches(fieldReader(kind, leaf.bytesOf(index)));
}

/** Fields that need no look at the object. */
export function isFieldOfKey(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace';
}

export function fieldOfKey(kind: Kind, key: string, field: string): string {
  const rest = key.slice(kind.storagePrefix.length);
  const slash = kind.namespaced ? rest.indexOf('/') : -1;
  const part = field === 'metadata.name' ? rest.slice(slash + 1) : rest.slice(0, Math.max(0, slash));
  return keyText(part);
}
