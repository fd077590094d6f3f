// Reads a request's body as an object, in any encoding, with unknown and repeated fields told as the client wants them told.
import { decodeText, type JsonValue, printJson } from '@sluice/encoding';
import {
  type ApiObject,
  badRequest,
  type Codec,
  type Decoded,
  DecodeError,
  describeDecodeError,
  protobufCodec,
  readCborBody,
  strictDecodeError,
} from '@sluice/resources';
import type { ApiRequest } from '../api.ts';
import { type BodyEncoding, readBodyEncoding } from '../body-type.ts';
import type { FieldValidation } from './options.ts';
import { readYaml, YamlError } from './yaml.ts';

/** What a body is expected to be: a Kind, or a kind that only stands in requests. */
export type Expected = {
  group: string;
  version: string;
  kind: string;
  custom?: boolean;
  codec: Pick<Codec, 'decode' | 'decodeValue'>;
};

/** @throws ApiError 415, 413, 400 */
export async function readObject(
  request: ApiRequest,
  expected: Expected,
  fieldValidation: FieldValidation,
): Promise<ApiObject> {
  const { headers, readable } = request;
  const encoding = readBodyEncoding(headers['content-type'], readable, expected.custom);
  const body = await request.readBody();
  try {
    const { object, strictErrors } = await decode(body, encoding, expected);
    tellStrictErrors(strictErrors, fieldValidation, request, expected);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(describeDecodeError(error, expected.kind, body));
    throw error;
  }
}

function tellStrictErrors(
  strictErrors: readonly string[],
  fieldValidation: FieldValidation,
  request: ApiRequest,
  { kind, version }: Expected,
): void {
  if (strictErrors.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Strict') throw strictDecodeError(strictErrors, kind, version);
  request.warnings.push(...strictErrors);
}

async function decode(body: Uint8Array, encoding: BodyEncoding, expected: Expected): Promise<Decoded> {
  const { codec } = expected;
  if (encoding === 'json') return codec.decode(body);
  if (encoding === 'protobuf') return protobufCodec(expected)!.decode(body);
  if (encoding === 'cbor') return codec.decodeValue(readCborBody(body, expected));
  const { value, duplicates } = await yamlOf(body);
  const decoded = codec.decode(printJson(value));
  return duplicates === '' ? decoded : { ...decoded, strictErrors: [duplicates, ...decoded.strictErrors] };
}

/** @throws DecodeError */
export async function yamlOf(body: Uint8Array): Promise<{ value: JsonValue; duplicates: string }> {
  try {
    return await readYaml(decodeText(body));
  } catch (error) {
    if (error instanceof YamlError) throw new DecodeError(error.message);
    throw error;
  }
}
