// kubectl's ways to list, to look closely, to wait and to ask what it may, each as it is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { environment, type Kubectl, open, options, said, served } from './kubectl.fixture.ts';
import { run, start } from './program.fixture.ts';

const PODS = 25;
const NAMES = Array.from({ length: PODS }, (_, index) => `p${String(index).padStart(2, '0')}`);

test('kubectl get shows a list in every form, in pages of any size', options, async (t) => {
  const kubectl = await withPods(t);
  const table = (await said(kubectl, 'get pods')).trimEnd().split('\n');
  assert.match(table[0]!, /^NAME +READY +STATUS +RESTARTS +AGE$/);
  assert.deepEqual(
    table.slice(1).map((row) => row.split(/ +/)[0]),
    NAMES,
  );
  const wide = await said(kubectl, 'get pods -o wide');
  assert.match(wide, /^NAME .* AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n/);
  assert.match(wide, /^p00 +0\/1 +Pending +0 +\S+ +<none> +node-a +<none> +<none>$/m);
  const json = JSON.parse(await said(kubectl, 'get pods -o json'));
  assert.deepEqual([json.kind, json.items.length], ['List', PODS]);
  assert.equal((await said(kubectl, 'get pods -o yaml')).match(/^ {2}kind: Pod$/gm)?.length, PODS);
  assert.equal(await said(kubectl, 'get pods -o jsonpath={.items[*].metadata.name}'), NAMES.join(' '));
  assert.match(
    await said(kubectl, 'get pods -o custom-columns=N:.metadata.name,ON:.spec.nodeName'),
    /^N +ON\np00 +node-a\n/,
  );
  const byName = NAMES.map((name) => `pod/${name}\n`).join('');
  for (const size of [0, 1, 7, PODS, 500]) {
    assert.equal(await said(kubectl, `get pods -o name --chunk-size=${size}`), byName, `chunk size ${size}`);
  }
  assert.equal(await said(kubectl, 'get pods -o name --field-selector spec.nodeName=node-a'), byName);
  assert.equal(await said(kubectl, 'get pods -o name --field-selector spec.nodeName=node-b'), '');
  const sorted = await said(kubectl, 'get pods --sort-by=.metadata.name --no-headers -A');
  assert.equal(sorted.trimEnd().split('\n').length, PODS);
});

test('kubectl describe tells of an object and its events', options, async (t) => {
  const kubectl = await withPods(t);
  const uid = await said(kubectl, 'get pod p00 -o jsonpath={.metadata.uid}');
  await said(kubectl, 'create -f -', EVENT.replace('UID', uid));
  const pod = await said(kubectl, 'describe pod p00');
  assert.match(pod, /^Name: +p00\nNamespace: +default\n/);
  assert.match(pod, /^ +Image: +example.test\/c:1$/m);
  assert.match(pod, /^ +Normal +Scheduled +.* scheduler +Assigned default\/p00 to node-a$/m);
  await said(kubectl, 'create deployment web --image=example.test/w:1');
  assert.match(await said(kubectl, 'describe deployment web'), /^Replicas: +1 desired \| 0 updated \|/m);
  assert.match(await said(kubectl, 'describe namespace default'), /^Status: +Active$/m);
  await said(kubectl, 'expose deployment web --port=80');
  assert.match(await said(kubectl, 'describe service web'), /^Selector: +app=web$/m);
});

test('kubectl wait sees what comes true, is there already, or goes', options, async (t) => {
  const kubectl = await withPods(t);
  const ready = kubectl('wait --for=condition=Ready pod/p00 --timeout=60s');
  const gone = kubectl('wait --for=delete pod/p01 --timeout=60s');
  const conditions = '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}';
  await said(kubectl, `patch pod p00 --subresource=status --type=merge -p ${conditions}`);
  await said(kubectl, 'delete pod p01 --grace-period=0 --force');
  assert.equal((await ready).stdout, 'pod/p00 condition met\n');
  assert.equal((await gone).code, 0);
  const running = await said(kubectl, 'wait --for=jsonpath={.status.phase}=Running pod/p00 --timeout=60s');
  assert.equal(running, 'pod/p00 condition met\n');
  const never = await kubectl('wait --for=condition=Ready pod/p02 --timeout=1s');
  assert.match(never.stderr, /timed out waiting for the condition on pods\/p02/);
});

test('kubectl get -w begins with what is there, in rows or objects', options, async (t) => {
  const { kubeconfig } = await served(t);
  const env = environment(t, kubeconfig);
  await run('kubectl', ['create', 'configmap', 'one'], { env });
  for (const [form, of] of [
    [[], 'one two'],
    [['-o', 'name'], 'configmap/one configmap/two'],
    [['-o', 'jsonpath={.metadata.name}{"\\n"}'], 'one two'],
  ] as const) {
    const watching = start('kubectl', ['get', 'configmaps', '-w', '-l', '!hidden', ...form], { env });
    t.after(() => watching.kill('SIGKILL'));
    const lines = createInterface({ input: watching.stdout! });
    const seen: string[] = [];
    lines.on('line', (line) => seen.push(line.split(' ')[0]!));
    while (!seen.some((line) => line.endsWith('one'))) await once(lines, 'line');
    await run('kubectl', ['create', 'configmap', 'two'], { env });
    while (!seen.some((line) => line.endsWith('two'))) await once(lines, 'line');
    watching.kill();
    assert.equal(seen.filter((line) => /one$|two$/.test(line)).join(' '), of);
    await run('kubectl', ['delete', 'configmap', 'two'], { env });
  }
});

test('kubectl auth tells who one is and what one may', options, async (t) => {
  const kubectl = await open(t);
  assert.equal(await said(kubectl, 'auth can-i delete pods --all-namespaces'), 'yes\n');
  assert.equal(await said(kubectl, 'auth can-i get /metrics'), 'yes\n');
  assert.deepEqual(await kubectl('auth can-i list pods --as=jane'), { code: 1, stdout: 'no\n', stderr: '' });
  assert.match(await said(kubectl, 'auth can-i get /healthz --as=jane'), /^yes/);
  assert.match(
    await said(kubectl, 'auth whoami --as=jane'),
    /^Username +jane\nGroups +\[system:authenticated\]$/m,
  );
  assert.match((await kubectl('get pods --as=jane')).stderr, /User "jane" cannot list resource "pods"/);
});

const EVENT = `apiVersion: v1
kind: Event
metadata: {name: p00.1, namespace: default}
involvedObject: {apiVersion: v1, kind: Pod, name: p00, namespace: default, uid: UID}
type: Normal
reason: Scheduled
message: Assigned default/p00 to node-a
source: {component: scheduler}
count: 1
firstTimestamp: "2024-01-01T00:00:00Z"
lastTimestamp: "2024-01-01T00:00:00Z"
`;

async function withPods(t: TestContext): Promise<Kubectl> {
  const kubectl = await open(t);
  const spec = '{nodeName: node-a, containers: [{name: c, image: "example.test/c:1"}]}';
  const pods = NAMES.map(
    (name) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: ${spec}\n---\n`,
  );
  await said(kubectl, 'create -f -', pods.join(''));
  return kubectl;
}
