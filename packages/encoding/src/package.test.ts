// The package as npm makes it: what is in it, and that it works where nothing else is.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkThings, readReadme } from './readme.fixture.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-encoding-'));
after(() => rmSync(folder, { recursive: true }));

type Packed = { filename: string; files: { path: string }[] };

const [packed] = JSON.parse(npm(PACKAGE, 'pack', '--json', '--pack-destination', folder)) as [Packed];

test('npm pack takes what is run, its types and the README, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const odd = paths.filter((path) => !/^(package\.json|README\.md|dist\/.+\.(js|d\.ts))$/.test(path));
  assert.deepEqual(odd, []);
  assert.deepEqual(
    paths.filter((path) => /test|fixture|readme-|tsbuildinfo/.test(path)),
    [],
  );
  for (const path of paths.filter((one) => one.endsWith('.js'))) {
    assert.ok(paths.includes(path.replace(/js$/, 'd.ts')), path);
  }
});

test('installed from the tarball, without a network, it runs the example on node:http', async () => {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', packed.filename);
  const installed = join(folder, 'node_modules/@sluice/encoding');
  const { exports, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
  for (const path of Object.values(exports['.'] as Record<string, string>)) {
    assert.ok(existsSync(join(installed, path)), path);
  }
  const { blocks } = readReadme();
  for (const name of ['answer.js', 'http.js']) writeFileSync(join(folder, name), blocks.get(name)!);
  writeFileSync(join(folder, 'port.js'), PORT);
  const child = spawn(process.execPath, ['port.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    await checkThings(`http://localhost:${port}/`);
  } finally {
    child.kill();
  }
});

/** Tells where the example's server listens. */
const PORT = `import { server } from './http.js';
server.once('listening', () => process.stdout.write(String(server.address().port)));
`;

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
