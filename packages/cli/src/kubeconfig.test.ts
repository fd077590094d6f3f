// Kubeconfig files: what is written is read back, and other tools' ways of writing them are understood.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readKubeconfig, writeKubeconfig } from './kubeconfig.ts';

test('readKubeconfig() reads what writeKubeconfig() wrote, for its owner only', (t) => {
  const file = join(temporary(t), 'config');
  writeKubeconfig(file, 'https://[::1]:6443', 'the ca\n', { cert: 'a cert\n', key: 'a key\n' });
  assert.deepEqual(readKubeconfig(file), {
    server: 'https://[::1]:6443',
    ca: 'the ca\n',
    cert: 'a cert\n',
    key: 'a key\n',
    token: undefined,
    insecure: false,
  });
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('readKubeconfig() reads flow style, JSON, tokens and files beside it', (t) => {
  const directory = temporary(t);
  writeFileSync(join(directory, 'ca.crt'), 'CA');
  writeFileSync(join(directory, 'token'), 'secret\n');
  const config = {
    clusters: [
      { name: 'a', cluster: { server: 'https://a:1', 'insecure-skip-tls-verify': true } },
      { name: 'b', cluster: { server: 'https://b:1', 'certificate-authority': 'ca.crt' } },
    ],
    users: [
      { name: 'u', user: { token: 't' } },
      { name: 'v', user: { tokenFile: 'token' } },
    ],
    contexts: [
      { name: 'one', context: { cluster: 'a', user: 'u' } },
      { name: 'two', context: { cluster: 'b', user: 'v' } },
    ],
    'current-context': 'one',
  };
  const file = join(directory, 'config');
  writeFileSync(file, JSON.stringify(config));
  const one = readKubeconfig(file);
  assert.deepEqual([one.server, one.token, one.insecure, one.ca], ['https://a:1', 't', true, undefined]);
  writeFileSync(file, JSON.stringify({ ...config, 'current-context': 'two' }));
  const two = readKubeconfig(file);
  assert.deepEqual([two.server, two.token, two.insecure, two.ca], ['https://b:1', 'secret', false, 'CA']);
  writeFileSync(
    file,
    'clusters: [{name: c, cluster: {server: "http://c"}}]\ncontexts: [{name: x, context: {cluster: c}}]\n',
  );
  assert.equal(readKubeconfig(file).server, 'http://c');
});

test('readKubeconfig() names the file and what it lacks', (t) => {
  const file = join(temporary(t), 'config');
  assert.throws(() => readKubeconfig(file), /^Error: kubeconfig .*config: ENOENT/);
  for (const [text, problem] of [
    ['', 'is not a map of settings'],
    ['contexts: []', 'has no current context'],
    ['current-context: x', 'has no context "x"'],
    ['contexts: [{name: x, context: {cluster: c}}]', 'has no cluster "c"'],
    [
      'clusters: [{name: c, cluster: {}}]\ncontexts: [{name: x, context: {cluster: c}}]',
      'cluster "c" has no server',
    ],
  ] as const) {
    writeFileSync(file, text);
    assert.throws(() => readKubeconfig(file), { message: `kubeconfig ${file}: ${problem}` }, problem);
  }
});

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-kubeconfig-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
