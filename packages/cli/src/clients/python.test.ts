// Kubernetes' own Python client, as it is from PyPI: lists, pages, a watch stream, manifests, the dynamic client.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startOwnServer } from '../own-server.ts';
import { lacks, run } from './program.fixture.ts';

const PROGRAM = fileURLToPath(new URL('../../testdata/python-client.py', import.meta.url));
const options = { skip: lacksClient(), timeout: 120_000 };

const MANIFEST = `apiVersion: v1
kind: ConfigMap
metadata: {name: greeting, labels: {app: demo}}
data: {text: hello}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "example.test/web:1"}]}
`;

test("Python's client lists, pages, watches and creates from YAML", options, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-python-'));
  const server = await startOwnServer([]);
  t.after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const manifest = join(directory, 'manifest.yaml');
  writeFileSync(manifest, MANIFEST);
  const { code, stdout, stderr } = await run('python3', [PROGRAM, server.kubeconfig, manifest]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    created: ['greeting'],
    replicas: 3,
    again: [409],
    paged: 26,
    labelled: ['greeting'],
    events: [
      ['ADDED', 'watched', { k: 'v' }],
      ['MODIFIED', 'watched', { k: 'ü\n€' }],
      ['MODIFIED', 'watched', { k: 'ü\n€', more: 'y' }],
      ['DELETED', 'watched', { k: 'ü\n€', more: 'y' }],
    ],
    dynamic: 26,
    gone: [404, 'NotFound'],
  });
});

/** False, or why the client can't be asked. */
function lacksClient(): false | string {
  const without = lacks('python3', '--version');
  if (without) return without;
  const { status } = spawnSync('python3', ['-c', 'import kubernetes'], { stdio: 'ignore' });
  return status === 0 ? false : 'python3 has no package kubernetes here';
}
