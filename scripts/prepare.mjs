// Makes a clone runnable: `npm ci` when the lock changed, then `tsc --build`, then the benchmark's page; outputs whose source is gone are removed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = join(root, '.prepared');

installWhenLockChanged();
removeOrphans();
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--build', root]);
run(process.execPath, [join(root, 'scripts/page.mjs')]);

function installWhenLockChanged() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const done =
    existsSync(mark) && existsSync(join(root, 'node_modules')) && readFileSync(mark, 'utf8') === hash;
  if (done) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(mark, hash);
}

/** A renamed test would otherwise go on running from its old output. */
function removeOrphans() {
  for (const name of readdirSync(join(root, 'packages'))) {
    const dist = join(root, 'packages', name, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { recursive: true })) {
      const source = join(root, 'packages', name, 'src', file.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts'));
      if (/\.(d\.ts|js|js\.map)$/.test(file) && !existsSync(source)) {
        rmSync(join(dist, file));
        rmSync(join(root, 'packages', name, 'tsconfig.tsbuildinfo'), { force: true });
      }
    }
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
