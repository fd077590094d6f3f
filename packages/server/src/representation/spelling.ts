// Compact JSON to the encoding that was negotiated: what every body that isn't a long list goes through.
import { ByteWriter, type CborForm, encodeCbor, encodeYaml, indentJson, YamlError } from '@sluice/encoding';
import { plainError } from '@sluice/resources';
import type { Representation } from '../negotiation.ts';

const NEWLINE = Buffer.from('\n');

/** All but Protobuf, which needs to know the type. @throws ApiError 500 for what YAML can't show, as the reference has it. */
export function spelled(
  json: Uint8Array,
  { encoding, pretty }: Pick<Representation, 'encoding' | 'pretty'>,
  form?: CborForm,
): Uint8Array {
  if (encoding === 'yaml') return yamlOf(json);
  if (encoding === 'cbor') return encodeCbor(json, form);
  return pretty ? indentJson(json) : Buffer.concat([json, NEWLINE]);
}

function yamlOf(json: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  try {
    encodeYaml(json, out);
  } catch (error) {
    throw error instanceof YamlError ? plainError(error.message) : error;
  }
  return out.take();
}
