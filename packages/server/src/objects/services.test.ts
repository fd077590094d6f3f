// Addresses and node ports of services: given, asked for, kept, refused and let go of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, type Json, openClient, type Told } from './handler.fixture.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const MERGE = 'application/merge-patch+json';
const PORTS = [{ port: 80 }];

test('claimNumbers() gives each service an address of its own', () =>
  withClient(async (client) => {
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) => create(client, `s${n}`, { ports: PORTS })),
    );
    const addresses = made.map(({ json }) => json.spec.clusterIP);
    assert.equal(new Set(addresses).size, 40);
    for (const { json } of made) {
      assert.match(json.spec.clusterIP, /^10\.0\.0\.\d+$/);
      assert.deepEqual(json.spec.clusterIPs, [json.spec.clusterIP]);
      assert.deepEqual([json.spec.ipFamilies, json.spec.ipFamilyPolicy], [['IPv4'], 'SingleStack']);
    }
  }));

test('claimNumbers() runs out of addresses, and gives those again that are let go of', () =>
  withClient(async (client) => {
    for (let n = 0; n < 253; n++) assert.equal((await create(client, `s${n}`, { ports: PORTS })).code, 201);
    const none = await create(client, 'late', { ports: PORTS });
    assert.deepEqual([none.code, none.json.reason], [500, 'InternalError']);
    await client.send('DELETE', `${SERVICES}/s7`);
    assert.equal((await create(client, 'late', { ports: PORTS })).code, 201);
    await client.send(
      'PATCH',
      `${SERVICES}/s8`,
      { spec: { type: 'ExternalName', externalName: 'a.test' } },
      MERGE,
    );
    assert.equal((await create(client, 'later', { ports: PORTS })).code, 201);
  }));

test('claimNumbers() gives an address that is asked for to one service only', () =>
  withClient(async (client) => {
    const spec = { ports: PORTS, clusterIP: '10.0.0.77' };
    const both = await Promise.all([create(client, 'a', spec), create(client, 'b', spec)]);
    assert.deepEqual(both.map(({ code }) => code).sort(), [201, 422]);
    const refused = await create(client, 'c', spec);
    assert.equal(
      refused.json.message,
      'Service "c" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.77"]: failed to allocate IP 10.0.0.77: provided IP is already allocated',
    );
  }));

test('claimNumbers() takes nothing for a dry run, or for a service that is refused', () =>
  withClient(async (client) => {
    const spec = { ports: PORTS, clusterIP: '10.0.0.90' };
    const tried = await client.send('POST', `${SERVICES}?dryRun=All`, service('a', spec));
    assert.equal(tried.json.spec.clusterIP, '10.0.0.90');
    const nodePort = { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }], clusterIP: '10.0.0.90' };
    assert.equal((await create(client, 'b', nodePort)).code, 422);
    assert.equal((await create(client, 'c', spec)).code, 201);
  }));

const REFUSED: readonly [Json, string][] = [
  [
    { clusterIP: '10.1.0.7' },
    'spec.clusterIPs: Invalid value: ["10.1.0.7"]: failed to allocate IP 10.1.0.7: the provided network does not match the current range',
  ],
  [
    { clusterIP: '10.0.0.255' },
    'spec.clusterIPs: Invalid value: ["10.0.0.255"]: failed to allocate IP 10.0.0.255: the provided network does not match the current range',
  ],
  [
    { clusterIP: 'x' },
    'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    { clusterIP: 'fd00::1' },
    'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  ],
  [
    { clusterIPs: ['10.0.0.78'] },
    'spec.clusterIPs: Invalid value: ["10.0.0.78"]: must be empty when `clusterIP` is not specified',
  ],
  [
    { clusterIP: '10.0.0.78', clusterIPs: ['10.0.0.79'] },
    'spec.clusterIPs: Invalid value: ["10.0.0.79"]: first value must match `clusterIP`',
  ],
  [{ ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
  [
    { ipFamilyPolicy: 'RequireDualStack' },
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [
    { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    { type: 'ExternalName', externalName: 'a.test', clusterIP: '10.0.0.5' },
    'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
  ],
];

test('claimNumbers() refuses as kube-apiserver does', () =>
  withClient(async (client) => {
    for (const [spec, problem] of REFUSED) {
      const { code, json } = await create(client, 'x', { ports: PORTS, ...spec });
      assert.deepEqual([code, json.message], [422, `Service "x" is invalid: ${problem}`]);
    }
  }));

test('claimNumbers() keeps what a client leaves out, and refuses to change an address', () =>
  withClient(async (client) => {
    const spec = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30077 }] };
    await create(client, 'a', spec);
    const kept = await put(client, 'a', { type: 'NodePort', ports: [{ port: 81 }] });
    assert.deepEqual([kept.json.spec.clusterIP, kept.json.spec.ports[0].nodePort], ['10.0.0.77', 30077]);
    const changed = await put(client, 'a', { ports: PORTS, clusterIP: '10.0.0.80' });
    assert.equal(
      changed.json.message,
      'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.80"]: may not change once set',
    );
  }));

test('claimNumbers() gives ports that differ in their protocol one number', () =>
  withClient(async (client) => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 80, protocol: 'UDP' },
      { name: 'c', port: 81 },
    ];
    const { json } = await create(client, 'a', { type: 'NodePort', ports });
    const [a, b, c] = json.spec.ports.map(({ nodePort }: Json) => nodePort);
    assert.equal(a, b);
    assert.notEqual(a, c);
    assert.ok(a >= 30000 && a <= 32767);
    const taken = await create(client, 'b', { type: 'NodePort', ports: [{ port: 80, nodePort: c }] });
    assert.equal(
      taken.json.message,
      `Service "b" is invalid: spec.ports[0].nodePort: Invalid value: ${c}: provided port is already allocated`,
    );
  }));

