// Ages in rows: a leaf of rows is kept with holes where they go, which are filled for each list.
//
//   kept     ,{"cells":["web-0","1/1","Running","0","age-5f…"],…      at: 43 …  times: 1767225600000 …
//   filled   ,{"cells":["web-0","1/1","Running","0","5d"],…
import { quote } from '@sluice/encoding';
import { AGE_MARK, humanDuration } from '@sluice/resources';
import { type EncodedLeaf, type Encoding, type Form, type Holes, runOf } from './forms.ts';

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
 * All items in pieces, their ages counted up to `now` in milliseconds.
 * @throws FormError at once
 */
export function filled(encoded: EncodedLeaf, { encoding }: Form, now: number): Iterable<Uint8Array> {
  const bytes = runOf(encoded, 0, encoded.ends.length);
  return encoded.holes ? piecesOf(bytes, encoded.holes, encoding, now) : [bytes];
}

function* piecesOf(
  bytes: Uint8Array,
  { at, times }: Holes,
  encoding: Encoding,
  now: number,
): Generator<Uint8Array, void> {
  let from = 0;
  for (let i = 0; i < at.length; i++) {
    yield bytes.subarray(from, at[i]!);
    yield Buffer.from(spelled(humanDuration(now - times[i]!), encoding), 'latin1');
    from = at[i]! + MARK.length;
  }
  yield bytes.subarray(from);
}

/** Digits and letters are the same in all encodings, and need no quotes in YAML; `<invalid>` has escapes in JSON. */
function spelled(age: string, encoding: Encoding): string {
  if (encoding === 'yaml' || age[0] !== '<') return age;
  return quote(age).slice(1, -1);
}
