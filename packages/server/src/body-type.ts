// What a request's body is written in, by its Content-Type: objects' encodings and the four kinds of patches.
import { type Kind, unsupportedMediaType, unsupportedMediaTypeRoute } from '@sluice/resources';
import { trimSpaces } from './accept.ts';
import type { Gates } from './gates.ts';
import { type Encoding, mediaTypes } from './negotiation.ts';

export type BodyEncoding = Encoding;

/** What objects may be written in. An encoding that is added gets its word here; until then it is a 415. */
const READABLE: readonly BodyEncoding[] = ['json', 'yaml', 'protobuf', 'cbor'];

export function readable(gates: Gates): readonly BodyEncoding[] {
  return gates.CBORServingAndStorage ? READABLE : READABLE.filter((encoding) => encoding !== 'cbor');
}

const BODY_ENCODINGS: Readonly<Record<string, BodyEncoding>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
  'application/cbor': 'cbor',
};

/**
 * Of an object. No Content-Type means JSON; parameters and case don't matter. Custom resources have no Protobuf form,
 * which their refusal names all the same.
 * @throws ApiError 415
 */
export function readBodyEncoding(
  contentType: string | undefined,
  readable: readonly BodyEncoding[],
  isCustom = false,
): BodyEncoding {
  if (contentType === undefined || contentType === '') return 'json';
  const encoding = BODY_ENCODINGS[parseMediaType(contentType) ?? ''];
  if (encoding !== undefined && readable.includes(encoding) && !(isCustom && encoding === 'protobuf'))
    return encoding;
  throw unsupportedMediaType(mediaTypes((one) => readable.includes(one)));
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/**
 * Of a patch, compared to the letter. Comes before Accept is looked at. A built-in path's router looks first and cuts
 * spaces that the handler behind it doesn't.
 * @throws ApiError 415
 */
export function readPatchType(contentType: string | undefined, kind: Kind): PatchType {
  const accepted = Object.keys(PATCH_TYPES).filter(
    (type) => !kind.custom || PATCH_TYPES[type] !== 'strategic',
  );
  const [mediaType = ''] = (contentType ?? '').split(';');
  if (!kind.custom && !accepted.includes(trimSpaces(mediaType))) throw unsupportedMediaTypeRoute();
  const patchType = accepted.includes(mediaType) ? PATCH_TYPES[mediaType] : undefined;
  if (patchType === undefined) throw unsupportedMediaType(accepted);
  return patchType;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = `\\s*;\\s*${TOKEN}\\s*=\\s*(?:${TOKEN}|"(?:[^"\\\\\\r\\n]|\\\\.)*")`;
const MEDIA_TYPE = new RegExp(`^(${TOKEN}(?:/${TOKEN})?)(?:${PARAMETER})*(?:\\s*;)?$`);

/** As Go's mime.ParseMediaType: in lower case, without its parameters, which must be well formed all the same. */
export function parseMediaType(text: string): string | null {
  return MEDIA_TYPE.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}
