// Builds the Go program of reference/informers, where Go and its modules are, and speaks with it line by line.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lacks, run, start } from './program.fixture.ts';

const SOURCE = fileURLToPath(new URL('../../../../reference/informers', import.meta.url));
/** Modules that are here already, and no others: a test brings nothing from afar. */
const OFFLINE = { GOPROXY: 'off', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' };

/** For a test's `skip`: false, or why the program can't be built. */
export function lacksProgram(): false | string {
  const without = lacks('go', 'version');
  if (without) return without;
  const env = { ...process.env, ...OFFLINE };
  const { status } = spawnSync('go', ['list', '-deps', '.'], { cwd: SOURCE, env, stdio: 'ignore' });
  return status === 0 ? false : 'the Go modules are not here: run `go mod download` in reference/informers';
}

let built: Promise<string> | undefined;

/** The program's path. It is built once for all tests of a file. */
export function program(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-informers-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'informers');
  const { code, stderr } = await run('go', ['build', '-o', path, '.'], { cwd: SOURCE, env: OFFLINE });
  if (code !== 0) throw new Error(`go build: ${stderr}`);
  return path;
}

export interface Holding {
  readonly pid: number;
  /** Resolves with the next thing it tells. */
  // biome-ignore lint/suspicious/noExplicitAny: what is told differs.
  told(): Promise<any>;
  /** What its informer holds beside what the server has, once both are the same. */
  compare(): Promise<Held>;
}

export type Held = {
  objects: number;
  different: string[];
  begun: number;
  failed: number;
  added: number;
  updated: number;
  deleted: number;
};

export async function startProgram(t: TestContext, args: readonly string[]): Promise<Holding> {
  const child = start(await program(), args);
  t.after(() => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  });
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => said.push(line));
  const lines = createInterface({ input: child.stdout! });
  const waiting: string[] = [];
  lines.on('line', (line) => waiting.push(line));
  const ended = once(child, 'close');
  const told = async () => {
    while (waiting.length === 0) {
      const [next] = await Promise.race([once(lines, 'line'), ended.then(() => [undefined])]);
      if (next === undefined && waiting.length === 0) {
        throw new Error(`the program ended\n${said.slice(-20).join('\n')}`);
      }
    }
    return JSON.parse(waiting.shift()!);
  };
  return {
    pid: child.pid!,
    told,
    compare() {
      child.stdin!.write('compare\n');
      return told();
    },
  };
}
