// Makes X.509 certificates (RFC 5280): an authority, and what it signs. Keys are P-256, made in a millisecond.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import * as der from './der.ts';

/** Both PEM. */
export type Pair = { cert: string; key: string };

export type Subject = { commonName: string; organizations?: readonly string[] };

export type Validity = { from: Date; to: Date };

/** Signed by its own key, good for signing others. */
export function makeAuthority(subject: Subject, validity: Validity): Pair {
  const { publicKey, privateKey } = newKeys();
  const name = distinguishedName(subject);
  const keyId = keyIdentifier(publicKey);
  const extensions = [
    extension(OID.basicConstraints, der.sequence(der.boolean(true)), true),
    extension(OID.keyUsage, der.bitString(Buffer.from([KEY_CERT_SIGN | DIGITAL_SIGNATURE]), 2), true),
    extension(OID.subjectKeyIdentifier, der.octetString(keyId)),
  ];
  return signed({ issuer: name, subject: name, validity, publicKey, extensions }, privateKey, privateKey);
}

export type Leaf = {
  subject: Subject;
  use: 'server' | 'client';
  names: readonly string[];
  validity: Validity;
};

/** `names`: host names and addresses a server is reached by. */
export function makeLeaf(authority: Pair, { subject, use, names, validity }: Leaf): Pair {
  const { publicKey, privateKey } = newKeys();
  const authorityKey = createPrivateKey(authority.key);
  const issuerKeyId = keyIdentifier(createPublicKey(authority.cert));
  const extensions = [
    extension(OID.basicConstraints, der.sequence(), true),
    extension(OID.keyUsage, der.bitString(Buffer.from([DIGITAL_SIGNATURE]), 7), true),
    extension(OID.extendedKeyUsage, der.sequence(der.objectIdentifier(PURPOSES[use]))),
    extension(OID.authorityKeyIdentifier, der.sequence(der.tagged(0, 'primitive', issuerKeyId))),
    ...(names.length > 0 ? [extension(OID.subjectAltName, der.sequence(...names.map(alternativeName)))] : []),
  ];
  const issuer = subjectBytes(authority.cert);
  const content = { issuer, subject: distinguishedName(subject), validity, publicKey, extensions };
  return signed(content, privateKey, authorityKey);
}

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

const PURPOSES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

const DIGITAL_SIGNATURE = 0x80;
const KEY_CERT_SIGN = 0x04;

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

type Content = {
  issuer: Uint8Array;
  subject: Uint8Array;
  validity: Validity;
  publicKey: KeyObject;
  extensions: readonly Uint8Array[];
};

/** 128 bits, so that no two certificates of an authority have the same number. */
const SERIAL_BYTES = 16;
const VERSION_3 = Buffer.from([2]);

function signed(content: Content, privateKey: KeyObject, authorityKey: KeyObject): Pair {
  const { issuer, subject, validity, publicKey, extensions } = content;
  const algorithm = der.sequence(der.objectIdentifier(OID.ecdsaWithSha256));
  const serial = randomBytes(SERIAL_BYTES);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const toSign = der.sequence(
    der.tagged(0, 'constructed', der.integer(VERSION_3)),
    der.integer(serial),
    algorithm,
    issuer,
    der.sequence(der.time(validity.from), der.time(validity.to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, 'constructed', der.sequence(...extensions)),
  );
  const certificate = der.sequence(toSign, algorithm, der.bitString(sign('sha256', toSign, authorityKey)));
  return { cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function distinguishedName({ commonName, organizations = [] }: Subject): Buffer {
  const part = (type: string, text: string): Buffer =>
    der.set(der.sequence(der.objectIdentifier(type), der.utf8String(text)));
  return der.sequence(
    ...organizations.map((organization) => part(OID.organization, organization)),
    part(OID.commonName, commonName),
  );
}

function extension(type: string, value: Uint8Array, isCritical = false): Buffer {
  const critical = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(type), ...critical, der.octetString(value));
}

/** SHA-1 names a key here; nothing rests on its strength (RFC 5280, 4.2.1.2). */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return createHash('sha1').update(point).digest();
}

function alternativeName(name: string): Buffer {
  const version = isIP(name);
  if (version === 0) return der.tagged(2, 'primitive', Buffer.from(name, 'latin1'));
  return der.tagged(
    7,
    'primitive',
    version === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name),
  );
}

/** `fe80::1`: what `::` stands for are the groups that are missing. */
function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string): number[] =>
    text === ''
      ? []
      : text
          .split(':')
          .flatMap((group) => (group.includes('.') ? ipv4Groups(group) : [Number.parseInt(group, 16)]));
  const before = groups(left);
  const after = right === undefined ? [] : groups(right);
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function ipv4Groups(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

/** The issuer of a leaf is its authority's subject to the byte, so it is read, not made again. */
function subjectBytes(cert: string): Buffer {
  let rest = children(children(pemBytes(cert))[0] as Buffer);
  if (rest[0]?.[0] === 0xa0) rest = rest.slice(1);
  return rest[4] as Buffer;
}

/** The elements inside of one. */
function children(element: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = headerLength(element); at < element.length; ) {
    const length = elementLength(element.subarray(at));
    found.push(element.subarray(at, at + length));
    at += length;
  }
  return found;
}

function headerLength(element: Buffer): number {
  const first = element[1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function elementLength(element: Buffer): number {
  const header = headerLength(element);
  const length = header === 2 ? (element[1] ?? 0) : element.readUIntBE(2, header - 2);
  return header + length;
}

function pem(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function pemBytes(text: string): Buffer {
  return Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64');
}
