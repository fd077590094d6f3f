// Every refusal kube-apiserver knows besides the 422, one constructor each, in its words.
import { goQuote } from './go-quote.ts';
import { ApiError, type StatusCause, type StatusDetails } from './status.ts';

/** A Kind fits. `plural` may name a subresource too: `pods/binding`. */
export type Resource = { group: string; plural: string };

export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', message);
}

export function unauthorized(): ApiError {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** `why` is all that follows `is forbidden: `. */
export function forbidden(
  resource: Resource,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): ApiError {
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} ${goQuote(name)}`;
  const details = { ...named(resource, name), ...(causes.length > 0 && { causes }) };
  return failure(403, 'Forbidden', `${subject} is forbidden: ${why}`, details);
}

/** Of a path that names no resource. */
export function forbiddenPath(why: string): ApiError {
  return failure(403, 'Forbidden', `forbidden: ${why}`, {});
}

export function notFound(resource: Resource, name: string): ApiError {
  return failure(404, 'NotFound', `${qualified(resource)} ${goQuote(name)} not found`, named(resource, name));
}

/** A path below a served group and version that leads nowhere. */
export function noSuchResource(): ApiError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** A built-in resource without a route for the method. */
export function methodNotAllowed(): ApiError {
  return failure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** A custom resource without the verb; `verb` is empty for a method no verb belongs to. */
export function verbNotSupported(resource: Resource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${goQuote(qualified(resource))}`;
  return failure(405, 'MethodNotAllowed', message, named(resource, ''));
}

/** No clause of Accept can be met. */
export function notAcceptable(mediaTypes: readonly string[]): ApiError {
  return notAcceptableFor(`only the following media types are accepted: ${mediaTypes.join(', ')}`);
}

/** The object can't be had in the form asked for. */
export function notAcceptableFor(message: string): ApiError {
  return failure(406, 'NotAcceptable', message);
}

/** The same of a built-in path's router, which is asked first. */
export function notAcceptableRoute(mediaTypes: readonly string[]): ApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${mediaTypes.join(', ')}`;
  return failure(406, 'NotAcceptable', message, {});
}

export function alreadyExists(resource: Resource, name: string): ApiError {
  return failure(
    409,
    'AlreadyExists',
    `${qualified(resource)} ${goQuote(name)} already exists`,
    named(resource, name),
  );
}

/** A generated name was taken, try after try. */
export function generatedNameTaken(resource: Resource, name: string): ApiError {
  const message = `${qualified(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, { ...named(resource, name), retryAfterSeconds: 1 });
}

export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(resource: Resource, name: string, why: string = MODIFIED): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} ${goQuote(name)}: ${why}`;
  return failure(409, 'Conflict', message, named(resource, name));
}

/** Server-side apply met fields that others own. */
export function applyConflict(message: string, causes: readonly StatusCause[]): ApiError {
  return failure(409, 'Conflict', message, { causes });
}

/** 410: the revision asked for is forgotten. `continueToken` lets a list go on at a newer one. */
export function expired(message: string, continueToken = ''): ApiError {
  return new ApiError({ status: 'Failure', message, reason: 'Expired', code: 410, continueToken });
}

export function listTooOld(): ApiError {
  return expired('The resourceVersion for the provided list is too old.');
}

export function continueTooOld(continueToken: string): ApiError {
  const start =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter';
  if (continueToken === '') return expired(`${start}.`);
  return expired(
    `${start}, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
    continueToken,
  );
}

/** A watch's ERROR event. Events have no watch cache in the reference and say it in other words: without revisions. */
export function watchTooOld(asked: bigint, oldest: bigint | undefined): ApiError {
  if (oldest === undefined) return expired('The resourceVersion for the provided watch is too old.');
  return expired(`too old resource version: ${asked} (${oldest})`);
}

export function tooLarge(detail: string): ApiError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${detail}`);
}

export function unsupportedMediaType(mediaTypes: readonly string[]): ApiError {
  const accepted = mediaTypes.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** The same of a built-in path's router, which knows the patch types. */
export function unsupportedMediaTypeRoute(): ApiError {
  return failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** 422 without a word on what is wrong: a JSON patch that can't be applied. */
export function unprocessable(): ApiError {
  return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return failure(429, 'TooManyRequests', message, { retryAfterSeconds });
}

export function internalError(message: string): ApiError {
  const details = { causes: [{ message }] };
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, details);
}

/** What the reference lets escape without a reason, such as a watch from resourceVersion=abc. */
export function plainError(message: string): ApiError {
  return new ApiError({ status: 'Failure', message, code: 500 });
}

/** The store can't be reached now. */
export function serverTimeout(resource: Resource, operation: string): ApiError {
  const message = `The ${operation} operation against ${qualified(resource)} could not be completed at this time, please try again.`;
  return failure(500, 'ServerTimeout', message, { ...named(resource, operation), retryAfterSeconds: 2 });
}

export function serviceUnavailable(message: string, retryAfterSeconds = 0): ApiError {
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : undefined;
  return failure(503, 'ServiceUnavailable', message, details);
}

export function timeout(message = 'request did not complete within the allotted timeout'): ApiError {
  return failure(504, 'Timeout', `Timeout: ${message}`, {});
}

/** The reference's watch cache asks to try again after a second; its store (events) doesn't. */
export function futureRevision(asked: bigint, current: bigint, retryAfterSeconds = 1): ApiError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return failure(504, 'Timeout', message, { causes, retryAfterSeconds });
}

/** `deployments.apps`, `pods`. */
export function qualified(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

function named(resource: Resource, name: string): StatusDetails {
  return { name, group: resource.group, kind: resource.plural };
}

function failure(code: number, reason: string, message: string, details?: StatusDetails): ApiError {
  return new ApiError({ status: 'Failure', message, reason, ...(details && { details }), code });
}
