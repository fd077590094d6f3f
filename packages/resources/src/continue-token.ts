// Continue tokens: where the next page of a list starts, and at which revision all its pages are read.

import { JsonNumber, JsonSyntaxError, type JsonValue, parseJson, quote } from '@sluice/encoding';
import { badRequest } from './errors.ts';
import type { ApiError } from './status.ts';

/**
 * `start` is the first key of the page relative to the list's prefix, `/default/a\0` or `default/a\0`.
 * It is text: a store's key, which is bytes, must be decoded first. A negative revision reads the rest at the newest one.
 */
export type ContinueToken = { revision: bigint; start: string };

const VERSION = 'meta.k8s.io/v1';

export function encodeContinueToken({ revision, start }: ContinueToken): string {
  const json = `{"v":${quote(VERSION)},"rv":${revision},"start":${quote(start)}}`;
  return Buffer.from(json).toString('base64url');
}

/** `start` comes back as it was sent: with a leading slash or without. ApiError 400 says what is wrong with the token. */
export function decodeContinueToken(text: string): ContinueToken {
  const { v, rv, start } = membersOf(decodeBase64(text));
  if (v !== VERSION)
    throw refused(`continue key is not valid: server does not recognize this encoded version ${v}`);
  if (rv === 0n) {
    throw refused(
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  if (start === '')
    throw refused('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)');
  const rooted = start.startsWith('/') ? start : `/${start}`;
  if (!isClean(rooted)) throw refused(`continue key is not valid: ${start}`);
  return { revision: rv, start };
}

/** Go's path.Clean would leave it as it is: a token must not lead out of its list. */
function isClean(path: string): boolean {
  if (path === '/') return true;
  return path
    .split('/')
    .slice(1)
    .every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Go's raw URL alphabet: no padding; line breaks are skipped; unused bits are not looked at. */
function decodeBase64(text: string): Uint8Array {
  const bad = /[^A-Za-z0-9_\-\r\n]/.exec(text);
  const digits = text.replace(/[\r\n]/g, '');
  if (bad !== null) throw badBase64(Buffer.byteLength(text.slice(0, bad.index)));
  if (digits.length % 4 === 1) throw badBase64(text.length);
  return Buffer.from(digits, 'base64url');
}

function badBase64(offset: number): ApiError {
  return refused(`continue key is not valid: illegal base64 data at input byte ${offset}`);
}

type Members = { v: string; rv: bigint; start: string };

/** As Go fills the struct: names in any case, unknown ones skipped, null leaves a field as it was. */
function membersOf(json: Uint8Array): Members {
  const members: Members = { v: '', rv: 0n, start: '' };
  const value = parsed(json);
  if (value === null) return members;
  if (!(value instanceof Map)) throw mismatch(value, 'value', 'storage.continueToken');
  for (const [name, member] of value) {
    const field = name.toLowerCase();
    if (member === null) continue;
    if (field === 'rv') members.rv = int64(member);
    else if (field === 'v' || field === 'start') members[field] = string(member, field);
  }
  return members;
}

function parsed(json: Uint8Array): JsonValue {
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refused(`continue key is not valid: ${error.message}`);
    throw error;
  }
}

function string(value: JsonValue, field: string): string {
  if (typeof value === 'string') return value;
  throw mismatch(value, `struct field continueToken.${field}`, 'string');
}

function int64(value: JsonValue): bigint {
  if (value instanceof JsonNumber && /^-?[0-9]{1,19}$/.test(value.text)) {
    const number = BigInt(value.text);
    if (BigInt.asIntN(64, number) === number) return number;
  }
  throw mismatch(value, 'struct field continueToken.rv', 'int64');
}

function mismatch(value: JsonValue, place: string, type: string): ApiError {
  const given = type === 'int64' && value instanceof JsonNumber ? `number ${value.text}` : typeName(value);
  return refused(
    `continue key is not valid: json: cannot unmarshal ${given} into Go ${place} of type ${type}`,
  );
}

function typeName(value: JsonValue): string {
  if (value instanceof JsonNumber) return 'number';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Map) return 'object';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

function refused(why: string): ApiError {
  return badRequest(`invalid continue token: ${why}`);
}
