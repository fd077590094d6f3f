// What the event loop and an encoding thread say to each other.
import type { EncodedLeaf, Form } from './forms.ts';

/** The thread's first message: it can work. */
export const READY = 'ready';

export type EncodingOrder = {
  id: number;
  /** Its key alone when it was handed over before: a definition may be large. */
  form: Form | string;
  /** Forms handed over before are forgotten. */
  forget: boolean;
  /** In shared memory: good until the reply. */
  json: Uint8Array;
  lengths: ArrayLike<number>;
};

/** `error`: something is wrong with us. What is wrong with items is told as the leaf's problems. */
export type EncodingReply = { id: number } & ({ encoded: EncodedLeaf } | { error: string });
