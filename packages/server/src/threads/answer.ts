// Answers requests for single objects: on the event loop where that is little work, else whole in an object thread.
import type { ApiRequest, ResourceTarget, Sendable } from '../api.ts';
import type { Producible, Wishes } from '../negotiation.ts';
import { type DeleteOptions, readDeleteOptions } from '../objects/delete-options.ts';
import { objectRepresentation, wholeAnswer } from '../objects/whole-answer.ts';
import type { Parts } from '../parts.ts';
import type { HandedRequest } from './tasks.ts';
import { isHeavyBody, isSentAsStored, metBytes, READ_MAX_BYTES } from './weight.ts';

/** @throws ApiError */
export async function answerSingle(
  parts: Parts,
  offered: Producible,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<Sendable> {
  if (target.verb === 'get') {
    const bytes = metBytes(parts, target);
    if (
      bytes > READ_MAX_BYTES &&
      !isSentAsStored(parts, target, objectRepresentation(target.kind, wishes, offered))
    ) {
      return inThread(parts, target, request, wishes, NOTHING, bytes);
    }
  }
  try {
    return await wholeAnswer(parts, offered, target, weighed(parts, target, request), wishes);
  } catch (error) {
    if (!(error instanceof HeavyBody)) throw error;
    return inThread(parts, target, request, wishes, error.body, error.bytes);
  }
}

/**
 * The options of a DELETE of a collection; instead of them the answer that refuses them.
 * @throws ApiError
 */
export async function deleteOptionsOf(
  parts: Parts,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
): Promise<DeleteOptions | Sendable> {
  try {
    return await readDeleteOptions(weighed(parts, target, request));
  } catch (error) {
    if (!(error instanceof HeavyBody)) throw error;
    const handed = handedRequest(target, request, wishes, error.body);
    const told = await parts.threads.run('deleteOptions', target.kind, handed, error.bytes);
    return 'answer' in told ? told.answer : told;
  }
}

const NOTHING = new Uint8Array(0);

/** Ends the handler as soon as it has its body: what it did before is done again in the thread. */
class HeavyBody extends Error {
  readonly body: Uint8Array;
  readonly bytes: number;

  constructor(body: Uint8Array, bytes: number) {
    super('the body is handed to a thread');
    this.body = body;
    this.bytes = bytes;
  }
}

function weighed(parts: Parts, target: ResourceTarget, request: ApiRequest): ApiRequest {
  const readBody = async (): Promise<Uint8Array> => {
    const body = await request.readBody();
    const met = metBytes(parts, target);
    if (isHeavyBody(body, request.headers['content-type'], met)) {
      throw new HeavyBody(body, body.length + met);
    }
    return body;
  };
  // A copy would ask for the signal, which costs as much as reading a small body.
  return Object.create(request, { readBody: { value: readBody } });
}

async function inThread(
  parts: Parts,
  target: ResourceTarget,
  request: ApiRequest,
  wishes: Wishes,
  body: Uint8Array,
  bytes: number,
): Promise<Sendable> {
  const handed = handedRequest(target, request, wishes, body);
  const { answer, warnings } = await parts.threads.run('answer', target.kind, handed, bytes);
  for (const warning of warnings) request.warnings.push(warning);
  return answer;
}

function handedRequest(
  { verb, namespace, name, subresource }: ResourceTarget,
  { method, path, query, headers, user, readable }: ApiRequest,
  { accept, userAgent }: Wishes,
  body: Uint8Array,
): HandedRequest {
  return {
    target: { verb, namespace, name, subresource },
    method,
    path,
    rawQuery: query.raw,
    contentType: headers['content-type'],
    accept,
    userAgent,
    user,
    readable,
    body,
  };
}
