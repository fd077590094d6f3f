// kubectl, as it is, against a server of one's own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { environment, open, options, said, served } from './kubectl.fixture.ts';
import { run, start } from './program.fixture.ts';

const GREETING = `apiVersion: v1
kind: ConfigMap
metadata:
  name: greeting
  labels: {app: demo}
data:
  text: hello
`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "example.test/web:1", ports: [{containerPort: 80}]}
`;
const POD = `apiVersion: v1
kind: Pod
metadata:
  name: alone
spec:
  containers:
  - {name: c, image: "example.test/c:1"}
`;
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.stable.example.test
spec:
  group: stable.example.test
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Spec, type: string, jsonPath: .spec.cronSpec}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              cronSpec: {type: string}
              replicas: {type: integer}
`;

test('kubectl creates, shows, changes and deletes', options, async (t) => {
  const kubectl = await open(t);
  assert.match(await said(kubectl, 'create namespace demo'), /^namespace\/demo created/);
  assert.match(await said(kubectl, '-n demo create -f -', GREETING), /^configmap\/greeting created/);
  assert.match(await said(kubectl, '-n demo get configmaps'), /^NAME +DATA +AGE\ngreeting +1 +\S+\n$/);
  assert.match(
    await said(kubectl, 'get configmaps -A'),
    /^NAMESPACE +NAME +DATA +AGE\n(.*\n)*demo +greeting +1 /,
  );
  assert.match(
    await said(kubectl, '-n demo get configmap greeting -o yaml'),
    /^apiVersion: v1\ndata:\n {2}text: hello\nkind: ConfigMap\n/,
  );
  assert.equal(JSON.parse(await said(kubectl, '-n demo get configmap greeting -o json')).data.text, 'hello');
  assert.equal(await said(kubectl, '-n demo get configmaps -o name'), 'configmap/greeting\n');
  assert.match(
    await said(kubectl, '-n demo get configmaps -o wide --show-labels'),
    /LABELS\ngreeting .* app=demo\n$/,
  );
  assert.equal(await said(kubectl, '-n demo get configmaps -l app=demo -o name'), 'configmap/greeting\n');
  assert.equal(await said(kubectl, '-n demo get configmaps -l app!=demo -o name'), '');
  assert.equal(
    await said(kubectl, '-n demo get configmaps --field-selector metadata.name=greeting -o name'),
    'configmap/greeting\n',
  );
  assert.match(await said(kubectl, '-n demo label configmap greeting tier=front'), /labeled/);
  assert.match(await said(kubectl, '-n demo annotate configmap greeting note=x'), /annotate/);
  for (const [type, patch] of [
    ['merge', '{"data":{"text":"good-morning"}}'],
    ['json', '[{"op":"add","path":"/data/more","value":"y"}]'],
    ['strategic', '{"metadata":{"labels":{"tier":"back"}}}'],
  ]) {
    assert.match(
      await said(kubectl, `-n demo patch configmap greeting --type ${type} -p ${patch}`),
      /patched/,
    );
  }
  const changed = JSON.parse(await said(kubectl, '-n demo get configmap greeting -o json'));
  assert.deepEqual(changed.data, { text: 'good-morning', more: 'y' });
  assert.deepEqual(changed.metadata.labels, { app: 'demo', tier: 'back' });
  assert.match(await said(kubectl, '-n demo describe configmap greeting'), /^Name: +greeting\n/);
  assert.match(await said(kubectl, '-n demo replace -f -', GREETING), /replaced/);
  assert.match(await said(kubectl, '-n demo delete configmap greeting'), /deleted/);
  assert.match(
    (await kubectl('-n demo get configmap greeting')).stderr,
    /\(NotFound\): configmaps "greeting" not found/,
  );
  assert.match(await said(kubectl, 'delete namespace demo --wait=true --timeout=30s'), /deleted/);
  assert.match((await kubectl('get namespace demo')).stderr, /NotFound/);
});

