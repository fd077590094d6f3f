// A CBOR body that can't be read; the message is that of the decoder kube-apiserver uses.

export class CborError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CborError';
  }
}

/** Why a value can't be read. Only the first of a body is thrown: an Error for each would cost more than all the rest. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** What the messages call the major types, by their number. */
export const TYPE_NAMES: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

export function cannotUnmarshal(type: string, goType: string, because = ''): Refusal {
  const reason = because === '' ? '' : ` (${because})`;
  return new Refusal(`cbor: cannot unmarshal ${type} into Go value of type ${goType}${reason}`);
}

export function notAccepted(type: string, what: string): Refusal {
  return new Refusal(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);
}

/**
 * @param key as Go shows it: see goText().
 * @param place which of the map's pairs it is.
 */
export function repeatedKey(key: string, place: number): Refusal {
  return new Refusal(`cbor: found duplicate map key ${key} at map element index ${place}`);
}

/** Text in Go's quotes. */
export function goText(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escaped)}"`;
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

function escaped(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
