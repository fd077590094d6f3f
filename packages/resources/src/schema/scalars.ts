// Decoders of strings, booleans, numbers and bytes.
import { JsonNumber, type JsonValue, printFloat } from '@sluice/encoding';
import { canonicalBase64 } from './base64.ts';
import type { Decode } from './decoder.ts';
import type { Session } from './session.ts';

export function decodeString(goType: string): Decode {
  return (session, previous) => {
    if (session.reader.peek() === QUOTE) return session.reader.string();
    session.skipMismatch(goType);
    return previous;
  };
}

export function decodeBool(goType: string): Decode {
  return (session, previous) => {
    const first = session.reader.peek();
    if (first === TRUE || first === FALSE) return session.reader.scalar();
    session.skipMismatch(goType);
    return previous;
  };
}

export function decodeInteger(goType: string, bits: 32 | 64): Decode {
  return (session, previous) => {
    if (session.valueName() !== 'number') {
      session.skipMismatch(goType);
      return previous;
    }
    const text = session.reader.number();
    const canonical = canonicalInteger(text, bits);
    if (canonical !== undefined) return new JsonNumber(canonical);
    session.keepMismatch(`number ${text}`, goType);
    return previous;
  };
}

export function decodeFloat(goType: string): Decode {
  return (session, previous) => {
    if (session.valueName() !== 'number') {
      session.skipMismatch(goType);
      return previous;
    }
    const text = session.reader.number();
    const value = Number(text);
    if (Number.isFinite(value)) return new JsonNumber(printFloat(value));
    session.keepMismatch(`number ${text}`, goType);
    return previous;
  };
}

/** Base64, or an array of small numbers. */
export function decodeBytes(goType: string): Decode {
  return (session, previous) => {
    const { reader } = session;
    const first = reader.peek();
    if (first === OPEN_BRACKET) return decodeByteArray(session);
    if (first !== QUOTE) return session.skipMismatch(goType) ? undefined : previous;
    const canonical = canonicalBase64(reader.string());
    if ('text' in canonical) return canonical.text;
    session.keep(canonical.error);
    return previous;
  };
}

/** An integer in the spelling Go prints, if it is one of so many bits. */
export function canonicalInteger(text: string, bits: 32 | 64): string | undefined {
  if (text.length < SAFE_DIGITS) {
    if (text === '-0') return '0';
    return INTEGER.test(text) ? text : undefined;
  }
  if (text.length > INT64_CHARACTERS || !INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value ? text : undefined;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const TRUE = 0x74;
const FALSE = 0x66;
const INTEGER = /^-?\d+$/;
/** Any integer shorter than this fits 32 bits. */
const SAFE_DIGITS = 10;
const INT64_CHARACTERS = 20;
const MOST_BYTE = 255;

const decodeByte = decodeInteger('uint8', 32);

function decodeByteArray(session: Session): JsonValue {
  const { reader } = session;
  const bytes: number[] = [];
  for (let more = reader.enter(); more; more = reader.more()) {
    const value = decodeByte(session, undefined);
    const byte = value instanceof JsonNumber ? Number(value.text) : 0;
    if (byte < 0 || byte > MOST_BYTE) session.keepMismatch(`number ${byte}`, 'uint8');
    bytes.push(byte);
  }
  return Buffer.from(bytes).toString('base64');
}
