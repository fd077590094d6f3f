// Requests that ask for as much work as their bytes can: for tests, and for the measure of the longest turn.

export type Hostile = {
  what: string;
  method: string;
  path: string;
  type?: string;
  accept?: string;
  body?: Uint8Array;
  /** The answer's code. */
  code: number;
};

const MIB = 1024 * 1024;
/** The most a body may have. */
export const LARGEST_BYTES: number = 3 * MIB;

export const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SERVICES = '/api/v1/namespaces/default/services';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const CBOR_TYPE = 'application/cbor';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** What has to be there first. Stored objects are as large as `storedBytes`. */
export function victims(storedBytes: number): { path: string; body: string }[] {
  const ones = repeated('1', ',', storedBytes);
  // What is filled in makes five of each of these bytes.
  const containers = repeated('{"name":"a","image":"b","env":[{"name":"A"}]}', ',', storedBytes / 5);
  return [
    { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: DEFINITION },
    { path: WIDGETS, body: widget('small', '"replicas":1') },
    { path: WIDGETS, body: widget('large', `"replicas":1,"list":[${ones}]`) },
    { path: PODS, body: pod('small', '{"name":"a","image":"b"}') },
    { path: PODS, body: pod('large', containers) },
    { path: MAPS, body: configMap('small', '"a":"b"') },
    {
      path: MAPS,
      body: configMap(
        'large',
        numbered(Math.min(storedBytes, 400_000), (i) => `"k${i}":"v"`),
      ),
    },
    { path: DEPLOYMENTS, body: deployment('small', '{"name":"a","image":"b"}') },
    { path: DEPLOYMENTS, body: deployment('large', containers) },
    {
      path: ACCOUNTS,
      body: `{"metadata":{"name":"large"},"secrets":[${numbered(storedBytes, (i) => `{"name":"s${i}"}`)}]}`,
    },
    {
      path: SERVICES,
      body: `{"metadata":{"name":"large"},"spec":{"ports":[${numbered(storedBytes / 3, (i) => `{"name":"p${i}","port":${i + 1}}`)}]}}`,
    },
  ];
}

