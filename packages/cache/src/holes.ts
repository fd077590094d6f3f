// Ages in rows: a leaf of rows is kept with holes where they go, which are filled for each list.
//
//   kept     ,{"cells":["web-0","1/1","Running","0","age-5f…"],…      at: 43 …  times: 1767225600000 …
//   filled   ,{"cells":["web-0","1/1","Running","0","5d"],…
import { quote } from '@sluice/encoding';
import { AGE_MARK, humanDuration } from '@sluice/resources';
import { type EncodedLeaf, type Form, type Holes, runOf } from './forms.ts';

const MARK = Buffer.from(AGE_MARK);

/** Where the marks stand in bytes that have one for each of the times, in their order. Undefined: there are none. */
export function holesOf(bytes: Uint8Array, times: readonly number[]): Holes | undefined {
  if (times.length === 0) return undefined;
  const marked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let from = 0;
  const at = Uint32Array.from(times, () => {
    const found = marked.indexOf(MARK, from);
    if (found < 0) throw new Error('a row lacks the place of an age');
    from = found + MARK.length;
    return found;
  });
  return { at, times: Float64Array.from(times) };
}

/**
 * All items, their ages counted up to `now` in milliseconds.
 * @throws FormError
 */
export function filled(encoded: EncodedLeaf, { encoding }: Form, now: number): Uint8Array {
  const bytes = runOf(encoded, 0, encoded.ends.length);
  if (!encoded.holes) return bytes;
  const { at, times } = encoded.holes;
  // A mark is longer than any age.
  const out = Buffer.allocUnsafe(bytes.length);
  let from = 0;
  let used = 0;
  for (let i = 0; i < at.length; i++) {
    const piece = bytes.subarray(from, at[i]!);
    out.set(piece, used);
    used += piece.length;
    used += out.write(spelled(humanDuration(now - times[i]!), encoding), used, 'latin1');
    from = at[i]! + MARK.length;
  }
  out.set(bytes.subarray(from), used);
  return out.subarray(0, used + bytes.length - from);
}

/** Digits and letters are the same in all encodings, and need no quotes in YAML; `<invalid>` has escapes in JSON. */
function spelled(age: string, encoding: Form['encoding']): string {
  if (encoding === 'yaml' || age[0] !== '<') return age;
  return quote(age).slice(1, -1);
}
