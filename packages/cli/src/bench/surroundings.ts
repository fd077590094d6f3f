// What a run writes down of its surroundings: machine, versions, commit.
import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { type Contestant, RESULTS_SCHEMA, type Run, readVersion } from '@sluice/bench';
import { SLUICE_VERSION } from '@sluice/server';

export async function describeRun(
  contestants: readonly Contestant[],
  flags: readonly string[],
  ceilings: Record<string, number>,
): Promise<Run> {
  const now = new Date();
  const subjects = new Map<string, string>();
  for (const { subject } of contestants) subjects.set(subject.name, await readVersion(subject));
  return {
    type: 'run',
    schema: RESULTS_SCHEMA,
    id: runId(now),
    startedAt: now.toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      system: `${type()} ${release()}`,
    },
    versions: {
      node: process.version,
      sluice: SLUICE_VERSION,
      curl: firstLine('curl', ['--version']) ?? 'none',
    },
    commit: firstLine('git', ['-C', import.meta.dirname, 'rev-parse', 'HEAD']) ?? null,
    flags: [...flags],
    subjects: [...subjects].map(([name, version]) => ({ name, version })),
    ceilings,
  };
}

/** Seconds, as a file's name can hold them. */
export function runId(now: Date): string {
  return now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

function firstLine(program: string, args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}
