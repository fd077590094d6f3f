// What the event loop and an object thread say to each other.

import type { MessagePort } from 'node:worker_threads';
import type { Item, StoredDefinition } from '@sluice/cache';
import type { Kind, Status } from '@sluice/resources';
import type { Key, Revision, StoreErrorReason } from '@sluice/storage';
import type { Gates } from '../gates.ts';
import type { NumberRange } from '../objects/address-book.ts';
import type { ObjectWrite } from '../objects/stored-objects.ts';
import type { TaskName } from './tasks.ts';

/** What a thread is started with. */
export type ThreadStart = {
  gates: Gates;
  /** For questions whose answers the thread waits for without a turn of its own loop. */
  questions: MessagePort;
  /** One cell: 1 when the answer lies in the port. */
  answered: Int32Array;
};

/** A kind as it is asked for in the thread. */
export type KindName = Pick<Kind, 'group' | 'version' | 'plural'>;

/** The definition of a custom kind; without its bytes when they were handed over before. */
export type HandedDefinition = { name: string; modRevision: Revision; bytes?: StoredDefinition['bytes'] };

export type Order = {
  id: number;
  task: TaskName;
  input: unknown;
  kind: KindName;
  definition: HandedDefinition | undefined;
  /** Definitions handed over before are forgotten. */
  forget: boolean;
};

export type ToThread = Order | { written: number; result: Written };

export type Written = { revision: Revision | 'again' } | { reason: StoreErrorReason; message: string };

/** `begun`: all orders before it are done or wait for the event loop. */
export type FromThread =
  | 'ready'
  | { begun: number }
  | { write: number; order: ObjectWrite }
  | { done: number; output: unknown }
  | { done: number; status: Status }
  | { done: number; error: string };

/** The thread waits for the answer of those that have one. */
export type Question =
  | { ask: 'revision' }
  | { ask: 'find'; storagePrefix: Key; key: Key }
  | { ask: 'take'; claim: number; number: string }
  | { ask: 'takeAny'; claim: number; range: NumberRange }
  | { tell: 'claim'; claim: number; key: Key }
  | { tell: 'release'; claim: number };

export type QuestionAnswer = { value: Revision | Item | boolean | string | undefined } | { error: string };
