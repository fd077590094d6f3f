// Shared memory that leaves are handed to a thread in, used again and again: fresh memory costs more than the copy into it.

/** A slot starts with room for a usual leaf. */
const FIRST_BYTES = 512 * 1024;
/** Larger ones are made for one leaf and not kept. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** As many slots as leaves that are held at a time. */
export class LeafSlots {
  readonly #free: SharedArrayBuffer[] = [];
  readonly #taken = new Map<number, SharedArrayBuffer>();

  /** What the slots hold, in bytes, those that are taken included. */
  get bytes(): number {
    return [...this.#free, ...this.#taken.values()].reduce((sum, slot) => sum + slot.byteLength, 0);
  }

  /** A copy that stays as it is until it is released. */
  fill(id: number, bytes: Uint8Array): Uint8Array {
    const slot = this.#slotFor(bytes.length);
    this.#taken.set(id, slot);
    const copy = new Uint8Array(slot, 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  release(id: number): void {
    const slot = this.#taken.get(id);
    this.#taken.delete(id);
    if (slot && slot.byteLength <= KEPT_BYTES) this.#free.push(slot);
  }

  /** One that is too small makes place for a larger one. */
  #slotFor(bytes: number): SharedArrayBuffer {
    const found = this.#free.findIndex((slot) => slot.byteLength >= bytes);
    const free = found < 0 ? this.#free.pop() : this.#free.splice(found, 1)[0];
    if (free && free.byteLength >= bytes) return free;
    const room = 2 ** Math.ceil(Math.log2(Math.max(bytes, FIRST_BYTES)));
    return new SharedArrayBuffer(room <= KEPT_BYTES ? room : bytes);
  }
}
