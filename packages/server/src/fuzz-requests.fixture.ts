// Requests that nobody should send: valid ones with something changed, and plain nonsense.
import fc from 'fast-check';

export type Nonsense = {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array;
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];
const NAMES = ['a', 'b', 'c'];
/** What plain objects have, and tables must not. */
const INHERITED = ['__proto__', 'constructor', 'toString'];
const COLLECTIONS = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/events',
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/apis/apps/v1/namespaces/default/deployments',
  '/api/v1/namespaces/default/secrets',
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/apis/example.test/v1/namespaces/default/widgets',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];
const DOCUMENTS = [
  '/',
  '/api',
  '/apis',
  '/apis/apps/v1',
  '/api/v1',
  '/api/v1/watch/pods',
  '/version',
  '/healthz',
  '/readyz/ping',
  '/livez?verbose',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
];
const SUBRESOURCES = [
  'status',
  'scale',
  'eviction',
  'binding',
  'finalize',
  'ephemeralcontainers',
  'log',
  'exec',
];

const OBJECTS: readonly object[] = [
  { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } },
  {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { generateName: 'p-', annotations: { a: 'b' }, finalizers: ['example.test/f'] },
    spec: {
      containers: [
        { name: 'c', image: 'i', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } },
      ],
    },
  },
  {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'b' },
    spec: { ports: [{ port: 80, targetPort: 'http' }] },
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'a', resourceVersion: '1' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'c' } },
  { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'b' }, type: 'Opaque', data: { k: 'djE=' } },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'a' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'a' },
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
      ],
    },
  },
  {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'b' },
    involvedObject: { kind: 'Pod', name: 'a' },
    count: 2,
  },
  {
    kind: 'Widget',
    apiVersion: 'example.test/v1',
    metadata: { name: 'a' },
    spec: { size: 1, list: [{ x: 1.5 }] },
  },
  { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'x' }, propagationPolicy: 'Foreground' },
  { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'a' }, spec: { replicas: 2 } },
  { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'a', namespace: 'default' } },
  { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } },
  [
    { op: 'add', path: '/metadata/labels', value: { z: 'z' } },
    { op: 'test', path: '/data/k', value: 'v' },
  ],
  { metadata: { labels: { x: null }, $patch: 'replace' }, data: { k: null, l: 'm' } },
  {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'gadgets.example.test' },
    spec: {
      group: 'example.test',
      scope: 'Cluster',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
          additionalPrinterColumns: [{ name: 'x', type: 'string', jsonPath: '.spec.x' }],
        },
      ],
    },
  },
];

const NASTY: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '\u0000',
    '\ud800',
    [],
    {},
    [null],
    -1,
    0,
    1.5,
    1e21,
    2 ** 53,
    '9'.repeat(400),
  ),
  fc.constantFrom('../..', 'A_b', '%', '{{', '*', '2026-13-99T99:99:99Z', '1e999Ki', ...INHERITED),
  fc.jsonValue({ maxDepth: 3 }),
);

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  limit: ['0', '1', '-1', 'x', '', '99999999999999999999'],
  continue: ['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9', '%00'],
  resourceVersion: ['0', '1', '3', '-1', 'x', '99999999999'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x'],
  labelSelector: ['a', 'a=b', '!a', 'a in (b,c)', 'a notin ()', '(', 'a>1', ',', 'x==y,'],
  fieldSelector: ['metadata.name=a', 'spec.nodeName=', 'x', 'metadata.namespace!=default', 'a=b=c', '\\'],
  watch: ['true', '1', '0', 'x'],
  timeoutSeconds: ['0', '-1', 'x', '1'],
  sendInitialEvents: ['true', 'false', 'x'],
  allowWatchBookmarks: ['true', 'x'],
  dryRun: ['All', 'x', ''],
  fieldManager: ['m', 'x'.repeat(200), '\u0000'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'x'],
  force: ['true', 'x'],
  pretty: ['true', 'false', '1', 'x'],
  timeout: ['1s', '0', '-1h', 'x', '1h2m3.5s'],
  propagationPolicy: ['Foreground', 'Orphan', 'x'],
  gracePeriodSeconds: ['0', '-1', 'x'],
};

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    'application/cbor',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    'application/vnd.kubernetes.protobuf;stream=watch',
    '*/*;q=0',
    ';;;',
    'x',
  ],
  'Accept-Encoding': ['gzip', 'gzip;q=0', 'br', ','],
  'Content-Type': [
    'application/json',
    'application/yaml',
    'application/cbor',
    'application/vnd.kubernetes.protobuf',
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'text/plain; charset="',
    '',
  ],
  'User-Agent': ['curl/8', 'Mozilla/5.0', ''],
  Authorization: ['Bearer x', 'Basic eDp5'],
  'Impersonate-User': ['jane'],
  'Impersonate-Extra-%2f': ['x'],
  'If-None-Match': ['"x"', '*'],
  Expect: ['100-continue'],
  'Transfer-Encoding': ['chunked'],
  Upgrade: ['websocket', 'h2c', 'SPDY/3.1'],
  Connection: ['Upgrade', 'close', 'keep-alive, x'],
};

/** Half of it is nonsense through and through; the other half would be sensible, were it not for the body. */
export function nonsense(): fc.Arbitrary<Nonsense> {
  return fc.oneof(
    fc.record({
      method: mostly(
        fc.constantFrom(...METHODS),
        fc.oneof(fc.stringMatching(/^[A-Z]{1,9}$/), fc.constantFrom(...INHERITED)),
      ),
      target: fc.tuple(path(), pairs(QUERIES, 4)).map(targetOf),
      headers: pairs(HEADERS, 5),
      body: body(),
    }),
    write(),
  );
}

