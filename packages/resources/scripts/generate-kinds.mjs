// Writes src/generated/kinds.ts from the recorded discovery documents in testdata: `node scripts/generate-kinds.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const rows = ['discovery-api-v1.json', 'discovery-apis.json'].flatMap((name) => rowsOf(read(name)));

writeFileSync(
  `${root}/src/generated/kinds.ts`,
  `// Every built-in kind in discovery's order; made by scripts/generate-kinds.mjs, not by hand.
import type { KindRow } from '../builtin-kinds.ts';

export const KIND_ROWS: readonly KindRow[] = [
${rows.map((row) => `  ${JSON.stringify(row)},`).join('\n')}
];
`,
);

function read(name) {
  return JSON.parse(readFileSync(`${root}/testdata/${name}`, 'utf8'));
}

function rowsOf(document) {
  return document.items.flatMap((group) =>
    group.versions.flatMap(({ version, resources }) =>
      resources.map((resource) => rowOf(group.metadata.name ?? '', version, resource)),
    ),
  );
}

/** An empty group and version in a responseKind mean those of the document. */
function rowOf(group, version, resource) {
  return {
    group,
    version,
    kind: resource.responseKind.kind,
    plural: resource.resource,
    singular: resource.singularResource,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    namespaced: resource.scope === 'Namespaced',
    verbs: resource.verbs,
    subresources: (resource.subresources ?? []).map(({ subresource, responseKind, verbs }) => ({
      name: subresource,
      kind: responseKind.kind,
      group: responseKind.version === '' ? group : responseKind.group,
      version: responseKind.version === '' ? version : responseKind.version,
      verbs,
    })),
  };
}
