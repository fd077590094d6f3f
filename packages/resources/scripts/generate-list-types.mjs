// Writes src/generated/list-types.ts from testdata/list-types.json: `node scripts/generate-list-types.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { lists } = JSON.parse(readFileSync(`${root}/testdata/list-types.json`, 'utf8'));

writeFileSync(
  `${root}/src/generated/list-types.ts`,
  `// Every list type of Kubernetes' Go sources; made by scripts/generate-list-types.mjs, not by hand.

/** Package and name, then the fields in their order: \`name|embedded|json tag|protobuf tag\`; \`-\` is no such tag. */
export const LIST_ROWS: readonly (readonly string[])[] = [
${lists.map((list) => `  [${[`${list.package} ${list.type}`, ...list.fields.map(row)].map((text) => `'${text}'`).join(', ')}],`).join('\n')}
];
`,
);

function row({ name, embedded, json, protobuf }) {
  return [name, embedded ? 'embedded' : '', json ?? '-', protobuf ?? '-'].join('|');
}
