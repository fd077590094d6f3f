// Finds out of what kind a body is, before it is read: as Go's decoder does, with its errors.
import { checkSyntax, decodeText, JsonReader, JsonSyntaxError } from '@sluice/encoding';
import { DecodeError } from '../kind.ts';

export type TypeMeta = { group: string; version: string; kind: string };

/**
 * Checks the syntax of a body and reads its kind and apiVersion, whatever their case: this decoder is laxer than the
 * one that reads the rest.
 * @throws DecodeError
 */
export function readTypeMeta(body: Uint8Array): { text: string; meta: TypeMeta } {
  try {
    checkSyntax(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw cannotTell(error.message);
    throw error;
  }
  const text = decodeText(body);
  const found = { kind: '', apiversion: '' };
  const reader = new JsonReader(text);
  const first = reader.peek();
  if (first !== 0x7b && first !== NULL) {
    throw cannotTell(`json: cannot unmarshal ${valueName(first)} into Go value of type ${GO_STRUCT}`);
  }
  let wrong: string | undefined;
  for (let more = first !== NULL && reader.enter(); more; more = reader.more()) {
    const key = foldCase(reader.key());
    const value = reader.peek();
    if ((key !== 'kind' && key !== 'apiversion') || value === NULL) {
      reader.skip();
    } else if (value === 0x22) {
      found[key] = reader.string();
    } else {
      const field = key === 'kind' ? 'kind' : 'apiVersion';
      wrong ??= `json: cannot unmarshal ${valueName(value)} into Go struct field .${field} of type string`;
      reader.skip();
    }
  }
  if (wrong !== undefined) throw cannotTell(wrong);
  return { text, meta: { ...parseGroupVersion(found.apiversion), kind: found.kind } };
}

/** `apps/v1` → apps, v1. */
export function parseGroupVersion(text: string): { group: string; version: string } {
  const [first = '', second, ...rest] = text.split('/', 3);
  if (text === '' || text === '/') return { group: '', version: '' };
  if (rest.length > 0) throw new DecodeError(`unexpected GroupVersion string: ${text}`);
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** What a body leaves out is what was expected. */
export function withDefaults(meta: TypeMeta, expected: TypeMeta): TypeMeta {
  const kind = meta.kind === '' ? expected.kind : meta.kind;
  if (meta.version !== '') return { ...meta, kind };
  if (meta.group !== '' && meta.group !== expected.group) return { ...meta, kind };
  return { group: expected.group, version: expected.version, kind };
}

export function groupVersionText(meta: { group: string; version: string }): string {
  return meta.group === '' ? meta.version : `${meta.group}/${meta.version}`;
}

const NULL = 0x6e;
const GO_STRUCT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function cannotTell(message: string): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${message}`);
}

function valueName(first: number): string {
  const names: Record<string, string> = { '{': 'object', '[': 'array', '"': 'string', t: 'bool', f: 'bool' };
  return names[String.fromCharCode(first)] ?? 'number';
}

/** Unicode's simple folding, as far as these two names can meet it: long s and the Kelvin sign. */
function foldCase(key: string): string {
  return key.length > 10 ? key : key.replaceAll('\u017f', 's').toLowerCase();
}
