// The command as a person meets it: ready line, files, signals, and one clear line when it can't start.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Access, readKubeconfig } from './kubeconfig.ts';

const COMMAND = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));

test('sluice serve tells where it is ready, and answers the administrator of its kubeconfig', async (t) => {
  const directory = temporary(t);
  const pidFile = join(directory, 'pid');
  const { child, line } = await served(t, ['--data-dir', directory, '--pid-file', pidFile]);
  const [, url, kubeconfig] = /^ready (https:\/\/127\.0\.0\.1:[0-9]+) kubeconfig (.+)$/.exec(line) ?? [];
  assert.equal(kubeconfig, join(directory, 'kubeconfig'));
  assert.equal(readFileSync(pidFile, 'utf8'), `${child.pid}\n`);
  const access = readKubeconfig(kubeconfig ?? '');
  assert.equal(access.server, url);
  assert.equal(await ask(access, '/readyz'), '200 ok');
  assert.match(await ask(access, '/api/v1/nodes'), /^200 \{"kind":"NodeList"/);
  assert.match(await ask({ ...access, cert: undefined, key: undefined }, '/api/v1/nodes'), /^403 /);
  assert.deepEqual(await ended(child, 'SIGTERM'), { code: 0, signal: null });
  assert.equal(existsSync(pidFile), false);
});

test('sluice serve --in-memory leaves nothing behind', async (t) => {
  const { child, line } = await served(t, ['--in-memory']);
  const kubeconfig = line.split(' kubeconfig ')[1] ?? '';
  assert.equal(existsSync(kubeconfig), true);
  assert.deepEqual(await ended(child, 'SIGINT'), { code: 0, signal: null });
  assert.equal(existsSync(kubeconfig), false);
});

test('sluice serve knows the users of its token file', async (t) => {
  const directory = temporary(t);
  writeFileSync(join(directory, 'tokens'), 'secret,jane,1,"system:masters"\n');
  const { child, line } = await served(t, ['--in-memory', '--token-auth-file', join(directory, 'tokens')]);
  const access = readKubeconfig(line.split(' kubeconfig ')[1] ?? '');
  const byToken = { ...access, cert: undefined, key: undefined };
  assert.match(await ask({ ...byToken, token: 'secret' }, '/api/v1/nodes'), /^200 /);
  assert.match(await ask({ ...byToken, token: 'wrong' }, '/healthz'), /^401 /);
  await ended(child, 'SIGTERM');
});

test('sluice serve starts again on its data with the same certificates', async (t) => {
  const directory = temporary(t);
  const first = await served(t, ['--data-dir', directory]);
  const { ca } = readKubeconfig(join(directory, 'kubeconfig'));
  await ended(first.child, 'SIGTERM');
  const second = await served(t, ['--data-dir', directory]);
  const again = readKubeconfig(join(directory, 'kubeconfig'));
  assert.equal(again.ca, ca);
  assert.equal(await ask(again, '/readyz'), '200 ok');
  await ended(second.child, 'SIGTERM');
});

test('sluice says in one line why it can not start, and ends with 1', async (t) => {
  const directory = temporary(t);
  const { child } = await served(t, ['--data-dir', directory]);
  const damaged = temporary(t);
  mkdirSync(join(damaged, 'store'));
  writeFileSync(join(damaged, 'store', 'data.mdb'), 'not a store');
  const broken = temporary(t);
  mkdirSync(join(broken, 'pki'));
  writeFileSync(join(broken, 'pki', 'ca.crt'), 'broken');
  for (const [args, expected] of [
    [
      ['serve', '--data-dir', directory, '--secure-port', '0'],
      /^sluice serve: .*\/store is open in the process .*\n$/,
    ],
    [['serve', '--data-dir', damaged, '--secure-port', '0'], /^sluice serve: .+\n$/],
    [['serve', '--data-dir', broken, '--secure-port', '0'], /^sluice serve: .*ca\.key is missing.*\n$/],
    [['serve', '--in-memory', '--token-auth-file', '/nope'], /^sluice serve: token file \/nope: ENOENT.*\n$/],
    [
      ['serve', '--in-memory', '--secure-prot=1'],
      /^sluice serve: unknown flag --secure-prot; did you mean --secure-port\?\n$/,
    ],
    [
      ['serve', '--in-memory', '--feature-gates=Nope=true'],
      /^sluice serve: --feature-gates Nope=true: unrecognized feature gate Nope; there are CBORServingAndStorage, .*\n$/,
    ],
    [['serf'], /^sluice: no command serf\n/],
  ] as const) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, expected, args.join(' '));
  }
  await ended(child, 'SIGTERM');
});

test('sluice tells its commands, their flags, and its version', async () => {
  for (const [args, expected] of [
    [['help'], /^usage: sluice COMMAND.+ serve .+ conformance /s],
    [['serve', '--help'], /--secure-port PORT/],
    [['version'], /^sluice [0-9]+\.[0-9]+\.[0-9]+, serves Kubernetes v1\.37\./],
    [['serve', '--version'], /^sluice [0-9]/],
  ] as const) {
    const { code, stdout } = await run(args);
    assert.equal(code, 0);
    assert.match(stdout, expected);
  }
});

async function served(
  t: TestContext,
  flags: readonly string[],
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--secure-port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return { child, line: await new Promise((resolve) => lines.once('line', resolve)) };
}

function ended(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; signal: string | null }> {
  child.kill(signal);
  return new Promise((resolve) => child.once('exit', (code, by) => resolve({ code, signal: by })));
}

function run(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

function ask({ server, ca, cert, key, token }: Access, path: string): Promise<string> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = https.get(
      `${server}${path}`,
      { ca, cert, key, headers, agent: false },
      async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve(`${response.statusCode} ${body}`);
      },
    );
    request.on('error', reject);
  });
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-serve-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
