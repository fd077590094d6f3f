// All twins of one leaf: the deflated one of its JSON, and those of each form it was asked for in.
import type { Deflated } from '@sluice/encoding';
import type { EncodedLeaf, Encoding, ItemProblem } from './forms.ts';
import type { Twin } from './twin.ts';

export type TwinKind = Encoding | `deflated ${Encoding}`;

/** A leaf in a form: its bytes, separators included, unless they depend on ages, and the items that have none. */
export type KnownForm = { readonly bytes: number | undefined; readonly problems: readonly ItemProblem[] };

/** How a leaf in one form is kept. */
export type FormTwins = {
  readonly encoded: Twin<EncodedLeaf>;
  readonly deflated: Twin<Deflated>;
  /** What was found when it was made; known as long as the leaf lives. */
  known: KnownForm | undefined;
};

export type LeafTwins = {
  /** Of its JSON as it is stored. */
  readonly deflated: Twin<Deflated>;
  /** By the forms' keys. */
  readonly forms: Map<string, FormTwins>;
};

export function* eachTwin(twins: LeafTwins): Generator<Twin, void> {
  yield twins.deflated;
  for (const { encoded, deflated } of twins.forms.values()) yield* [encoded, deflated];
}