test('kubectl applies, scales and dry-runs workloads', options, async (t) => {
  const kubectl = await open(t);
  assert.match(await said(kubectl, 'apply -f -', WEB), /^deployment.apps\/web created/);
  assert.match(await said(kubectl, 'apply -f -', WEB), /^deployment.apps\/web unchanged/);
  assert.match(await said(kubectl, 'apply -f -', WEB.replace('replicas: 2', 'replicas: 3')), /configured/);
  assert.match(
    await said(kubectl, 'get deployments'),
    /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/3 /,
  );
  assert.match(
    await said(kubectl, 'get deploy web -o wide'),
    /CONTAINERS +IMAGES +SELECTOR\nweb .*example.test\/web:1 +app=web\n/,
  );
  assert.match(await said(kubectl, 'scale deployment web --replicas=5'), /scaled/);
  assert.match(await said(kubectl, 'set image deployment/web web=example.test/web:2'), /image updated/);
  const web = JSON.parse(await said(kubectl, 'get deployment web -o json'));
  assert.equal(web.spec.replicas, 5);
  assert.equal(web.spec.template.spec.containers[0].image, 'example.test/web:2');
  assert.match(
    await said(kubectl, 'create deployment other --image=x --dry-run=server -o yaml'),
    /^apiVersion: apps\/v1/,
  );
  assert.equal(await said(kubectl, 'get deployment other --ignore-not-found'), '');
  assert.match(await said(kubectl, 'create -f -', POD), /^pod\/alone created/);
  assert.match(
    await said(kubectl, 'get pods'),
    /^NAME +READY +STATUS +RESTARTS +AGE\nalone +0\/1 +Pending +0 /,
  );
  assert.match(await said(kubectl, 'delete pod alone --grace-period=0 --force'), /deleted/);
  assert.match(await said(kubectl, 'delete deployment --all'), /"web" deleted/);
});

test('kubectl knows custom resources as soon as they are defined', options, async (t) => {
  const kubectl = await open(t);
  assert.match(await said(kubectl, 'apply -f -', DEFINITION), /created/);
  assert.match(
    await said(kubectl, 'wait --for condition=established crd/crontabs.stable.example.test --timeout=30s'),
    /condition met/,
  );
  const tab =
    'apiVersion: stable.example.test/v1\nkind: CronTab\nmetadata: {name: nightly}\nspec: {cronSpec: "0 3 * * *", replicas: 1}\n';
  assert.match(await said(kubectl, 'apply -f -', tab), /created/);
  assert.match(await said(kubectl, 'get ct'), /^NAME +SPEC\nnightly +0 3 \* \* \*\n$/);
  assert.match(await said(kubectl, 'patch ct nightly --type merge -p {"spec":{"replicas":2}}'), /patched/);
  assert.match(await said(kubectl, 'delete ct nightly'), /deleted/);
  assert.match(await said(kubectl, 'delete crd crontabs.stable.example.test'), /deleted/);
});

test('kubectl finds out what there is', options, async (t) => {
  const kubectl = await open(t);
  const resources = await said(kubectl, 'api-resources');
  assert.match(resources, /^configmaps +cm +v1 +true +ConfigMap$/m);
  assert.match(resources, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
  assert.match(await said(kubectl, 'api-versions'), /^apps\/v1$/m);
  assert.match(await said(kubectl, 'version'), /Server Version: v1\.37\./);
  assert.match(await said(kubectl, 'cluster-info'), /is running at/);
  assert.equal(await said(kubectl, 'get --raw /readyz'), 'ok');
  assert.match(await said(kubectl, 'get all -A'), /^(NAMESPACE|$)/);
});

test('kubectl get -w tells changes as they happen', options, async (t) => {
  const { kubeconfig } = await served(t);
  const env = environment(t, kubeconfig);
  const watching = start('kubectl', ['get', 'configmaps', '-w', '--output-watch-events'], {
    env,
  });
  t.after(() => watching.kill('SIGKILL'));
  const lines = createInterface({ input: watching.stdout! });
  const seen: string[] = [];
  lines.on('line', (line) => seen.push(line.replace(/ +/g, ' ')));
  await run('kubectl', ['create', '-f', '-'], { env, input: GREETING });
  await run('kubectl', ['label', 'configmap', 'greeting', 'x=y'], { env });
  await run('kubectl', ['delete', 'configmap', 'greeting'], { env });
  while (!seen.some((line) => line.startsWith('DELETED'))) await once(lines, 'line');
  const told = seen.filter((line) => line.includes(' greeting '));
  assert.deepEqual(
    told.map((line) => line.split(' ')[0]),
    ['ADDED', 'MODIFIED', 'DELETED'],
  );
});