const PATCHES = ['merge-patch', 'json-patch', 'strategic-merge-patch'].map(
  (type) => `application/${type}+json`,
);

function write(): fc.Arbitrary<Nonsense> {
  return fc
    .tuple(
      fc.constantFrom(...OBJECTS),
      fc.constantFrom('POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'),
      pairs(QUERIES, 1),
    )
    .chain(([object, method, query]) => {
      const { kind } = object as { kind?: string };
      const collections = COLLECTIONS.filter((collection) => COLLECTION_KINDS[collection] === kind);
      const place = fc.constantFrom(...(collections.length > 0 ? collections : COLLECTIONS));
      const type =
        method === 'PATCH'
          ? fc.constantFrom(...PATCHES)
          : fc.constantFrom('application/json', 'application/yaml');
      return fc.record({
        method: fc.constant(method),
        target: fc
          .tuple(place, fc.constantFrom(...NAMES))
          .map(([collection, name]) =>
            targetOf([method === 'POST' ? collection : `${collection}/${name}`, query]),
          ),
        headers: type.map((value) => [['Content-Type', value]] as const),
        body: mostly(changed(object), damaged(object)),
      });
    });
}

const COLLECTION_KINDS: Readonly<Record<string, string>> = {
  '/api/v1/namespaces/default/configmaps': 'ConfigMap',
  '/api/v1/namespaces/default/pods': 'Pod',
  '/api/v1/namespaces/default/services': 'Service',
  '/api/v1/namespaces/default/secrets': 'Secret',
  '/api/v1/namespaces/default/events': 'Event',
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers': 'HorizontalPodAutoscaler',
  '/api/v1/namespaces': 'Namespace',
  '/apis/apps/v1/namespaces/default/deployments': 'Deployment',
  '/apis/example.test/v1/namespaces/default/widgets': 'Widget',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': 'CustomResourceDefinition',
};

/** A body by itself: for what reads bodies. */
export function body(): fc.Arbitrary<Uint8Array> {
  const some = fc.constantFrom(...OBJECTS);
  return fc.oneof(
    { weight: 6, arbitrary: some.chain(changed) },
    { weight: 3, arbitrary: some.chain(damaged) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ maxLength: 200 })
        .map((bytes) => Buffer.from([0x6b, 0x38, 0x73, 0, ...bytes])),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from([0xd9, 0xd9, 0xf7, ...bytes])),
    },
  );
}

function changed(object: object): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.tuple(fc.nat(), NASTY), { maxLength: 2 })
    .map((changes) => Buffer.from(changes.reduce(replaced, JSON.stringify(object))));
}

function damaged(object: object): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(changed(object), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
    .map(([bytes, damages]) => flipped(bytes, damages));
}

/** One value of the tree, by its place in the text, becomes another. */
function replaced(json: string, [place, value]: readonly [number, unknown]): string {
  const nodes: { holder: Record<string, unknown>; key: string }[] = [];
  const root = { '': JSON.parse(json) };
  const walk = (holder: Record<string, unknown>): void => {
    for (const key of Object.keys(holder)) {
      nodes.push({ holder, key });
      if (typeof holder[key] === 'object' && holder[key] !== null)
        walk(holder[key] as Record<string, unknown>);
    }
  };
  walk(root);
  const { holder, key } = nodes[place % nodes.length]!;
  holder[key] = value;
  return JSON.stringify(root['']) ?? 'null';
}

function flipped(bytes: Uint8Array, damages: readonly (readonly [number, number])[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [place, value] of damages) if (copy.length > 0) copy[place % copy.length] = value;
  return copy;
}

function path(): fc.Arbitrary<string> {
  const collection = fc.constantFrom(...COLLECTIONS);
  const name = mostly(fc.constantFrom(...NAMES), fc.oneof(fc.webPath(), fc.constantFrom(...INHERITED)));
  return fc.oneof(
    { weight: 4, arbitrary: collection },
    { weight: 4, arbitrary: fc.tuple(collection, name).map(([place, last]) => `${place}/${last}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(collection, name, fc.constantFrom(...SUBRESOURCES))
        .map(([place, middle, last]) => `${place}/${middle}/${last}`),
    },
    { weight: 2, arbitrary: fc.constantFrom(...DOCUMENTS) },
    { weight: 1, arbitrary: fc.webPath().map((text) => `/${text}`) },
    { weight: 1, arbitrary: fc.stringMatching(/^\/[!-~]{0,30}$/) },
  );
}

function targetOf([place, query]: [string, readonly (readonly [string, string])[]]): string {
  if (query.length === 0) return place;
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${place}${place.includes('?') ? '&' : '?'}${text}`;
}

function pairs(
  table: Readonly<Record<string, readonly string[]>>,
  maxLength: number,
): fc.Arbitrary<(readonly [string, string])[]> {
  const pair = fc
    .constantFrom(...Object.keys(table))
    .chain((name) =>
      mostly(
        fc.constantFrom(...table[name]!),
        fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 12 }), fc.constantFrom(...INHERITED)),
      ).map((value) => [name, value] as const),
    );
  return fc.array(pair, { maxLength });
}

function mostly<Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}
