// Snapshots that pages still need, of all resources, within limits of time, number and bytes.
//
// A snapshot is free while its leaves are those of the newest root. What keeping costs is what was replaced since:
//
//   replaced   0 ──────── 40 MB ─────────────── 90 MB      of one resource, as time goes
//              ▲ kept     ▲ kept                ▲ now      the older holds 90 MB, the younger shares 50 MB of them
import type { Key, Revision } from '@sluice/storage';
import type { RootSnapshot } from './snapshot.ts';

/** How long a walk of pages may take between two pages. */
export const SNAPSHOT_KEPT_MS: number = 5 * 60_000;
export const SNAPSHOTS_KEPT_MAX = 1000;
/** Bytes of leaves that only kept snapshots hold. */
export const SNAPSHOTS_KEPT_BYTES: number = 256 * 1024 * 1024;

/** The resource a snapshot is of, as far as keeping goes. */
export type Line = { readonly prefix: Key; readonly replacedBytes: number };

type Kept = { line: Line; snapshot: RootSnapshot; untilMs: number };

export class KeptSnapshots {
  readonly #now: () => number;
  readonly #limitBytes: number;
  /** The one that was kept or asked for longest ago comes first. */
  readonly #kept = new Map<string, Kept>();
  /** At least what they cost: what is shared may be counted twice until it is counted anew. */
  #bytes = 0;

  constructor(now: () => number, limitBytes: number = SNAPSHOTS_KEPT_BYTES) {
    this.#now = now;
    this.#limitBytes = limitBytes;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** What leaves cost that only kept snapshots hold, at the most. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps the snapshot, or keeps it longer. */
  keep(line: Line, snapshot: RootSnapshot): void {
    const name = nameOf(line, snapshot.revision);
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    this.#kept.set(name, { line, snapshot, untilMs: this.#now() + SNAPSHOT_KEPT_MS });
    if (kept?.snapshot !== snapshot) this.#bytes += costOf(line, snapshot);
    this.letGo();
  }

  find(line: Line, revision: Revision): RootSnapshot | undefined {
    this.letGo();
    return this.#kept.get(nameOf(line, revision))?.snapshot;
  }

  /** The resource replaced leaves, which now only kept snapshots hold. */
  replaced(bytes: number): void {
    if (this.#kept.size === 0) return;
    this.#bytes += bytes;
    if (this.#bytes > this.#limitBytes) this.#letCostlyGo();
  }

  /** Lets go of those whose time is over, and of what is above the limits. */
  letGo(): void {
    const now = this.#now();
    for (const [name, { untilMs }] of this.#kept) {
      if (untilMs > now && this.#kept.size <= SNAPSHOTS_KEPT_MAX) break;
      this.#kept.delete(name);
    }
    if (this.#kept.size === 0) this.#bytes = 0;
    if (this.#bytes > this.#limitBytes) this.#letCostlyGo();
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #letCostlyGo(): void {
    this.#bytes = this.#cost();
    if (this.#bytes <= this.#limitBytes) return;
    const costliestFirst = [...this.#kept].sort(
      ([, a], [, b]) => costOf(b.line, b.snapshot) - costOf(a.line, a.snapshot),
    );
    for (const [name] of costliestFirst) {
      if (this.#bytes <= this.#limitBytes) return;
      this.#kept.delete(name);
      this.#bytes = this.#cost();
    }
  }

  /** What was replaced since the oldest of each resource, and what undone roots have of their own. */
  #cost(): number {
    const since = new Map<Line, number>();
    let bytes = 0;
    for (const { line, snapshot } of this.#kept.values()) {
      bytes += snapshot.cost.ownBytes;
      since.set(line, Math.max(since.get(line) ?? 0, line.replacedBytes - snapshot.cost.replacedBefore));
    }
    for (const replaced of since.values()) bytes += replaced;
    return bytes;
  }
}

function costOf(line: Line, { cost }: RootSnapshot): number {
  return cost.ownBytes + line.replacedBytes - cost.replacedBefore;
}

function nameOf(line: Line, revision: Revision): string {
  return `${revision}${line.prefix}`;
}
