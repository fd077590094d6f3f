// Which work is too much for one turn of the event loop. Measured with `npm run turns 15500 500`: below these limits all stays
// under 20 ms, the first of its sort that a server reads as well.
import type { Kind } from '@sluice/resources';
import type { ResourceTarget } from '../api.ts';
import { parseMediaType } from '../body-type.ts';
import { objectKey } from '../keys.ts';
import { definitionOf } from '../list/definition.ts';
import { shownForm } from '../list/form.ts';
import type { Representation } from '../negotiation.ts';
import type { Parts } from '../parts.ts';

/** A body, weighed, and the object it meets, together. The worst make a hundred bytes of each of theirs. */
export const WRITE_MAX_BYTES: number = 16 * 1024;
/** An object that is shown in another form than it is stored in. */
export const READ_MAX_BYTES: number = 64 * 1024;
/** A definition whose schema is made ready. */
const DEFINITION_MAX_BYTES = 64 * 1024;

/** What an object in a JSON body costs, in bytes: an empty one may be filled with a dozen defaults. */
const OBJECT_WEIGHT = 8;
/** A member or an element: each may have a problem of its own, told in a hundred bytes. */
const MEMBER_WEIGHT = 4;
/** What reading a byte costs, beside one of JSON. */
const BODY_WEIGHTS: Readonly<Record<string, number>> = {
  'application/cbor': 2,
  'application/yaml': 4,
  'application/vnd.kubernetes.protobuf': 4,
};

/** `metBytes`: of the object that the body meets. */
export function isHeavyBody(body: Uint8Array, contentType: string | undefined, metBytes: number): boolean {
  const mediaType = parseMediaType(contentType ?? '') ?? '';
  const weight = body.length * (BODY_WEIGHTS[mediaType] ?? 1) + metBytes;
  if (weight > WRITE_MAX_BYTES || body.length === 0) return weight > WRITE_MAX_BYTES;
  return weight + structureWeight(body) > WRITE_MAX_BYTES || isGrowing(body, mediaType);
}

const BRACE = 0x7b;
const COMMA = 0x2c;

function structureWeight(body: Uint8Array): number {
  let weight = 0;
  for (const byte of body) {
    if (byte === BRACE) weight += OBJECT_WEIGHT;
    else if (byte === COMMA) weight += MEMBER_WEIGHT;
  }
  return weight;
}

/** A few bytes that can stand for many: aliases, and operations that copy; spelled with escapes they can't be told. */
function isGrowing(bytes: Uint8Array, mediaType: string): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (mediaType === 'application/yaml') return body.includes('*');
  return mediaType === 'application/json-patch+json' && (body.includes('copy') || body.includes('\\'));
}

/** Bytes of the object that a request is for, 0 if there is none, and of its kind's definition if that is large. */
export function metBytes(parts: Parts, { kind, namespace, name }: ResourceTarget): number {
  const found =
    name === '' || kind.storagePrefix === ''
      ? undefined
      : parts.objects.find(kind.storagePrefix, objectKey(kind, namespace, name));
  return (found?.bytes.length ?? 0) + largeDefinitionBytes(parts, kind);
}

function largeDefinitionBytes(parts: Parts, kind: Kind): number {
  const bytes = kind.custom ? (definitionOf(parts, kind)?.bytes.length ?? 0) : 0;
  return bytes > DEFINITION_MAX_BYTES ? bytes : 0;
}

/** Without a look at the object's bytes, however many there are. */
export function isSentAsStored(
  parts: Parts,
  { kind, subresource }: ResourceTarget,
  { encoding, pretty, as }: Representation,
): boolean {
  const isJson = encoding === 'json' && !pretty && as === null;
  return isJson && subresource !== 'scale' && shownForm(parts, kind) === undefined;
}
