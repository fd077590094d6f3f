// Runs the tests on other Node majors: `npm run test:nodes -- 22 24`. npm's package `node` brings the binaries.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
for (const major of process.argv.slice(2)) {
  console.log(`Node ${major}`);
  const { status } = spawnSync(
    'npx',
    ['--yes', '--ignore-scripts=false', '--package', `node@${major}`, '--', 'node', 'scripts/test.mjs'],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
