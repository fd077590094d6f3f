// The state a watch begins with: ADDED events of all that its selectors show, from the leaves that lists are made of.
import { type Form, formOf, type Snapshot, type View } from '@sluice/cache';
import type { Kind, MetaVersion } from '@sluice/resources';
import type { Sink } from '../api.ts';
import { definitionOf } from '../list/definition.ts';
import { writeForm } from '../list/form-body.ts';
import { openSelection } from '../list/selection.ts';
import type { ListOptions } from '../list-options.ts';
import type { Representation } from '../negotiation.ts';
import type { Parts } from '../parts.ts';

/**
 * The form whose items are such events, kept with the leaf and deflated once as lists' forms are. Undefined where framing
 * stored bytes is all there is to do, and for Tables, whose first row alone has columns.
 */
export function stateForm(
  parts: Parts,
  kind: Kind,
  { encoding, as }: Representation,
  isCompressed: boolean,
): Form | undefined {
  const view = viewOf(as);
  if (view === undefined || encoding === 'yaml') return undefined;
  const form = formOf(kind, view, `${encoding}-event`, () => definitionOf(parts, kind)!);
  const isCopied =
    encoding === 'json' && formOf(kind, view, encoding, () => definitionOf(parts, kind)!) === undefined;
  return isCopied && !isCompressed ? undefined : form;
}

function viewOf(as: Representation['as']): View | undefined {
  if (as === null) return { shows: 'object' };
  if (as.kind !== 'PartialObjectMetadata') return undefined;
  return { shows: 'metadata', version: as.version as MetaVersion };
}

/** All of the snapshot below the prefix. */
export function writeState(
  sink: Sink,
  parts: Parts,
  kind: Kind,
  options: ListOptions,
  { snapshot, prefix, form }: { snapshot: Snapshot; prefix: string; form: Form },
): Promise<void> {
  const page = {
    prefix,
    start: prefix,
    end: undefined,
    count: undefined,
    bytes: undefined,
    continueToken: '',
    remainingItemCount: undefined,
  };
  const selection = openSelection(parts, kind, options);
  const source = { snapshot, page, selection, twins: parts.cache.twins, nowMs: parts.now().getTime() };
  return writeForm(sink, source, form, NOTHING_AROUND, NO_TOTALS);
}

const NONE = new Uint8Array();
const NOTHING_AROUND = { head: () => NONE, tail: NONE, empty: NONE };
/** Events need none of them. */
const NO_TOTALS = { count: 0, bytes: 0 };
