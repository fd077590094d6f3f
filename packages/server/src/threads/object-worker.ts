// What an object thread runs: it is handed tasks, asks the event loop for what is stored, and hands back what came out.
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError, customKinds, type Kind, noSuchResource, openKinds } from '@sluice/resources';
import type { Revision } from '@sluice/storage';
import type { ObjectParts } from '../parts.ts';
import { openAskedObjects } from './asked-objects.ts';
import type { FromThread, Order, ThreadStart, ToThread } from './orders.ts';
import { TASKS } from './tasks.ts';

const start: ThreadStart = workerData;
const asked = openAskedObjects(start);
const kinds = openKinds();
const parts: ObjectParts = { objects: asked.objects, kinds, gates: start.gates, now: () => new Date() };
/** The definitions whose kinds are known. */
const defined = new Map<string, Revision>();

parentPort?.on('message', (message: ToThread) => {
  if ('written' in message) asked.settle(message.written, message.result);
  else void run(message);
});

say('ready');

async function run(order: Order): Promise<void> {
  const { id } = order;
  say({ begun: id });
  try {
    const task = TASKS[order.task] as (parts: ObjectParts, kind: Kind, input: unknown) => Promise<unknown>;
    const output = owned(await task(parts, kindOf(order), order.input));
    say({ done: id, output }, buffersOf(output));
  } catch (error) {
    if (error instanceof ApiError) say({ done: id, status: error.status });
    else say({ done: id, error: String((error as Error)?.stack ?? error) });
  }
}

/** @throws ApiError 404 when its definition has gone. */
function kindOf({ kind, definition, forget }: Order): Kind {
  if (forget) {
    for (const name of defined.keys()) kinds.removeCustom(name);
    defined.clear();
  }
  if (definition?.bytes && defined.get(definition.name) !== definition.modRevision) {
    const { codec } = kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;
    kinds.setCustom(definition.name, customKinds(codec.read(definition.bytes)));
    defined.set(definition.name, definition.modRevision);
  }
  const found = kinds.find(kind.group, kind.version, kind.plural);
  if (!found) throw noSuchResource();
  return found;
}

/** Bytes of an output in buffers of their own: handed over without a copy, and nothing else with them. */
function owned(output: unknown): unknown {
  if (output instanceof Uint8Array) return ownBytes(output);
  if (!isAnswer(output)) return output;
  return { ...output, answer: { ...output.answer, body: ownBytes(output.answer.body) } };
}

function buffersOf(output: unknown): ArrayBuffer[] {
  const bytes = output instanceof Uint8Array ? output : isAnswer(output) ? output.answer.body : undefined;
  return bytes ? [bytes.buffer as ArrayBuffer] : [];
}

function isAnswer(output: unknown): output is { answer: { body: Uint8Array } } {
  return typeof output === 'object' && output !== null && 'answer' in output;
}

function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

function say(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort!.postMessage(message, transfer);
}
