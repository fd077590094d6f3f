// Certificates: what OpenSSL and TLS handshakes think of them, when they are kept, and when they are made anew.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { type Certificates, makeCertificates, openCertificates, servingNames } from './certificates.ts';

const NOW = new Date();
const DAY_MS = 24 * 60 * 60 * 1000;
const ADDRESSES = ['127.0.0.1', '::1', 'fe80::1:2', '10.1.2.3', '::ffff:192.0.2.1', '2001:db8:1:2:3:4:5:6'];
const NAMES = ['localhost', 'host.example', ...ADDRESSES];
const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;

test('makeCertificates() makes a chain that OpenSSL verifies', async (t) => {
  if (!HAS_OPENSSL) return t.skip('no openssl here');
  const directory = temporary(t);
  await openCertificates(directory, NAMES, NOW);
  assertChain(directory);
});

test('makeCertificates() says what each certificate is for', async (t) => {
  if (!HAS_OPENSSL) return t.skip('no openssl here');
  const directory = temporary(t);
  await openCertificates(directory, ['localhost', '192.0.2.7'], NOW);
  assert.equal(
    extensions(directory, 'ca'),
    `X509v3 Basic Constraints: critical
    CA:TRUE
X509v3 Key Usage: critical
    Digital Signature, Certificate Sign
`,
  );
  const leaf = (purpose: string): string => `X509v3 Basic Constraints: critical
    CA:FALSE
X509v3 Key Usage: critical
    Digital Signature
X509v3 Extended Key Usage:
    TLS Web ${purpose} Authentication
`;
  const names = `X509v3 Subject Alternative Name:
    DNS:localhost, IP Address:192.0.2.7
`;
  assert.equal(extensions(directory, 'apiserver'), leaf('Server') + names);
  assert.equal(extensions(directory, 'admin'), leaf('Client'));
});

test('makeCertificates() names the server by all its names and the administrator by his group', async () => {
  const { authority, serving, admin } = await makeCertificates(NAMES, NOW);
  const leaf = new X509Certificate(serving.cert);
  for (const name of ['localhost', 'host.example']) assert.equal(leaf.checkHost(name), name);
  for (const address of ADDRESSES) assert.ok(leaf.checkIP(address), address);
  assert.equal(leaf.checkHost('other.example'), undefined);
  assert.equal(new X509Certificate(admin.cert).subject, 'O=system:masters\nCN=sluice-admin');
  assert.ok(new X509Certificate(authority.cert).ca);
  const serials = [authority, serving, admin].map(({ cert }) => new X509Certificate(cert).serialNumber);
  assert.equal(new Set(serials).size, 3);
});

