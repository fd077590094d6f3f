// What a request's body is written in, by its Content-Type: objects' encodings and the four kinds of patches.
import { type Kind, unsupportedMediaType, unsupportedMediaTypeRoute } from '@sluice/resources';
import { trimSpaces } from './accept.ts';
import { MEDIA_TYPES } from './negotiation.ts';

export type BodyEncoding = 'json' | 'yaml' | 'protobuf';

/** What this server can read. One that is added gets its word here; until then it is a 415. */
export const READABLE: readonly BodyEncoding[] = ['json', 'yaml', 'protobuf'];

const BODY_ENCODINGS: Readonly<Record<string, BodyEncoding>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

/**
 * Of an object. No Content-Type means JSON; parameters and case don't matter.
 * @throws ApiError 415
 */
export function readBodyEncoding(
  contentType: string | undefined,
  readable: readonly BodyEncoding[],
): BodyEncoding {
  if (contentType === undefined || contentType === '') return 'json';
  const encoding = BODY_ENCODINGS[parseMediaType(contentType) ?? ''];
  if (encoding === undefined || !readable.includes(encoding)) throw unsupportedMediaType(MEDIA_TYPES);
  return encoding;
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
