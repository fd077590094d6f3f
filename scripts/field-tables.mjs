// Writes packages/resources/src/generated/field-tables.ts from a dump of Kubernetes' Go types (see packages/resources/testdata/README.md).
//
//   node scripts/field-tables.mjs field-tables.json discovery-api-v1.json discovery-apis.json \
//     {admissionregistration,certificates,coordination,networking,resource,scheduling,storage,storagemigration}.k8s.io/v1beta1 \
//     resource.k8s.io/v1beta2
//
// The dump (Go reflection over k8s.io/api and friends) gives `types` and `kinds`; the two aggregated discovery
// documents say which group versions a server serves; more can be named. Only types reachable from those, and
// meta/v1's own, are kept.
import { readFileSync, writeFileSync } from 'node:fs';

const [dumpFile, ...sources] = process.argv.slice(2);
const discoveryFiles = sources.filter((source) => source.endsWith('.json'));
if (dumpFile === undefined || discoveryFiles.length === 0) {
  throw new Error('usage: node scripts/field-tables.mjs <dump.json> <discovery.json>… <group/version>…');
}
const dump = JSON.parse(readFileSync(dumpFile, 'utf8'));
const served = servedGroupVersions();
const kept = reachable();
const types = Object.keys(dump.types)
  .filter((name) => kept.has(name))
  .sort()
  .map(
    (name) =>
      `  ${text(name)}: [${dump.types[name].fields.map((field) => `\n    ${text(row(field))},`).join('')}${dump.types[name].fields.length > 0 ? '\n  ' : ''}],`,
  );
const kinds = groupKinds().map(
  ([groupVersion, names]) => `  ${text(groupVersion)}: ${text(names.join(' '))},`,
);

writeFileSync(
  new URL('../packages/resources/src/generated/field-tables.ts', import.meta.url),
  `// Made by scripts/field-tables.mjs from k8s.io/{api,apimachinery,apiextensions-apiserver,kube-aggregator} ${dump.versions.kubernetes}: don't edit.

/** Struct fields in their order: \`Go name|JSON name|type|options|number wire label|patch strategy|patch merge key\`. */
export const FIELD_ROWS: Readonly<Record<string, readonly string[]>> = {
${types.join('\n')}
};

/** Every kind a kube-apiserver's scheme has, by group/version: \`Kind\`, or \`Kind=type\` when its fields are above. */
export const KIND_ROWS: Readonly<Record<string, string>> = {
${kinds.join('\n')}
};
`,
);

function servedGroupVersions() {
  const found = new Set(sources.filter((source) => !source.endsWith('.json')));
  for (const file of discoveryFiles) {
    for (const group of JSON.parse(readFileSync(file, 'utf8')).items) {
      for (const { version } of group.versions) found.add(join(group.metadata?.name ?? '', version));
    }
  }
  return found;
}

function reachable() {
  const names = new Set(Object.keys(dump.types).filter((name) => name.startsWith('meta/v1.')));
  for (const kind of dump.kinds) {
    if (served.has(join(kind.group, kind.version))) names.add(kind.type);
  }
  for (const name of names) {
    for (const field of dump.types[name]?.fields ?? []) {
      for (let part = field; part !== undefined; part = part.elem) {
        if (part.ref !== undefined) names.add(part.ref);
      }
    }
  }
  return names;
}

function row(field) {
  const options = ['omitempty', 'omitzero', 'inline', 'notJson', 'notProtobuf'].filter(
    (option) => field[option],
  );
  const pb = field.pb === undefined ? '' : `${field.pb.number} ${field.pb.wire} ${field.pb.label}`;
  const columns = [
    field.go,
    field.json ?? '',
    type(field),
    options.join(','),
    pb,
    field.patchStrategy ?? '',
    field.patchMergeKey ?? '',
  ];
  return columns.join('|').replace(/\|+$/, '');
}

/** `*int32`, `[]core/v1.Container`, `map[string=core/v1.ResourceName]resource.Quantity`, `core/v1.ResourceList=map[…]…`. */
function type(part) {
  const name = part.named === undefined ? '' : `${part.named}=`;
  const pointer = part.pointer ? '*' : '';
  if (part.kind === 'struct') return `${pointer}${part.ref}`;
  if (part.kind === 'slice') return `${pointer}${name}[]${type(part.elem)}`;
  if (part.kind === 'map') return `${pointer}${name}map[${type(part.key)}]${type(part.elem)}`;
  return `${pointer}${name}${part.kind}`;
}

function groupKinds() {
  const groups = new Map();
  for (const kind of dump.kinds) {
    const groupVersion = join(kind.group, kind.version);
    if (!groups.has(groupVersion)) groups.set(groupVersion, []);
    groups.get(groupVersion).push(kept.has(kind.type) ? `${kind.kind}=${kind.type}` : kind.kind);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, names]) => [key, names.sort()]);
}

function join(group, version) {
  return group === '' ? version : `${group}/${version}`;
}

function text(value) {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
