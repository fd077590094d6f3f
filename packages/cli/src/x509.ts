// Makes X.509 certificates (RFC 5280): an authority, and what it signs. Keys are P-256, made in a millisecond.
// The library wants `reflect-metadata` to be there before it.
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** Both PEM. */
export type Pair = { cert: string; key: string };

export type Subject = { commonName: string; organizations?: readonly string[] };

export type Validity = { from: Date; to: Date };

/** Signed by its own key, good for signing others. */
export async function makeAuthority(subject: Subject, validity: Validity): Promise<Pair> {
  const keys = await newKeys();
  const extensions = [
    new x509.BasicConstraintsExtension(true, undefined, CRITICAL),
    new x509.KeyUsagesExtension(
      x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign,
      CRITICAL,
    ),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
  ];
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: distinguishedName(subject),
    notBefore: validity.from,
    notAfter: validity.to,
    keys,
    extensions,
  });
  return pem(certificate, keys.privateKey);
}

export type Leaf = {
  subject: Subject;
  use: 'server' | 'client';
  names: readonly string[];
  validity: Validity;
};

/** `names`: host names and addresses a server is reached by. */
export async function makeLeaf(authority: Pair, { subject, use, names, validity }: Leaf): Promise<Pair> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(new X509Certificate(authority.cert).raw);
  const extensions = [
    new x509.BasicConstraintsExtension(false, undefined, CRITICAL),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, CRITICAL),
    new x509.ExtendedKeyUsageExtension([PURPOSES[use]]),
    await authorityKeyIdentifier(issuer),
    ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names.map(alternativeName))] : []),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    issuer: issuer.subjectName,
    subject: distinguishedName(subject),
    notBefore: validity.from,
    notAfter: validity.to,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key, issuer),
    extensions,
  });
  return pem(certificate, keys.privateKey);
}

const CRITICAL = true;

const PURPOSES = {
  server: x509.ExtendedKeyUsage.serverAuth,
  client: x509.ExtendedKeyUsage.clientAuth,
} as const;

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
}

function distinguishedName({ commonName, organizations = [] }: Subject): x509.JsonName {
  return [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }];
}

/** As the authority names its key itself; there is more than one way to (RFC 5280, 4.2.1.2). */
async function authorityKeyIdentifier(
  issuer: x509.X509Certificate,
): Promise<x509.AuthorityKeyIdentifierExtension> {
  const own = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  if (own === null) return x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey);
  return new x509.AuthorityKeyIdentifierExtension(own.keyId);
}

function alternativeName(name: string): x509.JsonGeneralName {
  const version = isIP(name);
  if (version === 0) return { type: 'dns', value: name };
  return { type: 'ip', value: version === 4 ? name : hexadecimal(name) };
}

/** `::ffff:192.0.2.1` becomes `::ffff:c000:201`: the library misreads the mixed form. */
function hexadecimal(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** RSA, elliptic curve or Ed25519: a person may have put an authority of his own there. */
function signingKey(key: string, issuer: x509.X509Certificate): Promise<webcrypto.CryptoKey> {
  const bytes = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { hash: 'SHA-256', ...issuer.publicKey.algorithm };
  return webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
}

function pem(certificate: x509.X509Certificate, key: webcrypto.CryptoKey): Pair {
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
