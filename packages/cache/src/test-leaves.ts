// For tests: leaves of made-up items, forms of them, and what a list of them would be.
import { type Kind, openKinds } from '@sluice/resources';
import { columnsOf } from './columns.ts';
import type { EncodingInput } from './encode-leaf.ts';
import { type EncodedLeaf, type Form, formOf } from './forms.ts';
import { filled } from './holes.ts';
import { Leaf } from './leaf.ts';

export function leafOfTexts(texts: readonly string[]): Leaf {
  const items = texts.map((text, i) => {
    return { key: `k${1000 + i}`, bytes: Buffer.from(text), modRevision: 1n, createRevision: 1n };
  });
  return new Leaf(columnsOf(items));
}

/** Leaves of ConfigMaps, each of `items` items with about `length` bytes of data. */
export function configMapLeaves(leaves: number, items = 3, length = 20): Leaf[] {
  return Array.from({ length: leaves }, (_, n) =>
    leafOfTexts(
      Array.from({ length: items }, (_, i) => {
        const data = `"data":{"a":"${'x'.repeat(length)}","b":"${n}"}`;
        return `{"metadata":{"name":"c-${n}-${i}","labels":{"n":"${n}"}},${data}}`;
      }),
    ),
  );
}

export function inputOf(leaf: Leaf): EncodingInput {
  return { json: leaf.join(), lengths: leaf.lengths };
}

const kinds = openKinds();

export function kindOf(group: string, version: string, plural: string): Kind {
  return kinds.find(group, version, plural)!;
}

export const CONFIG_MAPS: Kind = kindOf('', 'v1', 'configmaps');

/** A form in which items are not shown as they are stored. */
export function shownAs(encoding: Form['encoding'], kind: Kind = CONFIG_MAPS): Form {
  return formOf(kind, { shows: 'object' }, encoding, noDefinition)!;
}

export function noDefinition(): never {
  throw new Error('no definition is needed');
}

export function filledBytes(encoded: EncodedLeaf, form: Form, now: number): Buffer {
  return Buffer.concat([...filled(encoded, form, now)]);
}
