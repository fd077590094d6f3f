// A JSON string into the length-delimited bytes of a Protobuf string.
import type { Transcoding } from './transcoding.ts';
import { ProtobufError, VARINT_BYTES } from './wire.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The longest text whose length has one byte. Longer ones are searched and copied by the engine. */
const SHORT_BYTES = 127;

/** The cursor is on the quote. Writes length and bytes. */
export function writeText(run: Transcoding): void {
  const { json } = run;
  run.reserve(SHORT_BYTES + 1);
  const { buffer } = run;
  const start = run.at + 1;
  const near = start + SHORT_BYTES;
  let to = run.length + 1;
  for (let at = start; at <= near; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      buffer[run.length] = at - start;
      run.length = to;
      run.at = at + 1;
      return;
    }
    if (byte === BACKSLASH || at === near) break;
    buffer[to++] = byte;
  }
  writeLongText(run, start);
}

function writeLongText(run: Transcoding, start: number): void {
  const { json } = run;
  const close = json.indexOf(QUOTE, start);
  if (close < 0) throw new ProtobufError('a string without end');
  if (run.backslash < start) {
    const found = json.indexOf(BACKSLASH, start);
    run.backslash = found < 0 ? json.length : found;
  }
  if (run.backslash < close) {
    writeEscapedText(run, start);
    return;
  }
  run.varint(close - start);
  run.copy(json, start, close);
  run.at = close + 1;
}

/** Lengths of texts with escapes are known only behind them: this much room is made, the usual case. */
const ESCAPED_LENGTH_BYTES = 2;

/** The text doesn't grow: no escape is shorter than what it stands for. */
function writeEscapedText(run: Transcoding, start: number): void {
  const { json } = run;
  run.reserve(json.length - start + VARINT_BYTES);
  const { buffer } = run;
  const lengthAt = run.length;
  let to = lengthAt + ESCAPED_LENGTH_BYTES;
  const end = json.length;
  let at = start;
  for (;;) {
    let byte = json[at]!;
    while (byte !== QUOTE && byte !== BACKSLASH && at < end) {
      buffer[to++] = byte;
      byte = json[++at]!;
    }
    if (byte === QUOTE) break;
    if (at >= end) throw new ProtobufError('a string without end');
    if (json[at + 1] === 0x75) {
      let code = unit(json, at);
      at += 6;
      if (code >= 0xd800 && code < 0xdc00 && json[at] === BACKSLASH && json[at + 1] === 0x75) {
        const low = unit(json, at);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          at += 6;
        }
      }
      to = putCodePoint(buffer, to, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
    } else {
      buffer[to++] = SHORT_ESCAPES[json[at + 1]!]!;
      at += 2;
    }
  }
  run.at = at + 1;
  run.length = to;
  run.close(lengthAt, ESCAPED_LENGTH_BYTES);
}

/** By the letter behind the backslash; letters that need no entry (quote, slash, backslash) stand for themselves. */
const SHORT_ESCAPES: Uint8Array = Uint8Array.from({ length: 256 }, (_, letter) => letter);
for (const [letter, byte] of ['b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  SHORT_ESCAPES[letter!.charCodeAt(0)] = byte!.charCodeAt(0);
}

/** The code unit of the `\uXXXX` at `at`. */
function unit(json: Uint8Array, at: number): number {
  return (
    (hex(json[at + 2]!) << 12) | (hex(json[at + 3]!) << 8) | (hex(json[at + 4]!) << 4) | hex(json[at + 5]!)
  );
}

function hex(digit: number): number {
  return digit < 0x3a ? digit - 0x30 : (digit | 0x20) - 0x57;
}

function putCodePoint(buffer: Uint8Array, at: number, code: number): number {
  let to = at;
  if (code < 0x80) {
    buffer[to++] = code;
  } else if (code < 0x800) {
    buffer[to++] = 0xc0 | (code >> 6);
    buffer[to++] = 0x80 | (code & 0x3f);
  } else if (code < 0x10000) {
    buffer[to++] = 0xe0 | (code >> 12);
    buffer[to++] = 0x80 | ((code >> 6) & 0x3f);
    buffer[to++] = 0x80 | (code & 0x3f);
  } else {
    buffer[to++] = 0xf0 | (code >> 18);
    buffer[to++] = 0x80 | ((code >> 12) & 0x3f);
    buffer[to++] = 0x80 | ((code >> 6) & 0x3f);
    buffer[to++] = 0x80 | (code & 0x3f);
  }
  return to;
}
