// Forms: how items are shown where it isn't as they are stored. A form is data, so that it can be handed to another thread.
//
//   leaf.join()            ,{ … }             ,{ … }             ,{ … }
//   its form, encoded      separator, item    separator, item    …           bytes · where each item ends
import type { Include, Kind, MetaVersion } from '@sluice/resources';

/** How an item's bytes are spelled; `…-event`: as the frame of an ADDED event, for watches that begin with the state. */
export type Encoding = 'json' | 'pretty' | 'yaml' | 'protobuf' | 'cbor' | EventEncoding;
export type EventEncoding = 'json-event' | 'protobuf-event' | 'cbor-event';

/** What is shown of an object: all of it, its metadata alone, or a row of a Table with some of it. */
export type View =
  | { readonly shows: 'object' }
  | { readonly shows: 'metadata'; readonly version: MetaVersion }
  | { readonly shows: 'row'; readonly version: MetaVersion; readonly include: Include };

/** What a form must know of the kind its items are asked for as. Stored in another version, they are converted. */
export type FormKind = Pick<
  Kind,
  'group' | 'version' | 'plural' | 'kind' | 'custom' | 'storageVersion' | 'mixed'
>;

export type Form = {
  /** The same for forms that give the same bytes, different for all others. */
  readonly key: string;
  readonly view: View;
  readonly encoding: Encoding;
  readonly kind: FormKind;
  /** The bytes of the CustomResourceDefinition that tells how items are converted, and which columns they have. */
  readonly definition: Uint8Array | undefined;
};

/** A CustomResourceDefinition as it is stored. */
export type StoredDefinition = { readonly bytes: Uint8Array; readonly modRevision: bigint };

/** @returns undefined when items are shown as they are stored. `definitionOf` is asked where a custom kind's schema is needed. */
export function formOf(
  kind: Kind,
  view: View,
  encoding: Encoding,
  definitionOf: () => StoredDefinition,
): Form | undefined {
  const { group, version, plural, custom, storageVersion, mixed } = kind;
  const converts = isConverted(kind, view);
  if (!converts && view.shows === 'object' && encoding === 'json') return undefined;
  const definition = custom && (converts || view.shows === 'row') ? definitionOf() : undefined;
  const key = [encoding, ...Object.values(view), group, version, plural, definition?.modRevision ?? ''];
  return {
    key: key.join(' '),
    view,
    encoding,
    kind: { group, version, plural, kind: kind.kind, custom, storageVersion, ...(mixed && { mixed }) },
    // Handing a view to another thread copies all of the buffer it is a view of.
    definition: definition && Uint8Array.from(definition.bytes),
  };
}

/** Whether items have to be brought into another version before they are shown. */
export function isConverted(kind: FormKind, view: View): boolean {
  return view.shows !== 'metadata' && (kind.mixed === true || kind.storageVersion !== groupVersionOf(kind));
}

export function groupVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Rows tell ages, which are filled in for each list: what they deflate to is never the same. */
export function isDeflatable({ view }: Form): boolean {
  return view.shows !== 'row';
}

/** How much of the separator before an item is left out before the first item of a list: a comma. */
export function leadBytes({ encoding }: Form): number {
  return encoding === 'json' || encoding === 'pretty' ? 1 : 0;
}

/** An item that can't be shown in a form; it has no bytes there. */
export type ItemProblem = { readonly index: number; readonly message: string };

/** Where ages go in rows: marks stand `at` these bytes, one for each of the times they are counted from, in milliseconds. */
export type Holes = { readonly at: Uint32Array; readonly times: Float64Array };

/** All of a leaf's items in a form, each with its separator before it, behind each other. */
export type EncodedLeaf = {
  readonly bytes: Uint8Array;
  /** Where each item ends. */
  readonly ends: Uint32Array;
  readonly problems: readonly ItemProblem[];
  /** Undefined: the bytes are what is shown. */
  readonly holes?: Holes | undefined;
};

/** What was to be shown holds an item that can't be. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

/**
 * Items `from` up to but without `to`.
 * @throws FormError
 */
export function runOf({ bytes, ends, problems }: EncodedLeaf, from: number, to: number): Uint8Array {
  for (const { index, message } of problems) {
    if (index >= from && index < to) throw new FormError(message);
  }
  const start = from === 0 ? 0 : ends[from - 1]!;
  return bytes.subarray(start, to > from ? ends[to - 1]! : start);
}
