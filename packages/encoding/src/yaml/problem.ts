// Whether YAML can show a value, without writing it: a list must be known to fail before its first byte is sent.
//
// Nearly all values pass a few searches that run at the speed of memory: nothing but printable ASCII, no escape that
// only JSON knows, no string long enough for a key YAML gives up on, too few brackets to be nested too deep. The
// others are read as the encoder reads them.
import { isAscii } from 'node:buffer';
import { KEY_LIMIT_CHARACTERS, YAML_DEPTH_LIMIT, YamlError } from './errors.ts';
import { Nodes } from './nodes.ts';

/** The reference's error for `json`, which is compact and valid; undefined when there is none. */
export function yamlProblem(json: Uint8Array, enclosing = 0): string | undefined {
  if (isOrdinary(json, YAML_DEPTH_LIMIT - enclosing)) return undefined;
  try {
    nodes.read(json, enclosing);
    return undefined;
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  } finally {
    nodes.release();
  }
}

const nodes = new Nodes();

function isOrdinary(json: Uint8Array, depthLimit: number): boolean {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return (
    isAscii(bytes) &&
    !bytes.includes(DELETE) &&
    !bytes.includes('\\/') &&
    !bytes.includes('\\ud') &&
    !bytes.includes('\\uD') &&
    !mayHaveLongKey(bytes) &&
    !mayBeDeep(bytes, depthLimit)
  );
}

const DELETE = 0x7f;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Goes from quote to quote in leaps. Between two quotes that are far from each other, one string may lie; it is a
 * key when a colon follows it.
 *
 *     …"name":"a","image":"registry.example/b:1","args":["--c","--d"],…
 *             ^──────── leap ────────▶ … ^ next quote
 */
function mayHaveLongKey(bytes: Buffer): boolean {
  let quote = 0;
  while (quote + KEY_LIMIT_CHARACTERS < bytes.length) {
    let next = bytes.indexOf(QUOTE, quote + LEAP_BYTES);
    while (next >= 0 && isEscaped(bytes, next)) next = bytes.indexOf(QUOTE, next + 1);
    if (next < 0) return false;
    if (next - quote >= KEY_LIMIT_CHARACTERS && bytes[next + 1] === COLON) return true;
    quote = next;
  }
  return false;
}

const LEAP_BYTES = KEY_LIMIT_CHARACTERS / 2;

function isEscaped(bytes: Buffer, quote: number): boolean {
  let backslashes = 0;
  while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Counts brackets, even those in strings. */
function mayBeDeep(bytes: Buffer, limit: number): boolean {
  if (bytes.length <= 2 * limit) return false;
  let opened = 0;
  for (let at = 0; at < bytes.length; at++) if ((bytes[at]! | BRACKET_BIT) === OPEN_BRACE) opened++;
  return opened > limit;
}

/** Tells { from [ in ASCII. */
const BRACKET_BIT = 0x20;
const OPEN_BRACE = 0x7b;
