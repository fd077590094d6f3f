// Runs the tests on other Node majors: `npm run test:nodes`, or `node scripts/test-nodes.mjs 22 24 [WORD...]` for some tests.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const majors = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const words = process.argv.slice(2).filter((word) => !majors.includes(word));

run(process.execPath, ['scripts/prepare.mjs']);
for (const major of majors) {
  const node = installNode(major);
  // Tests that start a `node` of their own get the same one.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  run(node, ['-p', '"Node " + process.version'], env);
  run(node, ['scripts/test.mjs', ...words], env);
}

/** npm has the binaries, in one package for each platform: unpacking it is enough, no install script runs. */
function installNode(major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const prefix = join(root, 'node_modules', '.cache', `node-${major}`);
  const binary = platform === 'win' ? 'node.exe' : 'node';
  const node = join(prefix, 'node_modules', name, 'bin', binary);
  if (existsSync(node)) return node;
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', '--prefix', prefix, ...quiet, `${name}@${major}`]);
  return node;
}

function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
