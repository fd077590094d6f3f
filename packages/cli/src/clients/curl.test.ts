// curl, as it is: both protocols, compressed or not, fast and slow, say the same.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readKubeconfig } from '../kubeconfig.ts';
import { startOwnServer } from '../own-server.ts';
import { run as seed } from '../seed.ts';
import { lacks, run } from './program.fixture.ts';

const options = { skip: lacks('curl', '--version'), timeout: 120_000 };
const PODS = 150;

test('curl gets the same list over HTTP/1.1 and HTTP/2, plain, compressed and slowly', options, async (t) => {
  const { directory, url, credentials } = await open(t);
  const bodies: Buffer[] = [];
  for (const protocol of ['--http1.1', '--http2']) {
    for (const more of [
      [],
      ['--compressed'],
      ['--limit-rate', '3M'],
      ['--compressed', '--limit-rate', '200k'],
    ]) {
      const file = join(directory, `${bodies.length}.json`);
      const format = '%{http_code} %{http_version} %{size_download}';
      const args = ['-sS', ...credentials, protocol, ...more, '-o', file, '-w', format, `${url}/api/v1/pods`];
      const { code, stdout, stderr } = await run('curl', args);
      assert.equal(code, 0, stderr);
      const [status, version, bytes] = stdout.split(' ');
      assert.deepEqual([status, version], ['200', protocol === '--http2' ? '2' : '1.1']);
      bodies.push(readFileSync(file));
      assert.equal(Number(bytes) < bodies.at(-1)!.length, more.includes('--compressed'));
    }
  }
  assert.equal(JSON.parse(bodies[0]!.toString()).items.length, PODS);
  for (const body of bodies) assert.ok(body.equals(bodies[0]!));
});

test('curl shows the headers of kube-apiserver', options, async (t) => {
  const { url, credentials } = await open(t);
  const { stdout } = await run('curl', [
    '-sS',
    '-i',
    '--http1.1',
    ...credentials,
    `${url}/api/v1/namespaces/none/pods/none`,
  ]);
  assert.match(stdout, /^HTTP\/1\.1 404 Not Found\r\n/);
  assert.match(stdout, /\r\nAudit-Id: [0-9a-f-]{36}\r\n/i);
  assert.match(stdout, /\r\nContent-Type: application\/json\r\n/i);
  assert.match(stdout, /"reason": ?"NotFound"/);
});

async function open(t: TestContext): Promise<{ directory: string; url: string; credentials: string[] }> {
  const server = await startOwnServer([]);
  const directory = mkdtempSync(join(tmpdir(), 'sluice-curl-'));
  t.after(async () => {
    rmSync(directory, { recursive: true, force: true });
    await server.stop();
  });
  const code = await seed(['--kubeconfig', server.kubeconfig, '--kind', 'pods', '--count', `${PODS}`]);
  assert.equal(code, 0);
  const { server: url, ca, cert, key } = readKubeconfig(server.kubeconfig);
  const credentials = Object.entries({ cacert: ca, cert, key }).flatMap(([name, text]) => {
    writeFileSync(join(directory, name), text!, { mode: 0o600 });
    return [`--${name}`, join(directory, name)];
  });
  return { directory, url, credentials };
}
