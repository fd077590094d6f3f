// Base64 as Go reads it: line breaks are skipped, padding is wanted, loose bits at the end are dropped.

/** Canonical base64 of the same bytes, or Go's error. */
export function canonicalBase64(text: string): { text: string } | { error: string } {
  if (text.length % 4 === 0 && text.search(NOT_BASE64) < 0) return { text };
  const bare = text.replace(LINE_BREAKS, '');
  const padding = bare.endsWith('==') ? 2 : bare.endsWith('=') ? 1 : 0;
  const digits = bare.slice(0, bare.length - padding);
  if (bare.length % 4 !== 0 || digits.length % 4 === 1 || digits.search(NOT_BASE64) >= 0) {
    return { error: `illegal base64 data at input byte ${firstBadByte(text)}` };
  }
  return { text: bare.slice(0, -4) + Buffer.from(bare.slice(-4), 'base64').toString('base64') };
}

const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const LINE_BREAKS = /[\r\n]+/g;

/** Follows encoding/base64's decodeQuantum: the offset it complains of depends on how far it had looked. */
function firstBadByte(text: string): number {
  let at = 0;
  for (;;) {
    for (let place = 0; place < 4; place++) {
      while (isLineBreak(text, at)) at++;
      if (at >= text.length) return at - place;
      if (!NOT_BASE64.test(text[at]!)) {
        at++;
        continue;
      }
      if (text[at] !== '=' || place < 2) return at;
      at++;
      if (place === 2) {
        while (isLineBreak(text, at)) at++;
        if (at >= text.length) return text.length;
        if (text[at] !== '=') return at - 1;
        at++;
      }
      while (isLineBreak(text, at)) at++;
      return at;
    }
  }
}

function isLineBreak(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r';
}