/** Bodies of about `bytes`. */
export function hostileWrites(bytes: number): Hostile[] {
  const post = (
    what: string,
    path: string,
    body: string | Uint8Array,
    code: number,
    type = JSON_TYPE,
  ): Hostile => ({
    what,
    method: 'POST',
    path,
    type,
    body: Buffer.from(body as string),
    code,
  });
  const send = (
    method: string,
    what: string,
    path: string,
    body: string | Uint8Array,
    code: number,
    type = JSON_TYPE,
  ): Hostile => ({ ...post(what, path, body, code, type), method });
  const name = (): string => `n${++count}`;
  const stored = (code: number): number => (bytes > 1.4 * MIB ? 500 : code);
  // Defaults make many of each of these bytes.
  const filledIn = (code: number): number => (bytes > 100_000 ? 500 : code);
  const ones = repeated('1', ',', bytes - 500);
  return [
    post('numbers', WIDGETS, widget(name(), `"a":[${ones}]`), stored(201)),
    post('empty objects', WIDGETS, widget(name(), `"a":[${repeated('{}', ',', bytes - 500)}]`), stored(201)),
    post(
      'members',
      WIDGETS,
      widget(
        name(),
        numbered(bytes - 500, (i) => `"k${i}":1`),
      ),
      stored(201),
    ),
    post('escapes', WIDGETS, widget(name(), `"a":"${'\\n'.repeat((bytes - 500) / 2)}"`), stored(201)),
    post(
      'nesting',
      WIDGETS,
      widget(name(), `"a":${'['.repeat(9000)}${'],['.repeat(Math.max(0, (bytes - 30_000) / 30))}`),
      400,
    ),
    post('labels', WIDGETS, labelled(name(), bytes), stored(201)),
    post('empty containers', PODS, pod(name(), repeated('{}', ',', bytes - 500)), filledIn(201)),
    post(
      'members of data',
      MAPS,
      configMap(
        name(),
        numbered(bytes - 500, (i) => `"k${i}":""`),
      ),
      stored(201),
    ),
    post(
      'bad names of data',
      MAPS,
      configMap(
        name(),
        numbered(bytes - 500, (i) => `"/${i}":""`),
      ),
      422,
    ),
    post(
      'unknown fields',
      MAPS,
      `{"metadata":{"name":"${name()}"},${numbered(bytes - 500, (i) => `"k${i}":1`)}}`,
      201,
    ),
    post('repeated fields', MAPS, configMap(name(), repeated('"a":"b"', ',', bytes - 500)), 201),
    post('YAML members', MAPS, yamlMap(name(), bytes), stored(201), YAML_TYPE),
    post('YAML flow', WIDGETS, yamlWidget(name(), `[${ones}]`), stored(201), YAML_TYPE),
    post(
      'YAML aliases',
      WIDGETS,
      yamlWidget(name(), `[&a {b: c}, ${repeated('*a', ', ', Math.min(bytes - 500, 80_000))}]`),
      201,
      YAML_TYPE,
    ),
    post('CBOR', WIDGETS, cborWidget(name(), bytes - 500), stored(201), CBOR_TYPE),
    post('Protobuf', PODS, protobufPod(name(), bytes - 500), filledIn(201), PROTOBUF_TYPE),
    send('PUT', 'a definition of numbers', `${WIDGETS}/small`, widget('small', `"a":[${ones}]`, '0'), 422),
    send(
      'PUT',
      'status',
      `${DEPLOYMENTS}/small/status`,
      deployment('small', repeated('{}', ',', bytes - 500)),
      200,
    ),
    send(
      'PUT',
      'scale',
      `${DEPLOYMENTS}/small/scale`,
      `{"metadata":{"name":"small"},"spec":{"replicas":1},${numbered(bytes - 500, (i) => `"k${i}":1`)}}`,
      200,
    ),
    send('PATCH', 'scale', `${DEPLOYMENTS}/small/scale`, `{"x":[${ones}]}`, 200, MERGE_PATCH),
    send('PATCH', 'copies', `${MAPS}/small?dryRun=All`, copies(), 422, JSON_PATCH),
    send('PATCH', 'insertions', `${WIDGETS}/large?dryRun=All`, insertions(bytes), 200, JSON_PATCH),
    send(
      'PATCH',
      'merged numbers',
      `${WIDGETS}/small?dryRun=All`,
      `{"spec":{"a":[${ones}]}}`,
      200,
      MERGE_PATCH,
    ),
    send(
      'PATCH',
      'merged nulls',
      `${WIDGETS}/small?dryRun=All`,
      `{"spec":{${numbered(bytes - 500, (i) => `"k${i}":null`)}}}`,
      200,
      MERGE_PATCH,
    ),
    send(
      'PATCH',
      'merged list',
      `${ACCOUNTS}/large?dryRun=All`,
      `{"secrets":[${numbered(bytes - 500, (i) => `{"name":"t${i}"}`)}]}`,
      200,
      STRATEGIC,
    ),
    send(
      'PATCH',
      'list in another order',
      `${ACCOUNTS}/large?dryRun=All`,
      `{"$setElementOrder/secrets":[${numbered(bytes - 500, (i) => `{"name":"s${i}"}`)}]}`,
      200,
      STRATEGIC,
    ),
    send(
      'PATCH',
      'deletions of a list',
      `${ACCOUNTS}/large?dryRun=All`,
      `{"secrets":[${numbered(bytes - 500, (i) => `{"$patch":"delete","name":"s${i}"}`)}]}`,
      200,
      STRATEGIC,
    ),
    send(
      'DELETE',
      'options',
      `${MAPS}/small?dryRun=All`,
      `{"dryRun":[${repeated('"All"', ',', bytes - 500)}]}`,
      200,
    ),
    send(
      'DELETE',
      'options in YAML',
      `${MAPS}/small`,
      `dryRun: [${repeated('All', ', ', bytes - 500)}]`,
      200,
      YAML_TYPE,
    ),
    send(
      'DELETE',
      'options for a collection',
      `${MAPS}?fieldSelector=metadata.name=none`,
      `{"dryRun":[${repeated('"All"', ',', bytes - 500)}]}`,
      200,
    ),
    post(
      'binding',
      `${PODS}/small/binding?dryRun=All`,
      `{"metadata":{"name":"small"},"target":{"name":"n"},${numbered(bytes - 500, (i) => `"k${i}":1`)}}`,
      201,
    ),
    post(
      'eviction',
      `${PODS}/small/eviction?dryRun=All`,
      `{"metadata":{"name":"small"},${numbered(bytes - 500, (i) => `"k${i}":1`)}}`,
      201,
    ),
  ];
}

let count = 0;

