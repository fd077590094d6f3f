// What JSON doesn't say of a value and CBOR must: which texts are bytes, which numbers are doubles.

/**
 * Data, made from the field tables of the built-in kinds. undefined stands for a value that JSON says all of, so a kind
 * without bytes and doubles has no form, and no member that leads to none is named.
 */
export type CborForm =
  /** Base64 text in JSON, a byte string under tag 22 here. */
  | 'bytes'
  /** A float even when its JSON spelling is an integer's. */
  | 'double'
  /** Read only: JSON that is kept as it is, all of it: a float without fraction is spelled as an integer. */
  | 'json'
  | {
      readonly members: ReadonlyMap<string, CborForm>;
      /** Of its elements, should it be a list. */
      readonly elements?: CborForm;
    }
  /** The elements of a list, or the values of a map whose keys are anybody's. */
  | { readonly each: CborForm };

/** The form of an object's member. */
export function memberForm(form: CborForm | undefined, key: string): CborForm | undefined {
  if (typeof form !== 'object') return form === 'json' ? form : undefined;
  return 'each' in form ? form.each : form.members.get(key);
}

/** The form of a list's elements. */
export function elementForm(form: CborForm | undefined): CborForm | undefined {
  if (typeof form !== 'object') return form === 'json' ? form : undefined;
  return 'each' in form ? form.each : form.elements;
}
