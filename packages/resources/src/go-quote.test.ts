// Go's quoting, by examples that strconv.Quote gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goQuote } from './go-quote.ts';

const QUOTED: Record<string, string> = {
  plain: '"plain"',
  'say "x" \\ y': '"say \\"x\\" \\\\ y"',
  '\x07\b\f\n\r\t\v': '"\\a\\b\\f\\n\\r\\t\\v"',
  '\x00\x1b\x7f': '"\\x00\\x1b\\x7f"',
  'é😀': '"é😀"',
  '\u00a0\u2028\u200b': '"\\u00a0\\u2028\\u200b"',
  '\u{e0001}': '"\\U000e0001"',
};

test('goQuote() escapes what cannot be printed', () => {
  for (const [text, quoted] of Object.entries(QUOTED)) assert.equal(goQuote(text), quoted);
});
