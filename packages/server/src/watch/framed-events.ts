// Events as they are framed, kept for a moment: all watchers in one form are told of a change by the same bytes.

/** Watchers take a change in the same turn, or soon after: older ones make it anew. */
const KEPT_BYTES = 4 * 1024 * 1024;

type Pieces = readonly Uint8Array[];
type Kept = { of: Map<string, Pieces>; shown: string; bytes: number };

export class FramedEvents {
  readonly #byItem = new WeakMap<Uint8Array, Map<string, Pieces>>();
  readonly #kept = new Set<Kept>();
  #bytes = 0;
  /** Events that were framed, not shared. */
  made = 0;

  /**
   * @param item of the change: the same array for all that are told of it.
   * @param shown the same for events that have the same bytes.
   */
  of(item: Uint8Array, shown: string, make: () => Pieces): Pieces {
    let events = this.#byItem.get(item);
    if (events === undefined) {
      events = new Map();
      this.#byItem.set(item, events);
    }
    const known = events.get(shown);
    if (known !== undefined) return known;
    const pieces = make();
    this.made++;
    events.set(shown, pieces);
    this.#keep({ of: events, shown, bytes: pieces.reduce((sum, { length }) => sum + length, 0) });
    return pieces;
  }

  #keep(event: Kept): void {
    this.#kept.add(event);
    this.#bytes += event.bytes;
    for (const oldest of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#bytes -= oldest.bytes;
      oldest.of.delete(oldest.shown);
    }
  }
}
