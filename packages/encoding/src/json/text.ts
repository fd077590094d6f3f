// Bytes to text as Go's JSON decoder reads them: valid UTF-8 as it is, U+FFFD for each byte that isn't.
import { isUtf8 } from 'node:buffer';

export function decodeText(bytes: Uint8Array): string {
  return validParts(bytes).join('\ufffd');
}

/**
 * Text that remembers the bytes that aren't UTF-8: each becomes a lone surrogate, U+DC00 and the byte. No other text
 * has one. JSON prints U+FFFD for it, Go's %q the byte.
 */
export function keepBadBytes(bytes: Uint8Array): string {
  const [first = '', ...rest] = validParts(bytes);
  let text = first;
  let at = Buffer.byteLength(first);
  for (const part of rest) {
    text += String.fromCharCode(0xdc00 | bytes[at]!) + part;
    at += 1 + Buffer.byteLength(part);
  }
  return text;
}

/** The text between the bytes that aren't UTF-8: one part more than there are such bytes. */
function validParts(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return [buffer.toString('utf8')];
  const parts: string[] = [];
  let good = 0;
  let at = 0;
  while (at < buffer.length) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(buffer.toString('utf8', good, at));
    at++;
    good = at;
  }
  parts.push(buffer.toString('utf8', good));
  return parts;
}

/** How many bytes the code point at `at` has; 0: none starts here. The table of Unicode 3.9, D92. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (first < 0xe0) return isContinuation(second) ? 2 : 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high || !isContinuation(bytes[at + 2] ?? 0)) return 0;
  if (first < 0xf0) return 3;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
