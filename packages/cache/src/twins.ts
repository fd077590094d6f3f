// Twins: leaves' other forms and what they deflate to, made off the event loop when first asked for, kept within one byte budget.
//
//   leaf ─┬─ JSON ──────────────── deflated ─┐
//         ├─ pretty ─── encoded ── deflated ─┼─▶ TwinRoom: one budget for all
//         └─ …                               ┘
//             threads ──┘   pool ──┘
import { type Deflated, deflate } from '@sluice/encoding';
import { sum } from './columns.ts';
import { EncodingWorkers, type LeafEncoder } from './encoding-workers.ts';
import { type EncodedLeaf, type Form, type ItemProblem, isDeflatable, leadBytes, runOf } from './forms.ts';
import type { Leaf } from './leaf.ts';
import { eachTwin, type FormTwins, type LeafTwins, type TwinKind } from './leaf-twins.ts';
import { joinedItems, pickedItems } from './picked.ts';
import { Twin, type TwinCounts, type TwinValue } from './twin.ts';
import { TwinRoom } from './twin-room.ts';

/** Leaves being deflated at a time, over all lists: bounds what waits for the pool, at a leaf's size each. */
export const DEFLATING_MAX = 6;
/** Items that are more than this share of a leaf's bytes are made with the others, and kept. */
const MOST_SHARE = 0.5;
/** Forms a leaf remembers; the oldest goes. A custom kind whose definition changes has new forms each time. */
export const FORMS_PER_LEAF_MAX = 32;

export type Deflate = (bytes: Uint8Array) => Promise<Deflated>;

/** Who makes twins. */
export type TwinMakers = { deflate?: Deflate; encoder?: LeafEncoder };

