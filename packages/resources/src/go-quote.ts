// Go's quoted strings (`%q`, strconv.Quote): how error texts show a name or a value.

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/;

export function goQuote(text: string): string {
  if (NOTHING_TO_ESCAPE.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += SHORT_ESCAPES[character] ?? shown(character);
  return `${quoted}"`;
}

function shown(character: string): string {
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  // A byte that was no part of UTF-8, as keepBadBytes() keeps it.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code & 0xff, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and of all spaces only U+0020. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
