// Writes a page's items in a form: leaves' twins as they lie, or what threads make of a leaf while the one before is being written.
import {
  type EncodedLeaf,
  type Form,
  FormError,
  filled,
  indentedPieces,
  isDeflatable,
  type Leaf,
  leadBytes,
  type Twins,
} from '@sluice/cache';
import type { Deflated } from '@sluice/encoding';
import type { Sink } from '../api.ts';
import type { Around, Totals } from './around.ts';
import { type ItemSource, leafRange, pageLeaves, withAhead } from './body.ts';
import { openSlices } from './slices.ts';

/** Leaves asked for ahead of the one being written. */
export const LEAVES_AHEAD = 2;

/** Head, items and tail. An item that can't be shown rejects with FormError. */
export async function writeForm(
  sink: Sink,
  source: ItemSource,
  form: Form,
  around: Around,
  totals: Totals,
): Promise<void> {
  const { twins } = source;
  const lead = leadBytes(form);
  const portions = portionsOf(source);
  const slices = openSlices();
  let first = true;
  for (const [portion, ahead] of withAhead(portions, LEAVES_AHEAD)) {
    const usesDeflated = sink.gzips && portion.isWhole && isDeflatable(form);
    const made = encodedOf(portion, source, form, usesDeflated);
    for (const next of ahead) next.begin(twins, form, usesDeflated);
    const value = await made;
    if (first) await sink.write(around.head(totals));
    const skip = first ? lead : 0;
    if (value === undefined) await writePieces(sink, portion, form, skip);
    else if ('parts' in value) await writeDeflated(sink, value, skip === 0 && lead > 0);
    else await writeFilled(sink, value, skip);
    first = false;
    await slices.next();
  }
  await sink.write(first ? around.empty : around.tail);
}

/** Undefined: some of it is too long to be held, and has to be made while it is written. */
async function encodedOf(
  portion: Portion,
  { twins, nowMs }: ItemSource,
  form: Form,
  usesDeflated: boolean,
): Promise<Iterable<Uint8Array> | Deflated | undefined> {
  // Nothing else keeps an object from being indented. Rows are templates, which have to be whole to be filled.
  const goesInPieces = form.encoding === 'pretty' && form.view.shows !== 'row';
  if (goesInPieces && portion.isKnownBad(twins, form)) return undefined;
  try {
    if (usesDeflated) return await portion.deflated(twins, form);
    return filled(await portion.encoded(twins, form), form, nowMs);
  } catch (error) {
    if (goesInPieces && error instanceof FormError) return undefined;
    throw error;
  }
}

/** Small pieces are gathered on their way: no leaf is put together for it. */
async function writeFilled(sink: Sink, pieces: Iterable<Uint8Array>, skip: number): Promise<void> {
  let left = skip;
  for (const piece of pieces) {
    const room = sink.write(left > 0 ? piece.subarray(left) : piece);
    left = 0;
    if (room) await room;
  }
}

async function writePieces(sink: Sink, portion: Portion, form: Form, skip: number): Promise<void> {
  const slices = openSlices();
  let left = skip;
  for (const piece of indentedPieces(form, portion.items())) {
    await sink.write(Buffer.from(piece.subarray(left)));
    left = 0;
    await slices.next();
  }
}

/** A twin lacks the separator's first bytes. */
async function writeDeflated(sink: Sink, deflated: Deflated, isSeparated: boolean): Promise<void> {
  if (isSeparated) await sink.write(COMMA);
  await sink.writeDeflated(deflated);
}

const COMMA = Buffer.from(',');

/** What a page shows of one leaf. */
export class Portion {
  readonly isWhole: boolean;
  readonly #leaf: Leaf;
  readonly #indices: readonly number[];
  #begun: EncodedLeaf | Deflated | Promise<EncodedLeaf | Deflated> | undefined;
  #begunDeflated = false;

  constructor(leaf: Leaf, indices: readonly number[]) {
    this.#leaf = leaf;
    this.#indices = indices;
    this.isWhole = indices.length === leaf.count;
  }

  get count(): number {
    return this.#indices.length;
  }

  /** What the leaf's form takes, if that was ever made and all of it can be shown. */
  sizeOf(twins: Twins, form: Form): number | undefined {
    return this.isWhole && !this.isKnownBad(twins, form) ? twins.sizeOf(this.#leaf, form) : undefined;
  }

  /** Every item of the leaf was shown before. */
  isKnownGood(twins: Twins, form: Form): boolean {
    return this.isWhole && twins.problemsOf(this.#leaf, form)?.length === 0;
  }

  /** Not every item of the leaf could be shown before. */
  isKnownBad(twins: Twins, form: Form): boolean {
    return (twins.problemsOf(this.#leaf, form)?.length ?? 0) > 0;
  }

  /** One that fails is reported when it is asked for. */
  begin(twins: Twins, form: Form, deflated: boolean): void {
    if (this.#begun || this.isKnownBad(twins, form)) return;
    this.#begunDeflated = deflated && this.isWhole;
    this.#begun = this.#begunDeflated
      ? twins.deflated(this.#leaf, form)
      : twins.some(this.#leaf, form, this.#indices);
    if (this.#begun instanceof Promise) this.#begun.catch(() => {});
  }

  deflated(twins: Twins, form: Form): Deflated | Promise<Deflated> {
    if (!this.#begun || !this.#begunDeflated) return twins.deflated(this.#leaf, form);
    return this.#begun as Deflated | Promise<Deflated>;
  }

  encoded(twins: Twins, form: Form): EncodedLeaf | Promise<EncodedLeaf> {
    if (!this.#begun || this.#begunDeflated) return twins.some(this.#leaf, form, this.#indices);
    return this.#begun as EncodedLeaf | Promise<EncodedLeaf>;
  }

  *items(): Generator<Uint8Array, void> {
    for (let index = 0; index < this.count; index++) yield this.itemAt(index);
  }

  itemAt(index: number): Uint8Array {
    return this.#leaf.bytesOf(this.#indices[index]!);
  }
}

/** Leaves without a shown item are left out. */
export function* portionsOf({ snapshot, page, selection }: ItemSource): Generator<Portion, void> {
  for (const leaf of pageLeaves(snapshot, page)) {
    const [from, to] = leafRange(leaf, page);
    const shows = selection.all ? () => true : selection.on(leaf);
    const indices: number[] = [];
    for (let i = from; i < to; i++) if (shows(i)) indices.push(i);
    if (indices.length > 0) yield new Portion(leaf, indices);
  }
}
