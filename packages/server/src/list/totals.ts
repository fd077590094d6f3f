// What an encoding must know of all items before a list's first byte: how many, how many bytes, whether all can be shown.
import { type Form, leadBytes, runOf } from '@sluice/cache';
import { yamlItemProblem } from '@sluice/encoding';
import { plainError } from '@sluice/resources';
import type { Totals } from './around.ts';
import { type ItemSource, withAhead } from './body.ts';
import { LEAVES_AHEAD, type Portion, portionsOf } from './form-body.ts';
import type { ListShape } from './shape.ts';
import { openSlices } from './slices.ts';

/**
 * Sizes come from the twins: where a leaf was never made in this form it is made here, and again when it is written if
 * there was no room to keep it.
 * @throws ApiError 500 for an item that can't be shown, while it can still be said
 */
export async function measure(source: ItemSource, form: Form, needs: ListShape['needs']): Promise<Totals> {
  const totals = { count: 0, bytes: 0 };
  if (needs === 'nothing') return totals;
  const slices = openSlices();
  for (const [portion, ahead] of withAhead(portionsOf(source), LEAVES_AHEAD)) {
    totals.count += portion.count;
    if (needs === 'bytes') {
      for (const next of ahead) beginSizing(next, source, form);
      totals.bytes += await sizeOf(portion, source, form);
    }
    if (needs === 'problems') ensureShown(portion, source, form);
    await slices.next();
  }
  return totals;
}

function beginSizing(portion: Portion, { twins }: ItemSource, form: Form): void {
  if (portion.sizeOf(twins, form) === undefined) portion.begin(twins, form, false);
}

async function sizeOf(portion: Portion, { twins }: ItemSource, form: Form): Promise<number> {
  const known = portion.sizeOf(twins, form);
  if (known !== undefined) return known;
  const encoded = await portion.encoded(twins, form);
  return runOf(encoded, 0, encoded.ends.length).length;
}

/** Known since a leaf was made; before, asked of the stored bytes, which is far quicker than making it. */
function ensureShown(portion: Portion, { twins }: ItemSource, form: Form): void {
  if (portion.isKnownGood(twins, form)) return;
  for (let i = 0; i < portion.count; i++) {
    const problem = yamlItemProblem(portion.itemAt(i));
    if (problem !== undefined) throw plainError(problem);
  }
}

/** The body's length if every leaf's size is known already; undefined: it would have to be made first, or depends on ages. */
export function knownBytes(source: ItemSource, form: Form): number | undefined {
  let bytes = 0;
  for (const portion of portionsOf(source)) {
    const size = portion.sizeOf(source.twins, form);
    if (size === undefined) return undefined;
    bytes += size;
  }
  return bytes === 0 ? 0 : bytes - leadBytes(form);
}
