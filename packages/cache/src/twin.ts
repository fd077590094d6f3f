// One twin of a leaf: another form of its bytes, whether it is kept, and what is known of when it is wanted.
import type { Deflated } from '@sluice/encoding';
import type { EncodedLeaf } from './forms.ts';

/** Totals since start, for /metrics and for tests that count. */
export type TwinCounts = { hits: number; made: number; kept: number; evicted: number; bytes: number };

export type TwinValue = Deflated | EncodedLeaf;

export class Twin<Value extends TwinValue = TwinValue> {
  /** Of all twins of its kind. */
  readonly counts: TwinCounts;
  value: Value | undefined = undefined;
  /** Shared by all who ask while it is made. */
  making: Promise<Value> | undefined = undefined;
  /** How long it had been away when somebody asked for what is being made; undefined: nobody has, another twin is made of it. */
  away: number | undefined = undefined;
  /** It belongs to no leaf of the newest state: it is never kept. */
  retired: boolean;
  /** These are TwinRoom's own. */
  slot = -1;
  wantedAt: number = Number.NEGATIVE_INFINITY;
  longestAway = 0;

  constructor(counts: TwinCounts, retired: boolean) {
    this.counts = counts;
    this.retired = retired;
  }
}

/** What a kept twin costs beside its bytes. */
export const TWIN_OVERHEAD_BYTES = 256;

/** What it takes of the budget. */
export function sizeOf(value: TwinValue): number {
  const bytes = 'ends' in value ? encodedSize(value) : value.bytes;
  return bytes + TWIN_OVERHEAD_BYTES;
}

function encodedSize({ bytes, ends, holes }: EncodedLeaf): number {
  const beside = holes ? holes.at.byteLength + holes.times.byteLength : 0;
  return bytes.length + ends.byteLength + beside;
}
