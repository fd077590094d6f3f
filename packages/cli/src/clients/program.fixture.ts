// Runs a program a person would run, and tells whether this machine has it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** For a test's `skip`: false, or why it can't run. */
export function lacks(program: string, ...versionArguments: string[]): false | string {
  const { error } = spawnSync(program, versionArguments, { stdio: 'ignore' });
  return error ? `there is no ${program} here` : false;
}

export type Ended = { code: number | null; stdout: string; stderr: string };

export type RunOptions = { env?: Record<string, string>; cwd?: string; input?: string };

export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  const child = start(program, args, options);
  let [stdout, stderr] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin!.on('error', () => {});
  child.stdin!.end(options.input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

export function start(program: string, args: readonly string[], { env, cwd }: RunOptions = {}): ChildProcess {
  return spawn(program, args, { env: { ...process.env, ...env }, ...(cwd !== undefined && { cwd }) });
}
