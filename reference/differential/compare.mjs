// Holds Sluice to the Go libraries: `node reference/differential/compare.mjs [--seed N] [--count N] [--first N] [--keep FILE]`.
//
// The Go program makes random bodies and tells what the libraries make of them; here the built packages do the same, and
// every difference is told. Exit code 1 when there is one. --keep appends the lines of those to a file.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { differences } from '../../packages/resources/dist/differential.fixture.js';
import { typeOfKind } from '../../packages/resources/dist/index.js';

/** Differences that are shown; all are counted. */
const SHOWN = 20;
const PROGRAM = fileURLToPath(new URL('./differential', import.meta.url));

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '200000' },
    keep: { type: 'string' },
  },
});
build();
process.exitCode = (await compare()) > 0 ? 1 : 0;

function build() {
  const { status, error } = spawnSync('go', ['build', '-o', PROGRAM, '.'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: 'inherit',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

async function compare() {
  const { seed, first, count } = values;
  const args = ['-seed', seed, '-first', first, '-count', count, ...knownKinds()];
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  const counts = new Map();
  let differing = 0;
  let bodies = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line);
    bodies++;
    const found = differences(answer, (what) => counts.set(what, (counts.get(what) ?? 0) + 1));
    if (found.length === 0) continue;
    differing++;
    if (values.keep !== undefined) appendFileSync(values.keep, `${line}\n`);
    if (differing <= SHOWN) show(answer, found);
  }
  const [code] = await closed;
  if (code !== 0 || bodies !== Number(count))
    throw new Error(`${PROGRAM} made ${bodies} bodies, exit code ${code}`);
  for (const [what, times] of counts) console.log(`${String(times).padStart(8)} ${what}`);
  console.log(`${bodies} bodies, ${differing} of them differ (seed ${seed}, from ${first})`);
  return differing;
}

/** Kinds that Sluice has fields of: older versions that nothing serves are left out. */
function knownKinds() {
  const { stdout } = spawnSync(PROGRAM, ['-list'], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .filter((name) => {
      const [groupVersion, kind] = name.split(' ');
      const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
      return (typeOfKind({ group, version, kind }) ?? '') !== '';
    });
}

function show({ n, from, group, version, kind, body }, found) {
  console.log(
    `body ${n}: ${group}/${version} ${kind} from ${from}: ${Buffer.from(body, 'base64').toString('latin1').slice(0, 300)}`,
  );
  for (const { what, wanted, got } of found)
    console.log(`  ${what}\n    Go:     ${wanted}\n    Sluice: ${got}`);
}
