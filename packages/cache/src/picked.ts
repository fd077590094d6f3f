// Some items of a leaf: their JSON joined as a leaf's is, and their encoded forms cut out of a whole leaf's.
import type { EncodedLeaf, Holes } from './forms.ts';
import type { Leaf } from './leaf.ts';

/** What encoding takes of a leaf: `,{…},{…}`, and each item's length. */
export type JoinedItems = { json: Uint8Array; lengths: readonly number[] };

export function joinedItems(leaf: Leaf, indices: readonly number[]): JoinedItems {
  const pieces = runsOf(indices).map(([from, to]) => leaf.run(from, to));
  return { json: Buffer.concat(pieces), lengths: indices.map((index) => leaf.lengthOf(index)) };
}

export function pickedItems(encoded: EncodedLeaf, indices: readonly number[]): EncodedLeaf {
  const start = (index: number): number => (index === 0 ? 0 : encoded.ends[index - 1]!);
  const spans = runsOf(indices).map(([from, to]): [number, number] => [start(from), encoded.ends[to - 1]!]);
  let end = 0;
  const ends = Uint32Array.from(indices, (index) => {
    end += encoded.ends[index]! - start(index);
    return end;
  });
  const problems = encoded.problems.flatMap(({ index, message }) => {
    const at = indices.indexOf(index);
    return at < 0 ? [] : [{ index: at, message }];
  });
  const bytes = Buffer.concat(spans.map(([from, to]) => encoded.bytes.subarray(from, to)));
  return { bytes, ends, problems, holes: encoded.holes && pickedHoles(encoded.holes, spans) };
}

/** Those within the spans, where they stand once the spans lie behind each other. */
function pickedHoles({ at, times }: Holes, spans: readonly [number, number][]): Holes {
  const pickedAt: number[] = [];
  const pickedTimes: number[] = [];
  let hole = 0;
  let length = 0;
  for (const [from, to] of spans) {
    while (hole < at.length && at[hole]! < from) hole++;
    for (; hole < at.length && at[hole]! < to; hole++) {
      pickedAt.push(at[hole]! - from + length);
      pickedTimes.push(times[hole]!);
    }
    length += to - from;
  }
  return { at: Uint32Array.from(pickedAt), times: Float64Array.from(pickedTimes) };
}

/** Neighbours together, as [from, to). */
function runsOf(indices: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const index of indices) {
    const last = runs.at(-1);
    if (last?.[1] === index) last[1]++;
    else runs.push([index, index + 1]);
  }
  return runs;
}
