// A server that keeps its data, certificates and port over a restart, as clients that watch it meet one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { readKubeconfig } from '../kubeconfig.ts';
import { startOwnServer } from '../own-server.ts';

export type Restartable = { kubeconfig: string; restart(): Promise<void> };

export async function startRestartable(t: TestContext, flags: readonly string[] = []): Promise<Restartable> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-restartable-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const kept = ['--in-memory=false', `--data-dir=${directory}`, `--cert-dir=${join(directory, 'pki')}`];
  const all = [...kept, `--kubeconfig-out=${kubeconfig}`, ...flags];
  let server = await startOwnServer(all);
  const { port } = new URL(readKubeconfig(kubeconfig).server);
  t.after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    kubeconfig,
    async restart() {
      await server.stop();
      server = await startOwnServer([...all, `--secure-port=${port}`]);
    },
  };
}
