// What an object thread can do: the handlers of the event loop, for objects that are too large for it.
import { ApiError, type Include, type Kind } from '@sluice/resources';
import type { ApiRequest, ResourceTarget, User, WholeAnswer } from '../api.ts';
import type { BodyEncoding } from '../body-type.ts';
import { shownForm } from '../list/form.ts';
import { producible, type Representation, type Wishes } from '../negotiation.ts';
import { type DefinitionUpdate, updateDefinition } from '../objects/definition-update.ts';
import { deleteKey } from '../objects/delete.ts';
import { type DeleteOptions, readDeleteOptions } from '../objects/delete-options.ts';
import { releaseNamespace } from '../objects/namespace-release.ts';
import { wholeAnswer } from '../objects/whole-answer.ts';
import type { ObjectParts } from '../parts.ts';
import { parseQuery } from '../query.ts';
import { errorAnswer } from '../representation/error-answer.ts';
import { EventFrames, type EventType } from '../watch/frames.ts';

/** A request whose body was read. */
export type HandedRequest = {
  target: Omit<ResourceTarget, 'kind'>;
  method: string;
  path: string;
  rawQuery: string;
  contentType: string | undefined;
  accept: string | undefined;
  userAgent: string | undefined;
  user: User;
  readable: readonly BodyEncoding[];
  body: Uint8Array;
};

/** What an answer is made of, errors included. `body` has its buffer to itself. */
export type HandedAnswer = { answer: WholeAnswer; warnings: readonly string[] };

export type HandedEvent = {
  type: EventType;
  item: Uint8Array;
  /** Of the deletion that is told. */
  revision: bigint | undefined;
  representation: Representation;
  include: Include;
  hasColumns: boolean;
};

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[2];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;

/** Each may throw an ApiError, which the event loop is told. */
export const TASKS: {
  answer(parts: ObjectParts, kind: Kind, input: HandedRequest): Promise<HandedAnswer>;
  deleteOptions(parts: ObjectParts, kind: Kind, input: HandedRequest): Promise<DeleteOptions | HandedAnswer>;
  deleteKey(parts: ObjectParts, kind: Kind, input: { key: string; options: DeleteOptions }): Promise<void>;
  releaseNamespace(parts: ObjectParts, kind: Kind, input: { name: string }): Promise<void>;
  updateDefinition(parts: ObjectParts, kind: Kind, input: DefinitionUpdate): Promise<void>;
  event(parts: ObjectParts, kind: Kind, input: HandedEvent): Promise<Uint8Array>;
} = {
  async answer(parts, kind, input) {
    const { request, wishes } = requestOf(input);
    const offered = producible(parts.gates);
    try {
      const answer = await wholeAnswer(parts, offered, { ...input.target, kind }, request, wishes);
      if (answer.type !== 'whole') throw new Error('a single object is no stream');
      return { answer, warnings: request.warnings };
    } catch (error) {
      return { answer: errorAnswer(error, wishes, offered), warnings: request.warnings };
    }
  },
  async deleteOptions(parts, _kind, input) {
    const { request, wishes } = requestOf(input);
    try {
      return await readDeleteOptions(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { answer: errorAnswer(error, wishes, producible(parts.gates)), warnings: request.warnings };
    }
  },
  deleteKey: (parts, kind, { key, options }) => deleteKey(parts, kind, key, options),
  releaseNamespace: (parts, kind, { name }) => releaseNamespace(parts, kind, name),
  updateDefinition,
  async event(parts, kind, { type, item, revision, hasColumns, ...shown }) {
    const frames = new EventFrames(
      kind,
      { ...shown, now: parts.now, form: shownForm(parts, kind) },
      hasColumns,
    );
    return Buffer.concat(frames.event(type, item, revision));
  },
};

function requestOf(input: HandedRequest): { request: ApiRequest; wishes: Wishes } {
  const query = parseQuery(input.rawQuery);
  const { method, path, user, readable, contentType, accept, userAgent, body } = input;
  const request: ApiRequest = {
    method,
    path,
    query,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    user,
    readable,
    readBody: async () => body,
    signal: new AbortController().signal,
    warnings: [],
  };
  return { request, wishes: { accept, userAgent, query } };
}
