// Runs the built tests: all of them, or those whose path contains one of the given words. Node 20's runner expands no globs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const files = [...builtTests(), ...houseTests()].filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
if (files.length === 0) {
  console.error(`no test matches ${words.join(' ')}`);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', '--test-concurrency=2', ...files],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);

function builtTests() {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const dist = join(root, 'packages', name, 'dist');
    if (!existsSync(dist)) return [];
    return readdirSync(dist, { recursive: true })
      .filter((file) => file.endsWith('.test.js'))
      .map((file) => join('packages', name, 'dist', file));
  });
}

function houseTests() {
  return readdirSync(join(root, 'tests'))
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => join('tests', file));
}
