// The command `sluice convert` from outside: files, pipes, errors, exit codes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));
const POD = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}}';
const YAML =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: c\n    resources: {}\nstatus: {}\n';

const folder = mkdtempSync(join(tmpdir(), 'sluice-convert-'));
after(() => rmSync(folder, { recursive: true }));

test('sluice convert reads standard input and writes standard output', () => {
  const protobuf = command(['--from', 'json', '--to', 'protobuf'], POD);
  assert.equal(protobuf.stdout.subarray(0, 4).toString('latin1'), 'k8s\0');
  const yaml = command(['--from', 'protobuf', '--to', 'yaml'], protobuf.stdout);
  assert.equal(yaml.stdout.toString(), YAML);
  assert.deepEqual([yaml.stderr.toString(), yaml.status], ['', 0]);
});

test('sluice convert reads a file', () => {
  const file = join(folder, 'pod.json');
  writeFileSync(file, POD);
  assert.equal(command(['--from=json', '--to=yaml', file]).stdout.toString(), YAML);
});

test('sluice convert reads what kube-apiserver stores in etcd', () => {
  // Of kube-apiserver 1.37.2; managedFields were left out.
  const value = Buffer.from(
    'azhzAAoMCgJ2MRIGU2VjcmV0EmIKTAoBcxIAGgdkZWZhdWx0IgAqJDI0ZDg4Y2NiLWE4MTctNDFlOC1hZjM3LWY1MGY5NTlhOGQ1YTIAOABCCAjew7vYBhAAWgYKAWESAWISCgoBaxIFaGVsbG8aBk9wYXF1ZRoAIgA=',
    'base64',
  );
  const yaml = `apiVersion: v1
data:
  k: aGVsbG8=
kind: Secret
metadata:
  creationTimestamp: "2026-12-01T15:03:58Z"
  labels:
    a: b
  name: s
  namespace: default
  uid: 24d88ccb-a817-41e8-af37-f50f959a8d5a
type: Opaque
`;
  assert.equal(command(['--from=protobuf', '--to=yaml'], value).stdout.toString(), yaml);
});

test('sluice convert tells errors on standard error and by its exit code', () => {
  const cases: [string[], string, number, RegExp][] = [
    [['--from', 'json', '--to', 'yaml'], '{', 1, /^sluice convert: unexpected end of JSON input\n$/],
    [['--from', 'json', '--to', 'yaml', join(folder, 'none')], '', 1, /^sluice convert: ENOENT/],
    [['--from', 'json'], '', 2, /^--to is missing\nusage: /],
    [['--from', 'xml', '--to', 'json'], '', 2, /^--from must be one of json, pretty, yaml, protobuf, cbor\n/],
    [['--from', 'json', '--to', 'json', 'a', 'b'], '', 2, /^unexpected argument b\n/],
  ];
  for (const [args, input, code, error] of cases) {
    const { stdout, stderr, status } = command(args, input);
    assert.equal(stdout.toString(), '');
    assert.match(stderr.toString(), error);
    assert.equal(status, code);
  }
});

test('sluice convert warns of unknown fields, of twenty at most', () => {
  const items = Array.from({ length: 25 }, () => '{"oops":1}').join();
  const list = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[${items}]}`;
  const { stderr, status } = command(['--from', 'json', '--to', 'json'], list);
  const warnings = stderr.toString().trimEnd().split('\n');
  assert.equal(warnings.length, 21);
  assert.equal(warnings[3], 'warning: unknown field "items[3].oops"');
  assert.equal(warnings[20], '5 more warnings');
  assert.equal(status, 0);
});

test('sluice convert stops quietly when its reader has seen enough', async () => {
  const item = `{"metadata":{"name":"a"},"data":{"k":"${'x'.repeat(1000)}"}}`;
  const items = Array.from({ length: 20_000 }, () => item).join();
  const file = join(folder, 'list.json');
  writeFileSync(file, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[${items}]}`);
  const child = spawn(process.execPath, [PROGRAM, 'convert', '--from', 'json', '--to', 'yaml', file]);
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  assert.match(first.toString(), /^apiVersion: v1\nitems:\n- data:\n {4}k: x/);
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  assert.deepEqual([code, errors], [0, '']);
});

function command(
  args: string[],
  input: string | Buffer = '',
): { stdout: Buffer; stderr: Buffer; status: number | null } {
  return spawnSync(process.execPath, [PROGRAM, 'convert', ...args], { input });
}
