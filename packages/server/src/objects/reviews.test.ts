// Questions about permissions and about oneself, over HTTP, in kube-apiserver 1.37.2's words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, connect, type Running, startRunning } from '../running.fixture.ts';

const ACCESS = '/apis/authorization.k8s.io/v1';
const TO_DISCOVERY =
  'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"';
const TO_BASIC = TO_DISCOVERY.replaceAll('system:discovery', 'system:basic-user');
const EITHER = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

let running: Running;
let client: Client;

before(async () => {
  running = await startRunning();
  client = connect('HTTP/1.1', running.server.port);
});

after(async () => {
  client.close();
  await running.close();
});

test('a SelfSubjectAccessReview is answered byte for byte', async () => {
  const spec = '{"resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}';
  const { status, body } = await ask(`${ACCESS}/selfsubjectaccessreviews`, `{"spec":${spec}}`);
  const head = '{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{}';
  assert.equal(body, `${head},"spec":${spec},"status":{"allowed":true}}\n`);
  assert.equal(status, 201);
});

test('administrators may do everything, whoever is known may look at discovery and ask', async () => {
  const resource = (verb: string, plural: string, group = '', subresource = '') => ({
    resourceAttributes: { verb, resource: plural, group, subresource },
  });
  const path = (verb: string, path: string) => ({ nonResourceAttributes: { verb, path } });
  const selves = ['selfsubjectaccessreviews', 'authorization.k8s.io'] as const;
  for (const [spec, forAdmin, forJane] of [
    [resource('get', 'pods'), true, false],
    [resource('*', '*', '*'), true, false],
    [resource('create', ...selves), true, TO_BASIC],
    [resource('get', ...selves), true, false],
    [resource('create', ...selves, 'status'), true, false],
    [resource('create', 'selfsubjectreviews', 'authentication.k8s.io'), true, TO_BASIC],
    [resource('create', 'subjectaccessreviews', 'authorization.k8s.io'), true, false],
    [path('get', '/healthz'), true, TO_DISCOVERY],
    [path('get', '/api'), true, TO_DISCOVERY],
    [path('get', '/apis/apps/v1'), true, TO_DISCOVERY],
    [path('post', '/api'), true, false],
    [path('get', '/metrics'), true, false],
  ] as const) {
    const told = async (user?: string) => {
      const answer = await review('selfsubjectaccessreviews', { spec }, user);
      assert.equal(answer.code, 201, JSON.stringify(answer.json));
      const { allowed, reason } = answer.json.status;
      return reason ?? allowed;
    };
    assert.deepEqual([await told(), await told('jane')], [forAdmin, forJane], JSON.stringify(spec));
  }
});

test('who is not known may not ask', async () => {
  const spec = { nonResourceAttributes: { verb: 'get', path: '/api' } };
  const { code, json } = await review('selfsubjectaccessreviews', { spec }, 'system:anonymous');
  assert.equal(code, 403);
  assert.equal(
    json.message,
    'selfsubjectaccessreviews.authorization.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
  );
});

test('a SubjectAccessReview is about another, a local one about one namespace', async () => {
  const resourceAttributes = { verb: 'list', resource: 'pods', namespace: 'default' };
  const local = 'namespaces/default/localsubjectaccessreviews';
  for (const plural of ['subjectaccessreviews', local]) {
    for (const [groups, allowed] of [
      [[], false],
      [['system:masters'], true],
    ]) {
      const { json } = await review(plural, { spec: { user: 'jane', groups, resourceAttributes } });
      assert.deepEqual(json.status, { allowed });
      assert.equal(json.metadata.namespace, plural === local ? 'default' : undefined);
    }
  }
});

test('what can not be answered is told as kube-apiserver tells it', async () => {
  const pods = { verb: 'list', resource: 'pods' };
  const metrics = { verb: 'get', path: '/metrics' };
  const local = 'namespaces/default/localsubjectaccessreviews';
  const user = 'jane';
  for (const [plural, body, why] of [
    ['selfsubjectaccessreviews', { spec: {} }, `spec: Invalid value: null: ${EITHER}`],
    [
      'selfsubjectaccessreviews',
      { spec: { resourceAttributes: pods, nonResourceAttributes: metrics } },
      `spec: Invalid value: {"Path":"/metrics","Verb":"get"}: ${EITHER}`,
    ],
    [
      'selfsubjectaccessreviews',
      { metadata: { name: 'x', labels: { a: 'b' } }, spec: { resourceAttributes: pods } },
      'metadata: Invalid value: {"name":"x","labels":{"a":"b"}}: must be empty',
    ],
    [
      'subjectaccessreviews',
      { spec: { resourceAttributes: pods } },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      local,
      { spec: { user, resourceAttributes: { ...pods, namespace: 'x' } } },
      'spec.resourceAttributes.namespace: Invalid value: "x": must match metadata.namespace',
    ],
    [
      local,
      { spec: { user, nonResourceAttributes: metrics } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/metrics","Verb":"get"}: disallowed on this kind of request',
    ],
    [
      'selfsubjectaccessreviews',
      { spec: { resourceAttributes: { ...pods, labelSelector: {} } } },
      'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
    ],
  ] as const) {
    const { code, json } = await review(plural, body);
    assert.deepEqual([code, json.message], [422, `.authorization.k8s.io "" is invalid: ${why}`]);
  }
});

test('a SelfSubjectReview tells who asks', async () => {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { body } = await ask(path, '{"metadata":{"name":"q"}}', 'jane');
  assert.match(
    body,
    /^\{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io\/v1","metadata":\{"creationTimestamp":"[^"]+"\},"status":\{"userInfo":\{"username":"jane","groups":\["system:authenticated"\]\}\}\}\n$/,
  );
});

// biome-ignore lint/suspicious/noExplicitAny: reviews and Statuses.
async function review(plural: string, body: object, user?: string): Promise<{ code: number; json: any }> {
  const answer = await ask(`${ACCESS}/${plural}`, JSON.stringify(body), user);
  return { code: answer.status, json: JSON.parse(answer.body) };
}

async function ask(path: string, body: string, user?: string): Promise<{ status: number; body: string }> {
  const headers = { 'content-type': 'application/json', ...(user && { 'impersonate-user': user }) };
  const answer = await client.ask(path, { method: 'POST', headers, body });
  return { status: answer.status, body: answer.body.toString() };
}
