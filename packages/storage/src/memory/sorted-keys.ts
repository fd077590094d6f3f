// Keys in byte order: a list of short sorted runs, so that adding one moves a few hundred others at most.
import type { Key } from '../store.ts';

/** A run is split in two when it gets longer. */
const RUN_LIMIT_KEYS = 512;

export class SortedKeys {
  readonly #runs: Key[][] = [];

  add(key: Key): void {
    const run = this.#runs[Math.max(0, this.#runAfter(key) - 1)];
    if (run === undefined) {
      this.#runs.push([key]);
      return;
    }
    run.splice(placeOf(run, key), 0, key);
    if (run.length > RUN_LIMIT_KEYS) {
      this.#runs.splice(this.#runs.indexOf(run) + 1, 0, run.splice(RUN_LIMIT_KEYS / 2));
    }
  }

  delete(key: Key): void {
    const index = this.#runAfter(key) - 1;
    const run = this.#runs[index];
    if (run === undefined) return;
    const place = placeOf(run, key);
    if (run[place] !== key) return;
    run.splice(place, 1);
    if (run.length === 0) this.#runs.splice(index, 1);
  }

  /** The keys that start with `prefix`, in order. */
  startingWith(prefix: Key): Key[] {
    const found: Key[] = [];
    for (let index = Math.max(0, this.#runAfter(prefix) - 1); index < this.#runs.length; index++) {
      const run = this.#runs[index]!;
      for (let place = placeOf(run, prefix); place < run.length; place++) {
        const key = run[place]!;
        if (!key.startsWith(prefix)) return found;
        found.push(key);
      }
    }
    return found;
  }

  /** The index of the first run whose first key is greater. */
  #runAfter(key: Key): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]![0]! <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Where `key` is, or would be. */
function placeOf(run: readonly Key[], key: Key): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (run[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