/** Small requests for what is large. */
export function hostileReads(): Hostile[] {
  const get = (what: string, path: string, accept: string): Hostile => ({
    what,
    method: 'GET',
    path,
    accept,
    code: 200,
  });
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  const patch = (what: string, path: string, body: string, type: string, accept = JSON_TYPE): Hostile => ({
    what,
    method: 'PATCH',
    path,
    type,
    accept,
    body: Buffer.from(body),
    code: 200,
  });
  const large = [`${WIDGETS}/large`, `${PODS}/large`, `${MAPS}/large`];
  return [
    ...large.flatMap((path) => [
      get('compact', path, JSON_TYPE),
      get('pretty', `${path}?pretty=true`, JSON_TYPE),
      get('YAML', path, YAML_TYPE),
      get('CBOR', path, CBOR_TYPE),
      get('table', path, table),
      get('metadata', path, metadata),
      patch('annotated', path, '{"metadata":{"annotations":{"a":"b"}}}', MERGE_PATCH, YAML_TYPE),
      patch(
        'tried',
        `${path}?dryRun=All`,
        '[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]',
        JSON_PATCH,
      ),
    ]),
    get('Protobuf', `${PODS}/large`, PROTOBUF_TYPE),
    get('scale', `${WIDGETS}/large/scale`, JSON_TYPE),
    get('scale', `${DEPLOYMENTS}/large/scale`, JSON_TYPE),
    patch('scaled', `${DEPLOYMENTS}/large/scale`, '{"spec":{"replicas":3}}', MERGE_PATCH),
    patch(
      'one container',
      `${DEPLOYMENTS}/large`,
      '{"spec":{"template":{"spec":{"dnsPolicy":"Default"}}}}',
      STRATEGIC,
    ),
    { what: 'deleted', method: 'DELETE', path: `${MAPS}/large?dryRun=All`, code: 200 },
  ];
}

const DEFINITION = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,
"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`;

function widget(name: string, spec: string, resourceVersion = ''): string {
  return `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}","resourceVersion":"${resourceVersion}"},"spec":{${spec}}}`;
}

function labelled(name: string, bytes: number): string {
  const labels = numbered(bytes - 500, (i) => `"k${i}":"v"`);
  return `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}","labels":{${labels}}}}`;
}

function pod(name: string, containers: string): string {
  return `{"metadata":{"name":"${name}"},"spec":{"containers":[${containers}]}}`;
}

function configMap(name: string, data: string): string {
  return `{"metadata":{"name":"${name}"},"data":{${data}}}`;
}

function deployment(name: string, containers: string): string {
  const labels = '{"app":"a"}';
  return `{"metadata":{"name":"${name}"},"spec":{"replicas":1,"selector":{"matchLabels":${labels}},"template":{"metadata":{"labels":${labels}},"spec":{"containers":[${containers}]}}}}`;
}

function yamlMap(name: string, bytes: number): string {
  return `metadata: {name: ${name}}\ndata:\n${numbered(bytes - 500, (i) => ` k${i}: ''`, '\n')}`;
}

function yamlWidget(name: string, value: string): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec:\n a: ${value}`;
}

function cborWidget(name: string, bytes: number): Buffer {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(bytes);
  return Buffer.concat([
    Buffer.from([0xa4]),
    ...['apiVersion', 'example.com/v1', 'kind', 'Widget', 'metadata'].map(text),
    Buffer.from([0xa1]),
    ...['name', name, 'spec'].map(text),
    Buffer.from([0xa1]),
    text('a'),
    Buffer.from([0x9a]),
    count,
    Buffer.alloc(bytes, 1),
  ]);
}

function protobufPod(name: string, bytes: number): Buffer {
  const field = (number: number, content: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
  const containers = Buffer.alloc(Math.floor(bytes / 2) * 2);
  for (let i = 0; i < containers.length; i += 2) containers[i] = 0x12;
  const object = Buffer.concat([field(1, field(1, Buffer.from(name))), field(2, containers)]);
  const type = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('Pod'))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** Each copy holds all of the copies before it. */
function copies(): string {
  const operations = Array.from(
    { length: 400 },
    (_, i) => `{"op":"copy","from":"/data","path":"/data/k${i}"}`,
  );
  return `[${operations.join(',')}]`;
}

function insertions(bytes: number): string {
  const operation = '{"op":"add","path":"/spec/list/0","value":1}';
  const most = 9000 * (operation.length + 1);
  return `[${repeated(operation, ',', Math.min(bytes, most))}]`;
}

function repeated(piece: string, separator: string, bytes: number): string {
  const times = Math.max(1, Math.floor(bytes / (piece.length + separator.length)));
  return Array(times).fill(piece).join(separator);
}

function numbered(bytes: number, piece: (i: number) => string, separator = ','): string {
  const pieces: string[] = [];
  for (let length = 0; length < bytes; length += pieces.at(-1)!.length + separator.length) {
    pieces.push(piece(pieces.length));
  }
  return pieces.slice(0, -1).join(separator);
}
