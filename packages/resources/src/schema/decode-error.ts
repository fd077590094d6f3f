// What a client is told when its body can't be read: the message of the 400.
import { goQuote } from '../go-quote.ts';
import { DecodeError } from '../kind.ts';

/** So much of a body is shown. */
const SHOWN_BYTES = 30;

/** @param kind the kind that was expected. */
export function describeDecodeError(error: DecodeError, kind: string, body: Uint8Array): string {
  if (error.complete) return error.message;
  if (error.found !== undefined && error.found.kind !== '') {
    const { kind: found, version } = error.found;
    return `${found} in version ${goQuote(version)} cannot be handled as a ${kind}: ${error.message}`;
  }
  return `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${shown(body)})`;
}

/** Unknown and duplicate fields as the error they are under fieldValidation=Strict. */
export function strictDecodeError(
  strictErrors: readonly string[],
  kind: string,
  version: string,
): DecodeError {
  return new DecodeError(`strict decoding error: ${strictErrors.join(', ')}`, { kind, version });
}

function shown(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, SHOWN_BYTES));
  return start.toString(body[0] === 0x7b ? 'utf8' : 'hex') + (body.length > SHOWN_BYTES ? ' ...' : '');
}
