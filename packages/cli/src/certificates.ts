// The server's certificates: an authority of its own, the serving one, and one for its administrator; made at first start and kept.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Leaf, Pair, Validity } from './x509.ts';

export type Certificates = { authority: Pair; serving: Pair; admin: Pair };

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A leaf with less time left is made anew at a start. */
const RENEW_BEFORE_DAYS = 30;
/** For clients whose clock is behind. */
const BACKDATED_MS = 60 * 60 * 1000;

/** Nothing is written down: for a server that keeps nothing. */
export async function makeCertificates(names: readonly string[], now: Date): Promise<Certificates> {
  const authority = await newAuthority(now);
  return {
    authority,
    serving: await newLeaf(authority, servingLeaf(names, now)),
    admin: await newLeaf(authority, adminLeaf(now)),
  };
}

/**
 * Reads what the directory has, and makes what it lacks: a leaf that is missing, near its end, not of this authority,
 * or without one of the names. An authority is never replaced: clients trust it.
 * @throws Error that names the file that can't be used
 */
export async function openCertificates(
  directory: string,
  names: readonly string[],
  now: Date,
): Promise<Certificates> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const authority = readAuthority(directory) ?? write(directory, 'ca', await newAuthority(now));
  const issuer = new X509Certificate(authority.cert);
  if (new Date(issuer.validTo) <= now) {
    throw new Error(
      `${join(directory, 'ca.crt')} has expired; remove the directory to have all certificates made anew`,
    );
  }
  const leaf = async (name: string, wanted: Leaf): Promise<Pair> => {
    const kept = readPair(directory, name);
    if (kept !== undefined && isGood(kept, issuer, wanted.names, now)) return kept;
    return write(directory, name, await newLeaf(authority, wanted));
  };
  return {
    authority,
    serving: await leaf('apiserver', servingLeaf(names, now)),
    admin: await leaf('admin', adminLeaf(now)),
  };
}

/** By which a client on this machine or elsewhere may call the server. */
export function servingNames(bindAddress: string): string[] {
  const everywhere = bindAddress === '0.0.0.0' || bindAddress === '::';
  // A zone, as in `fe80::1%eth0`, means something on this machine only.
  const [address = ''] = bindAddress.split('%');
  const names = ['localhost', '127.0.0.1', '::1', hostname(), ...(everywhere ? [] : [address])];
  return [...new Set(names.filter((name) => isIP(name) !== 0 || /^[A-Za-z0-9.-]+$/.test(name)))];
}

async function newAuthority(now: Date): Promise<Pair> {
  const { makeAuthority } = await loadX509();
  return makeAuthority({ commonName: 'sluice-ca' }, validity(now, AUTHORITY_DAYS));
}

async function newLeaf(authority: Pair, wanted: Leaf): Promise<Pair> {
  const { makeLeaf } = await loadX509();
  return makeLeaf(authority, wanted);
}

/** Only when one has to be made: it takes half as long to load as all the rest. */
function loadX509(): Promise<typeof import('./x509.ts')> {
  return import('./x509.ts');
}

function servingLeaf(names: readonly string[], now: Date): Leaf {
  return { subject: { commonName: 'sluice' }, use: 'server', names, validity: validity(now, LEAF_DAYS) };
}

function adminLeaf(now: Date): Leaf {
  const subject = { commonName: 'sluice-admin', organizations: ['system:masters'] };
  return { subject, use: 'client', names: [], validity: validity(now, LEAF_DAYS) };
}

function validity(now: Date, days: number): Validity {
  return { from: new Date(now.getTime() - BACKDATED_MS), to: new Date(now.getTime() + days * DAY_MS) };
}

/** Undefined when there is none; half of one, or one that can't be read, is for a person to look at. */
function readAuthority(directory: string): Pair | undefined {
  const [certFile, keyFile] = [join(directory, 'ca.crt'), join(directory, 'ca.key')];
  if (!existsSync(certFile) && !existsSync(keyFile)) return undefined;
  const missing = [certFile, keyFile].find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new Error(`${missing} is missing, but the other half of the pair is there`);
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  if (!isPair(pair)) throw new Error(`${certFile} and ${keyFile} are not a certificate and its key`);
  return pair;
}

function readPair(directory: string, name: string): Pair | undefined {
  const [certFile, keyFile] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  return isPair(pair) ? pair : undefined;
}

function isPair({ cert, key }: Pair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function isGood({ cert }: Pair, issuer: X509Certificate, names: readonly string[], now: Date): boolean {
  const leaf = new X509Certificate(cert);
  const renewFrom = new Date(leaf.validTo).getTime() - RENEW_BEFORE_DAYS * DAY_MS;
  if (now.getTime() >= renewFrom || now < new Date(leaf.validFrom)) return false;
  if (!leaf.checkIssued(issuer) || !leaf.verify(issuer.publicKey)) return false;
  return names.every((name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined);
}

/** The key first: a certificate whose key isn't there would be taken for half of a pair. */
function write(directory: string, name: string, pair: Pair): Pair {
  writeWhole(join(directory, `${name}.key`), pair.key, 0o600);
  writeWhole(join(directory, `${name}.crt`), pair.cert, 0o644);
  return pair;
}

/** Under another name first, so that nobody ever reads half of it. */
export function writeWhole(file: string, content: string, mode: number): void {
  const partial = `${file}.${process.pid}.tmp`;
  writeFileSync(partial, content, { mode });
  chmodSync(partial, mode);
  renameSync(partial, file);
}
