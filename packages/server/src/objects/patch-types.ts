// What a patch must be before it is applied, and what is odd about one, in the words of Go's decoders.
import { JsonNumber, type JsonPath, type JsonValue } from '@sluice/encoding';
import { goQuote } from '@sluice/resources';

/** The error of a patch that isn't one of its type, as JSON goes; undefined: it is. */
export function patchTypeError(
  type: 'json' | 'merge' | 'strategic',
  value: JsonValue,
  isStrict: boolean,
): string | undefined {
  if (type === 'json') return jsonPatchTypeError(value, isStrict);
  if (type === 'merge') return mergePatchTypeError(value, isStrict);
  if (value === null || value instanceof Map) return undefined;
  return `json: cannot unmarshal ${typeName(value)} into Go value of type map[string]interface {}`;
}

/** The error of a JSON patch that isn't a list of operations; undefined: it is one. */
function jsonPatchTypeError(value: JsonValue, isStrict: boolean): string | undefined {
  const operation = isStrict ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation';
  const start = isStrict ? 'error decoding patch: ' : '';
  const wrong = (found: JsonValue, type: string): string =>
    `${start}json: cannot unmarshal ${typeName(found)} into Go value of type ${type}`;
  if (value === null) return undefined;
  if (!Array.isArray(value)) return wrong(value, isStrict ? `[]${operation}` : 'jsonpatch.Patch');
  for (const item of value) {
    if (item === null) continue;
    if (!(item instanceof Map)) return wrong(item, operation);
    if (!isStrict) continue;
    for (const name of TEXT_MEMBERS) {
      const member = item.get(name) ?? '';
      if (typeof member !== 'string') {
        return `${start}json: cannot unmarshal ${typeName(member)} into Go struct field jsonPatchOp.${name} of type string`;
      }
    }
  }
  return undefined;
}

const TEXT_MEMBERS = ['op', 'from', 'path'];
const MEMBERS = new Set([...TEXT_MEMBERS, 'value']);

/** The error of a merge patch that isn't an object. A list passes when nobody looks closely, and fails later. */
function mergePatchTypeError(value: JsonValue, isStrict: boolean): string | undefined {
  if (value instanceof Map) return undefined;
  if (value === null) return 'Invalid JSON Patch';
  if (isStrict) {
    return `error decoding patch: json: cannot unmarshal ${typeName(value)} into Go value of type map[string]interface {}`;
  }
  return Array.isArray(value) ? undefined : 'Invalid JSON Patch';
}

/** Operations have four members; others, and repeated ones, are told. */
export function jsonPatchStrictErrors(value: JsonValue, duplicates: readonly string[]): string[] {
  const unknown: string[] = [];
  for (const [place, operation] of (Array.isArray(value) ? value : []).entries()) {
    if (!(operation instanceof Map)) continue;
    for (const name of operation.keys()) {
      if (!MEMBERS.has(name)) unknown.push(`unknown field ${goQuote(`[${place}].${name}`)}`);
    }
  }
  return [...duplicates, ...unknown].map((error) => `json patch ${error}`);
}

/** `duplicate field "data.a"` */
export function patchDuplicates(path: JsonPath): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `duplicate field ${goQuote(text.replace(/^\./, ''))}`;
}

function typeName(value: JsonValue): string {
  if (value instanceof JsonNumber) return 'number';
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : 'string';
}
