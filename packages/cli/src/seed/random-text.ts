// Random text over digits and letters: it deflates to three quarters of its size and no further.
import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Letter for each byte. 256 is no multiple of 62: eight letters come up a little more often. */
const LETTER_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) =>
  LETTERS.charCodeAt(byte % LETTERS.length),
);

export function randomText(length: number): string {
  const bytes = randomBytes(length);
  for (let at = 0; at < length; at++) bytes[at] = LETTER_OF_BYTE[bytes[at]!]!;
  return bytes.toString('latin1');
}
