// A JSON string as Go prints it: what HTML could misread is escaped, everything else stays.

/** `a<b` → `"a\u003cb"`. What keepBadBytes() kept of bytes that aren't UTF-8 is written `\ufffd`. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ESCAPED, escapeOf)}"` : `"${text}"`;
}

/** JSON that is already JSON: only what Go's HTML escaping touches. */
export function escapeMarkup(json: string): string {
  return MARKUP.test(json) ? json.replace(MARKUP_ALL, escapeOf) : json;
}

// The second half of a pair may look like a bad byte.
const NEEDS_ESCAPE = /["\\<>&\u0000-\u001f\u2028\u2029\udc80-\udcff]/;
const ESCAPED = /["\\<>&\u0000-\u001f\u2028\u2029]|(?<![\ud800-\udbff])[\udc80-\udcff]/g;
const MARKUP = /[<>&\u2028\u2029]/;
const MARKUP_ALL = /[<>&\u2028\u2029]/g;

function escapeOf(character: string): string {
  if (character >= '\udc80') return '\\ufffd';
  return SHORT.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
