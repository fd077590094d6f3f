// The managedFields a Pod has gathered in a cluster: what its controller wrote, and what its kubelet did. A third of its bytes.

type Fields = { [path: string]: Fields };

/** Members that name an item of a list, as server-side apply knows them; other lists are owned whole. */
const LIST_KEYS: ListKeys = {
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  podIPs: ['ip'],
  ports: ['containerPort', 'protocol'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
};

/** Owned as they are, not member by member. */
const ATOMIC: ReadonlySet<string> = new Set([
  'nodeAffinity',
  'podAffinity',
  'podAntiAffinity',
  'fieldRef',
  'configMapKeyRef',
  'secretKeyRef',
]);

/** Two entries: the controller's for metadata and spec, the kubelet's for the status. */
export function buildManagedFields(
  metadata: Record<string, unknown>,
  spec: Record<string, unknown>,
  status: Record<string, unknown>,
): Record<string, unknown>[] {
  const { labels, annotations, generateName, ownerReferences } = metadata;
  const owned = fieldsOf(
    { metadata: { annotations, generateName, labels, ownerReferences }, spec },
    LIST_KEYS,
  );
  return [
    entry('kube-controller-manager', '2026-11-02T08:14:31Z', owned),
    { ...entry('kubelet', '2026-11-02T08:15:07Z', fieldsOf({ status }, LIST_KEYS)), subresource: 'status' },
  ];
}

/** Of an object without a schema: its lists are owned whole, and its status came with it. */
export function buildUntypedManagedFields(
  apiVersion: string,
  labels: Record<string, string>,
  spec: Record<string, unknown>,
  status: Record<string, unknown>,
): Record<string, unknown>[] {
  const owned = fieldsOf({ metadata: { labels }, spec, status }, {});
  return [{ ...entry('widget-controller', '2026-11-02T08:14:31Z', owned), apiVersion }];
}

function entry(manager: string, time: string, fieldsV1: Fields): Record<string, unknown> {
  return { manager, operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1 };
}

type ListKeys = Readonly<Record<string, readonly string[]>>;

function fieldsOf(object: Record<string, unknown>, listKeys: ListKeys): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) fields[`f:${name}`] = fieldsOfValue(name, value, listKeys);
  }
  return fields;
}

function fieldsOfValue(name: string, value: unknown, listKeys: ListKeys): Fields {
  const keys = listKeys[name];
  if (Array.isArray(value)) return keys ? fieldsOfItems(value, keys, listKeys) : {};
  if (typeof value !== 'object' || value === null || ATOMIC.has(name)) return {};
  return { '.': {}, ...fieldsOf(value as Record<string, unknown>, listKeys) };
}

function fieldsOfItems(
  items: readonly Record<string, unknown>[],
  keys: readonly string[],
  listKeys: ListKeys,
): Fields {
  const fields: Fields = { '.': {} };
  for (const item of items) {
    const key = Object.fromEntries(keys.map((name) => [name, item[name]]));
    fields[`k:${JSON.stringify(key)}`] = { '.': {}, ...fieldsOf(item, listKeys) };
  }
  return fields;
}