export class Twins {
  readonly budgetBytes: number;
  readonly #room: TwinRoom;
  readonly #deflate: Deflate;
  readonly #encoder: LeafEncoder;
  readonly #counts = new Map<TwinKind, TwinCounts>();
  #deflating = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(budgetBytes: number, makers: TwinMakers = {}) {
    this.budgetBytes = budgetBytes;
    this.#room = new TwinRoom(budgetBytes);
    this.#deflate = makers.deflate ?? deflate;
    this.#encoder = makers.encoder ?? new EncodingWorkers();
  }

  /** Of all kinds together. */
  get counts(): TwinCounts {
    const total = noCounts();
    for (const counts of this.#counts.values()) {
      for (const name of Object.keys(total) as (keyof TwinCounts)[]) total[name] += counts[name];
    }
    return total;
  }

  /** Of each kind that was asked for. */
  get countsByKind(): ReadonlyMap<TwinKind, Readonly<TwinCounts>> {
    return this.#counts;
  }

  /**
   * The leaf's items in a form, as they follow each other in a list. Those who ask while it is made share one making.
   * Rows have holes for their ages, which filled() is for.
   */
  encoded(leaf: Leaf, form: Form): EncodedLeaf | Promise<EncodedLeaf> {
    const twins = this.#formTwins(leaf, form);
    return this.#get(twins.encoded, () => this.#encode(leaf, form, twins));
  }

  /** The same of some items alone, by their indices: cut out of the twin where there is one, or where they are most of the leaf. */
  some(leaf: Leaf, form: Form, indices: readonly number[]): EncodedLeaf | Promise<EncodedLeaf> {
    if (indices.length === leaf.count) return this.encoded(leaf, form);
    const bytes = sum(indices.map((index) => leaf.lengthOf(index)));
    const isMost = bytes > leaf.bytes * MOST_SHARE;
    if (!isMost && !leaf.twins?.forms.get(form.key)?.encoded.value) {
      return this.#encoder.encode(form, joinedItems(leaf, indices));
    }
    const whole = this.encoded(leaf, form);
    if (!(whole instanceof Promise)) return pickedItems(whole, indices);
    return whole.then((encoded) => pickedItems(encoded, indices));
  }

  /**
   * The deflated form of all but the first comma: of `leaf.join()`, or of the leaf in a form. Those who ask while it is
   * made share one making. Rejects with FormError when an item can't be shown.
   */
  deflated(leaf: Leaf, form?: Form): Deflated | Promise<Deflated> {
    if (!form) {
      return this.#get(this.#of(leaf).deflated, () => this.#pooled(() => leaf.join().subarray(1)));
    }
    if (!isDeflatable(form)) throw new TypeError('rows differ from list to list');
    const twins = this.#formTwins(leaf, form);
    return this.#get(twins.deflated, () => this.#deflateForm(leaf, form, twins));
  }

  /** Bytes of all items in a form, separators included. Undefined: it was never made, or they depend on ages. */
  sizeOf(leaf: Leaf, form?: Form): number | undefined {
    return form ? leaf.twins?.forms.get(form.key)?.known?.bytes : leaf.bytes + leaf.count;
  }

  /** Items that can't be shown in a form. Undefined: it was never made. */
  problemsOf(leaf: Leaf, form: Form): readonly ItemProblem[] | undefined {
    return leaf.twins?.forms.get(form.key)?.known?.problems;
  }

  /** The leaf is not part of the newest state: its twins make room for others, and none is kept again. */
  retire(leaf: Leaf): void {
    leaf.retired = true;
    if (leaf.twins) for (const twin of eachTwin(leaf.twins)) this.#retire(twin);
  }

  /** Starts what makes twins ahead of the first that is asked for: it takes longer than a leaf does. */
  prepare(): void {
    this.#encoder.prepare();
  }

  /** Ends what makes twins. Those that are being made, and asked for later, reject; deflating goes on. */
  close(): void {
    this.#encoder.close();
  }

  #get<Value extends TwinValue>(twin: Twin<Value>, make: () => Promise<Value>): Value | Promise<Value> {
    const away = this.#room.want(twin);
    if (twin.value) {
      twin.counts.hits++;
      return twin.value;
    }
    twin.away ??= away;
    return this.#making(twin, make);
  }

  #making<Value extends TwinValue>(twin: Twin<Value>, make: () => Promise<Value>): Promise<Value> {
    twin.making ??= this.#make(twin, make);
    // One who asked may be gone before it is made; a failure is for those who are still there.
    twin.making.catch(() => undefined);
    return twin.making;
  }

  async #make<Value extends TwinValue>(twin: Twin<Value>, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await make();
      twin.counts.made++;
      if (twin.away !== undefined) this.#room.keep(twin, value, twin.away);
      return value;
    } finally {
      twin.making = undefined;
      twin.away = undefined;
    }
  }

  async #encode(leaf: Leaf, form: Form, twins: FormTwins): Promise<EncodedLeaf> {
    const encoded = await this.#encoder.encode(form, { json: leaf.join(), lengths: leaf.lengths });
    const { bytes, problems, holes } = encoded;
    twins.known = { bytes: holes ? undefined : bytes.length, problems };
    return encoded;
  }

  /** Readers of deflated twins don't look at the encoded one: made for this alone it isn't kept, and it isn't wanted. */
  async #deflateForm(leaf: Leaf, form: Form, twins: FormTwins): Promise<Deflated> {
    const { encoded } = twins;
    const { value = await this.#making(encoded, () => this.#encode(leaf, form, twins)) } = encoded;
    const bytes = runOf(value, 0, leaf.count);
    return this.#pooled(() => bytes.subarray(leadBytes(form)));
  }

  async #pooled(bytes: () => Uint8Array): Promise<Deflated> {
    if (this.#deflating < DEFLATING_MAX) this.#deflating++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#deflate(bytes());
    } finally {
      // Whoever waits takes over this one's place; it is never free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#deflating--;
    }
  }

  #retire(twin: Twin): void {
    twin.retired = true;
    this.#room.drop(twin);
  }

  #of(leaf: Leaf): LeafTwins {
    leaf.twins ??= { deflated: this.#twin(leaf, 'deflated json'), forms: new Map() };
    return leaf.twins;
  }

  #formTwins(leaf: Leaf, form: Form): FormTwins {
    const { forms } = this.#of(leaf);
    let twins = forms.get(form.key);
    if (!twins) {
      twins = {
        encoded: this.#twin(leaf, form.encoding),
        deflated: this.#twin(leaf, `deflated ${form.encoding}`),
        known: undefined,
      };
      if (forms.size >= FORMS_PER_LEAF_MAX) this.#forgetOldest(forms);
      forms.set(form.key, twins);
    }
    return twins;
  }

  #forgetOldest(forms: Map<string, FormTwins>): void {
    for (const [key, { encoded, deflated }] of forms) {
      forms.delete(key);
      this.#retire(encoded);
      this.#retire(deflated);
      return;
    }
  }

  #twin<Value extends TwinValue>(leaf: Leaf, kind: TwinKind): Twin<Value> {
    let counts = this.#counts.get(kind);
    if (!counts) {
      counts = noCounts();
      this.#counts.set(kind, counts);
    }
    return new Twin<Value>(counts, leaf.retired);
  }
}

function noCounts(): TwinCounts {
  return { hits: 0, made: 0, kept: 0, evicted: 0, bytes: 0 };
}
