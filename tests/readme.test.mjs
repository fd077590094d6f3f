// Runs every command of README.md's console blocks, in order, in a directory that looks like a fresh clone.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is run in place of what is written: only so that a port that is taken, or this test itself, doesn't matter. */
const SUBSTITUTIONS = [
  { written: /^npm start$/, run: 'npm start -- --secure-port 0' },
  { written: /https:\/\/127\.0\.0\.1:6443\b/g, run: ({ url }) => url },
  // Not from within itself: that the script exists is enough.
  { written: /^npm test\b.*$/, run: 'npm pkg get scripts.test | grep -q node' },
];
/** Such a command goes on until it is stopped; it is ready when it has said so. */
const SERVER = /^(npm start|npx sluice serve)\b/;
/** Programs that a machine may lack; the commands that need them are then seen to be skipped. */
const PROGRAMS = ['kubectl', 'curl'];
const LIMIT_MS = 10 * 60_000;

test('the commands of README.md work as they stand there', { timeout: LIMIT_MS }, async (t) => {
  const commands = parseCommands(readFileSync(join(root, 'README.md'), 'utf8'));
  assert.ok(commands.length > 0);
  const directory = makeClone(t);
  const shell = openShell(t, directory);
  const place = { url: 'https://127.0.0.1:6443' };
  for (const command of commands) {
    const missing = PROGRAMS.find((program) => command.includes(program) && !exists(program));
    const skip = missing === undefined ? false : `there is no ${missing} here`;
    await t.test(command.split('\n')[0], { skip }, async () => {
      const substituted = substitute(command, place);
      if (SERVER.test(command)) {
        place.url = await serve(t, substituted, directory);
        return;
      }
      const { code, output } = await shell(substituted);
      assert.equal(code, 0, `${command}\n${output}`);
    });
  }
});

test('parseCommands() takes commands with what belongs to them, and no output', () => {
  const text = [
    'Text with `$ code`.',
    '```console',
    '$ one --flag',
    'its output',
    '$ two - <<EOF',
    'a: b',
    '$ c',
    'EOF',
    'output',
    '$ three \\',
    '    more',
    '```',
    '```js',
    '$ not this',
    '```',
    '```console',
    '$ four',
    '```',
  ].join('\n');
  assert.deepEqual(parseCommands(text), [
    'one --flag',
    'two - <<EOF\na: b\n$ c\nEOF',
    'three \\\n    more',
    'four',
  ]);
});

function parseCommands(markdown) {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return blocks.flatMap((block) => {
    const commands = [];
    const lines = block.split('\n');
    while (lines.length > 0) {
      const line = lines.shift();
      if (!line.startsWith('$ ')) continue;
      const command = [line.slice(2)];
      while (command.at(-1).endsWith('\\')) command.push(lines.shift());
      const [, end] = /<<-?\s*['"]?(\w+)['"]?/.exec(command.join('\n')) ?? [];
      while (end !== undefined && command.at(-1) !== end) {
        assert.ok(lines.length > 0, `no ${end} in a console block`);
        command.push(lines.shift());
      }
      commands.push(command.join('\n'));
    }
    return commands;
  });
}

function substitute(command, place) {
  return SUBSTITUTIONS.reduce(
    (text, { written, run }) => text.replace(written, typeof run === 'string' ? run : run(place)),
    command,
  );
}

function exists(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** What the repository holds, by links, so that what commands write stays apart from it. */
function makeClone(t) {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-readme-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of readdirSync(root)) {
    if (name === 'sluice-data' || name.startsWith('.')) continue;
    // npm works where package.json really is.
    if (name === 'package.json') cpSync(join(root, name), join(directory, name));
    else symlinkSync(join(root, name), join(directory, name));
  }
  return directory;
}

/** One shell for all, as in a person's terminal: what one command exports the next one sees. */
function openShell(t, directory) {
  const { KUBECONFIG: _, ...env } = process.env;
  const child = spawn('bash', ['--noprofile', '--norc', '-o', 'pipefail'], {
    cwd: directory,
    env: { ...env, HOME: directory },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  let whenDone;
  const take = (text) => {
    output += text;
    const done = /^::done ([0-9]+)$/m.exec(output);
    if (done) whenDone({ code: Number(done[1]), output });
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  return (command) => {
    output = '';
    child.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n::done %s\\n' $?\n`);
    return new Promise((resolve) => {
      whenDone = resolve;
    });
  };
}

/** Resolves with its address once it is ready; it is stopped when the whole test is over. */
async function serve(t, command, directory) {
  const child = spawn('bash', ['-c', `exec ${command}`], { cwd: directory, detached: true });
  // npm, and the server it has started.
  t.after(() => {
    child.removeAllListeners('exit');
    process.kill(-child.pid, 'SIGTERM');
  });
  const said = [];
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const [, address] = /^ready (https:\S+)/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    child.on('exit', () => reject(new Error(`${command} ended: ${said.join('\n')}`)));
  });
  t.diagnostic(said.at(-1));
  return url;
}
