// Takes the items out of a list in YAML by its lines: those from one dash to the next, below a line `items:`.
import { CHUNK_BYTES, type Range, readRanges, type Source } from '../source.ts';
import type { Cut } from './cut.ts';

/**
 * undefined: no block mapping with a block sequence `items`. Each item is a sequence of one. Sound since whatever stands in an
 * item is indented deeper than its dash. An item can't repeat what an anchor in another one names.
 */
export function cutYaml(source: Source): Cut | undefined {
  const frame: Range[] = [];
  let count = 0;
  let place = 0;
  for (const { isItem, start, end } of partsOf(source)) {
    if (isItem) count++;
    else frame.push({ start, end });
    if (!isItem && count === 0) place = frame.length;
  }
  if (count === 0) return undefined;
  return {
    frame: Buffer.concat([
      readRanges(source, frame.slice(0, place)),
      EMPTY_ITEMS,
      readRanges(source, frame.slice(place)),
    ]),
    count,
    *items() {
      for (const { isItem, start, end } of partsOf(source)) if (isItem) yield source.read(start, end);
    },
  };
}

const EMPTY_ITEMS = Buffer.from('items: []\n');
const ITEMS_LINE = /^items:[ \t]*(#.*)?$/;
const BLANK_LINE = /^\s*(#.*)?$/;
const DOCUMENT_MARKER = /^(---|\.\.\.)(\s|$)/;
const DASH = /^-(\s|$)/;

type Part = Range & { isItem: boolean };

/** The lines before `items:`, those of each item, the lines behind. */
function* partsOf(source: Source): Generator<Part, void> {
  let place: 'before' | 'items' | 'behind' = 'before';
  let part: Part | undefined;
  /** Of the dashes; -1: not known yet. */
  let indent = -1;
  for (const { start, end, text } of linesOf(source)) {
    if (place === 'before' && ITEMS_LINE.test(text)) {
      if (part) yield part;
      part = undefined;
      place = 'items';
      continue;
    }
    if (place === 'items' && !BLANK_LINE.test(text)) {
      const spaces = text.search(/[^ ]/);
      if (indent < 0) indent = spaces;
      const isItem = spaces === indent && DASH.test(text.slice(spaces)) && !DOCUMENT_MARKER.test(text);
      if (isItem || spaces <= indent) {
        if (part) yield part;
        part = { start, end, isItem };
        place = isItem ? 'items' : 'behind';
      }
    }
    if (place !== 'items') part ??= { start, end, isItem: false };
    if (part) part.end = end;
  }
  if (part) yield part;
}

/** So much of a line tells what it is. */
const LINE_HEAD_BYTES = 256;
const LINE_FEED = 0x0a;

function* linesOf(source: Source): Generator<Range & { text: string }, void> {
  let start = 0;
  let text = '';
  for (let at = 0; at < source.size; ) {
    const chunk = Buffer.from(source.read(at, at + CHUNK_BYTES));
    for (let from = 0; from < chunk.length; ) {
      const found = chunk.indexOf(LINE_FEED, from);
      const stop = found < 0 ? chunk.length : found + 1;
      text += chunk.toString('latin1', from, Math.min(stop, from + LINE_HEAD_BYTES));
      from = stop;
      if (found < 0) continue;
      yield { start, end: at + stop, text: text.replace(/\r?\n$/, '') };
      start = at + stop;
      text = '';
    }
    at += chunk.length;
  }
  if (start < source.size) yield { start, end: source.size, text };
}
