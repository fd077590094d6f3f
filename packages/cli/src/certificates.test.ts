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
const NAMES = ['localhost', '127.0.0.1', '::1', 'host.example', 'fe80::1:2', '10.1.2.3'];

test('makeCertificates() makes a chain that OpenSSL verifies', (t) => {
  if (spawnSync('openssl', ['version']).status !== 0) return t.skip('no openssl here');
  const directory = temporary(t);
  openCertificates(directory, NAMES, NOW);
  for (const [name, purpose] of [
    ['apiserver', 'sslserver'],
    ['admin', 'sslclient'],
  ] as const) {
    const files = [join(directory, 'ca.crt'), join(directory, `${name}.crt`)] as const;
    const args = ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', ...files];
    const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('makeCertificates() names the server by all its names and the administrator by his group', () => {
  const { authority, serving, admin } = makeCertificates(NAMES, NOW);
  const leaf = new X509Certificate(serving.cert);
  for (const name of ['localhost', 'host.example']) assert.equal(leaf.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '10.1.2.3'])
    assert.ok(leaf.checkIP(address), address);
  assert.equal(leaf.checkHost('other.example'), undefined);
  assert.equal(new X509Certificate(admin.cert).subject, 'O=system:masters\nCN=sluice-admin');
  assert.ok(new X509Certificate(authority.cert).ca);
  const serials = [authority, serving, admin].map(({ cert }) => new X509Certificate(cert).serialNumber);
  assert.equal(new Set(serials).size, 3);
});

test('makeCertificates() takes less than 200 ms', () => {
  const start = performance.now();
  makeCertificates(NAMES, NOW);
  assert.ok(performance.now() - start < 200);
});

test('makeCertificates() makes what a handshake accepts on both sides', async (t) => {
  const { authority, serving, admin } = makeCertificates(NAMES, NOW);
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

test('openCertificates() keeps what it made, with keys only their owner can read', (t) => {
  const directory = temporary(t);
  const first = openCertificates(directory, NAMES, NOW);
  assert.deepEqual(openCertificates(directory, NAMES, NOW), first);
  assert.deepEqual(openCertificates(directory, ['localhost'], NOW), first);
  for (const name of ['ca.key', 'apiserver.key', 'admin.key']) {
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
  }
});

test('openCertificates() makes leaves anew when they end soon, lack a name, are broken or of another authority', (t) => {
  const directory = temporary(t);
  const first = openCertificates(directory, NAMES, NOW);
  const then = new Date(NOW.getTime() + 340 * DAY_MS);
  const later = openCertificates(directory, NAMES, then);
  assertRenewed(first, later, ['serving', 'admin']);
  const named = openCertificates(directory, [...NAMES, 'more.example'], then);
  assertRenewed(later, named, ['serving']);
  writeFileSync(join(directory, 'admin.crt'), 'broken');
  const repaired = openCertificates(directory, NAMES, then);
  assertRenewed(named, repaired, ['admin']);
  const { cert, key } = makeCertificates(NAMES, then).serving;
  writeFileSync(join(directory, 'apiserver.crt'), cert);
  writeFileSync(join(directory, 'apiserver.key'), key);
  assertRenewed({ ...repaired, serving: { cert, key } }, openCertificates(directory, NAMES, then), [
    'serving',
  ]);
});

test('openCertificates() leaves an authority it can not use to a person', (t) => {
  const directory = temporary(t);
  openCertificates(directory, NAMES, NOW);
  assert.throws(
    () => openCertificates(directory, NAMES, new Date(NOW.getTime() + 4000 * DAY_MS)),
    /ca\.crt has expired/,
  );
  const key = readFileSync(join(directory, 'ca.key'), 'utf8');
  writeFileSync(join(directory, 'ca.key'), 'broken');
  assert.throws(() => openCertificates(directory, NAMES, NOW), /are not a certificate and its key/);
  rmSync(join(directory, 'ca.key'));
  assert.throws(() => openCertificates(directory, NAMES, NOW), /ca\.key is missing/);
  writeFileSync(join(directory, 'ca.key'), key);
  openCertificates(directory, NAMES, NOW);
});

test('servingNames() has no address that stands for all', () => {
  assert.ok(!servingNames('0.0.0.0').includes('0.0.0.0') && !servingNames('::').includes('::'));
  assert.ok(servingNames('192.0.2.7').includes('192.0.2.7'));
});

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