test('makeCertificates() makes what a handshake accepts on both sides', async (t) => {
  const { authority, serving, admin } = await makeCertificates(NAMES, NOW);
  const server = tls.createServer({
    ...serving,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const subject = new Promise((resolve) => {
    server.on('secureConnection', (socket) => {
      resolve(socket.getPeerCertificate().subject);
      socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ port, host: '127.0.0.1', ca: authority.cert, ...admin });
  await once(client, 'secureConnect');
  assert.equal(client.authorized, true);
  client.resume();
  assert.deepEqual({ ...((await subject) as object) }, { CN: 'sluice-admin', O: 'system:masters' });
});

test('openCertificates() keeps what it made, with keys only their owner can read', async (t) => {
  const directory = temporary(t);
  const first = await openCertificates(directory, NAMES, NOW);
  assert.deepEqual(await openCertificates(directory, NAMES, NOW), first);
  assert.deepEqual(await openCertificates(directory, ['localhost'], NOW), first);
  for (const name of ['ca.key', 'apiserver.key', 'admin.key']) {
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
  }
});

test('openCertificates() loads what makes certificates only when one has to be made', (t) => {
  const directory = temporary(t);
  const script = `
    import { createRequire } from 'node:module';
    import { openCertificates } from ${JSON.stringify(new URL('certificates.js', import.meta.url))};
    await openCertificates(${JSON.stringify(directory)}, ['localhost'], new Date());
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    process.stdout.write(String(loaded.some((file) => file.includes('@peculiar'))));`;
  const run = (): string =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: '/', encoding: 'utf8' })
      .stdout;
  assert.equal(run(), 'true');
  assert.equal(run(), 'false');
});

test('openCertificates() makes leaves anew when they end soon, lack a name, are broken or of another authority', async (t) => {
  const directory = temporary(t);
  const first = await openCertificates(directory, NAMES, NOW);
  const then = new Date(NOW.getTime() + 340 * DAY_MS);
  const later = await openCertificates(directory, NAMES, then);
  assertRenewed(first, later, ['serving', 'admin']);
  const named = await openCertificates(directory, [...NAMES, 'more.example'], then);
  assertRenewed(later, named, ['serving']);
  writeFileSync(join(directory, 'admin.crt'), 'broken');
  const repaired = await openCertificates(directory, NAMES, then);
  assertRenewed(named, repaired, ['admin']);
  const { cert, key } = (await makeCertificates(NAMES, then)).serving;
  writeFileSync(join(directory, 'apiserver.crt'), cert);
  writeFileSync(join(directory, 'apiserver.key'), key);
  assertRenewed({ ...repaired, serving: { cert, key } }, await openCertificates(directory, NAMES, then), [
    'serving',
  ]);
});

test('openCertificates() leaves an authority it can not use to a person', async (t) => {
  const directory = temporary(t);
  await openCertificates(directory, NAMES, NOW);
  await assert.rejects(
    openCertificates(directory, NAMES, new Date(NOW.getTime() + 4000 * DAY_MS)),
    /ca\.crt has expired/,
  );
  const key = readFileSync(join(directory, 'ca.key'), 'utf8');
  writeFileSync(join(directory, 'ca.key'), 'broken');
  await assert.rejects(openCertificates(directory, NAMES, NOW), /are not a certificate and its key/);
  rmSync(join(directory, 'ca.key'));
  await assert.rejects(openCertificates(directory, NAMES, NOW), /ca\.key is missing/);
  writeFileSync(join(directory, 'ca.key'), key);
  await openCertificates(directory, NAMES, NOW);
});

test('openCertificates() signs with an RSA or P-384 authority that a person put there', async (t) => {
  if (!HAS_OPENSSL) return t.skip('no openssl here');
  const ownKeyName = ['-addext', 'subjectKeyIdentifier=0102030405', '-addext', 'authorityKeyIdentifier=none'];
  for (const algorithm of [['rsa:2048'], ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384', ...ownKeyName]]) {
    const directory = temporary(t);
    const files = ['-keyout', join(directory, 'ca.key'), '-out', join(directory, 'ca.crt')];
    const usage = ['-addext', 'keyUsage=critical,keyCertSign'];
    const subject = ['-utf8', '-subj', '/O=Æther, "Inc"/CN=own'];
    const args = ['req', '-x509', '-nodes', '-newkey', ...algorithm, ...files, ...subject, ...usage];
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    await openCertificates(directory, NAMES, NOW);
    assertChain(directory);
  }
});

test('servingNames() has no address that stands for all', () => {
  assert.ok(!servingNames('0.0.0.0').includes('0.0.0.0') && !servingNames('::').includes('::'));
  assert.ok(servingNames('192.0.2.7').includes('192.0.2.7'));
  assert.ok(servingNames('fe80::1%eth0').includes('fe80::1'));
});

function assertChain(directory: string): void {
  for (const [name, purpose] of [
    ['apiserver', 'sslserver'],
    ['admin', 'sslclient'],
  ] as const) {
    const files = [join(directory, 'ca.crt'), join(directory, `${name}.crt`)] as const;
    const args = ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', ...files];
    const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
}

function extensions(directory: string, name: string): string {
  const wanted = 'basicConstraints,keyUsage,extendedKeyUsage,subjectAltName';
  const args = ['x509', '-in', join(directory, `${name}.crt`), '-noout', '-ext', wanted];
  return spawnSync('openssl', args, { encoding: 'utf8' }).stdout.replace(/ +$/gm, '');
}

function assertRenewed(
  before: Certificates,
  after: Certificates,
  renewed: readonly (keyof Certificates)[],
): void {
  for (const name of ['authority', 'serving', 'admin'] as const) {
    assert.equal(after[name].cert !== before[name].cert, renewed.includes(name), name);
  }
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-certificates-'));
  chmodSync(directory, 0o700);
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