test('claimNumbers() gives a health check a port while it is needed', () =>
  withClient(async (client) => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: PORTS };
    const { healthCheckNodePort } = (await create(client, 'a', spec)).json.spec;
    assert.ok(healthCheckNodePort >= 30000);
    const other = await create(client, 'b', { ...spec, healthCheckNodePort });
    assert.deepEqual(
      [other.code, other.json.message],
      [
        500,
        `Internal error occurred: failed to allocate requested HealthCheck NodePort ${healthCheckNodePort}: provided port is already allocated`,
      ],
    );
    const patched = await patch(client, 'a', { externalTrafficPolicy: 'Cluster' });
    assert.equal(patched.json.spec.healthCheckNodePort, undefined);
    assert.equal((await create(client, 'b', { ...spec, healthCheckNodePort })).code, 201);
  }));

test('dropTypeFields() lets go of what the new type does not have', () =>
  withClient(async (client) => {
    await create(client, 'a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: PORTS });
    const inside = (await patch(client, 'a', { type: 'ClusterIP' })).json.spec;
    for (const name of ['externalTrafficPolicy', 'healthCheckNodePort', 'allocateLoadBalancerNodePorts']) {
      assert.equal(inside[name], undefined, name);
    }
    assert.deepEqual(inside.ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
    const outside = (await patch(client, 'a', { type: 'ExternalName', externalName: 'a.test' })).json.spec;
    assert.deepEqual(Object.keys(outside), ['ports', 'type', 'sessionAffinity', 'externalName']);
  }));

test('setFamilies() lets a headless service without a selector be in both families', () =>
  withClient(async (client) => {
    const families = async (name: string, spec: Json): Promise<unknown[]> => {
      const { json } = await create(client, name, { clusterIP: 'None', ...spec });
      return [json.spec.clusterIPs, json.spec.ipFamilies, json.spec.ipFamilyPolicy];
    };
    assert.deepEqual(await families('a', {}), [['None'], ['IPv4', 'IPv6'], 'RequireDualStack']);
    assert.deepEqual(await families('b', { ipFamilies: ['IPv6'] }), [
      ['None'],
      ['IPv6', 'IPv4'],
      'RequireDualStack',
    ]);
    assert.deepEqual(await families('c', { selector: { a: 'b' } }), [['None'], ['IPv4'], 'SingleStack']);
  }));

async function withClient(run: (client: Client) => Promise<void>): Promise<void> {
  const client = await openClient();
  try {
    await run(client);
  } finally {
    await client.close();
  }
}

function create(client: Client, name: string, spec: Json): Promise<Told> {
  return client.send('POST', SERVICES, service(name, spec));
}

function put(client: Client, name: string, spec: Json): Promise<Told> {
  return client.send('PUT', `${SERVICES}/${name}`, service(name, spec));
}

function patch(client: Client, name: string, spec: Json): Promise<Told> {
  return client.send('PATCH', `${SERVICES}/${name}`, { spec }, MERGE);
}

function service(name: string, spec: Json): Json {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}
