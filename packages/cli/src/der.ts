// The few DER structures a certificate is made of (X.690), each as the bytes of one tag, length and value.

export function sequence(...members: Uint8Array[]): Buffer {
  return element(0x30, ...members);
}

export function set(...members: Uint8Array[]): Buffer {
  return element(0x31, ...members);
}

/** Context-specific: constructed when it holds other elements, primitive when it replaces a type's own tag. */
export function tagged(number: number, form: 'constructed' | 'primitive', ...content: Uint8Array[]): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, ...content);
}

/** From big-endian bytes, taken as a positive number. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return element(0x02, ...(isNegative ? [Buffer.from([0])] : []), bytes);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octetString(content: Uint8Array): Buffer {
  return element(0x04, content);
}

/** `unused`: how many bits of the last byte don't count. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

/** `2.5.4.3`. Numbers from 128 on take several bytes of seven bits. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** Years up to 2049 are written with two digits, as RFC 5280 wants it. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.[0-9]+/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return element(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

function element(tag: number, ...content: Uint8Array[]): Buffer {
  const value = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(value.length)]), value]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}
