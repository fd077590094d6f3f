// Encodes the items of a leaf, at once or in slices: the same in a worker thread and on the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ByteWriter, staged, TooLongError } from '@sluice/encoding';
import { type EncodedLeaf, type Form, FormError, type ItemProblem } from './forms.ts';
import { holesOf } from './holes.ts';
import { encoderOf } from './item-encoders.ts';

/** An encoded leaf has no more bytes; items past it can't be shown. Deep nesting makes indented text a thousand times as long. */
export const ENCODED_LEAF_MAX_BYTES: number = 64 * 1024 * 1024;
/** A writer that held more is not used again. */
const WRITER_KEPT_BYTES = 4 * 1024 * 1024;
/** How long the event loop is held by a slice. */
const SLICE_MS = 5;

/** What is encoded: the joined leaf, `,{…},{…}`, or some of it, and each item's length. */
export type EncodingInput = {
  readonly json: Uint8Array;
  readonly lengths: ArrayLike<number>;
};

export function encodeLeaf(form: Form, input: EncodingInput): EncodedLeaf {
  const steps = encoding(form, { json: staged(input.json), lengths: input.lengths });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, letting others run between two items. */
export async function encodeLeafInSlices(form: Form, input: EncodingInput): Promise<EncodedLeaf> {
  const steps = encoding(form, input);
  for (let until = performance.now() + SLICE_MS; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}

function* encoding(form: Form, { json, lengths }: EncodingInput): Generator<undefined, EncodedLeaf> {
  const encode = encoderOf(form);
  // Nobody else gets it while it is in use: several leaves may be encoded in slices.
  const out = spare ?? new ByteWriter(json.length, ENCODED_LEAF_MAX_BYTES);
  spare = undefined;
  const ends = new Uint32Array(lengths.length);
  const problems: ItemProblem[] = [];
  const times: number[] = [];
  for (let i = 0, start = 1; i < lengths.length; i++) {
    const before = out.length;
    const timesBefore = times.length;
    const end = start + lengths[i]!;
    try {
      encode(json.subarray(start, end), out, times);
    } catch (error) {
      if (!(error instanceof FormError || error instanceof TooLongError)) throw error;
      out.cut(before);
      times.length = timesBefore;
      problems.push({ index: i, message: error.message });
    }
    ends[i] = out.length;
    start = end + 1;
    yield;
  }
  if (out.length <= WRITER_KEPT_BYTES) spare = out;
  const bytes = owned(out.take());
  return { bytes, ends, problems, holes: holesOf(bytes, times) };
}

let spare: ByteWriter | undefined;

/** In a buffer of its own: only that can be handed to another thread, and nothing else is kept alive by it. */
function owned(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}
