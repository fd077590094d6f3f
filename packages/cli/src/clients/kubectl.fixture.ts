// kubectl with a server and a home of its own, for tests.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startOwnServer } from '../own-server.ts';
import { type Ended, lacks, run } from './program.fixture.ts';

/** A client that waits for what never comes should not hold up everything else. */
export const options: { skip: false | string; timeout: number } = {
  skip: lacks('kubectl', 'version', '--client'),
  timeout: 120_000,
};

export type Kubectl = (args: string, input?: string) => Promise<Ended>;

/** A kubectl of a server of its own. Arguments are parted by spaces. */
export async function open(t: TestContext): Promise<Kubectl> {
  const { kubeconfig } = await served(t);
  const env = environment(t, kubeconfig);
  return (args, input) => run('kubectl', args.split(' '), { env, ...(input !== undefined && { input }) });
}

export async function served(t: TestContext): Promise<{ kubeconfig: string }> {
  const server = await startOwnServer([]);
  t.after(() => server.stop());
  return server;
}

/** kubectl remembers discovery in its home: each test has one of its own. */
export function environment(t: TestContext, kubeconfig: string): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-kubectl-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return { KUBECONFIG: kubeconfig, HOME: home };
}

/** What it writes when it succeeds. */
export async function said(kubectl: Kubectl, args: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  assert.equal(code, 0, `kubectl ${args}: ${stderr}`);
  return stdout;
}
