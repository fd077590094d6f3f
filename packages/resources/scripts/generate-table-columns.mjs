// Writes src/generated/table-columns.ts from the recorded columns in testdata: `node scripts/generate-table-columns.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tables = JSON.parse(readFileSync(`${root}/testdata/table-columns.json`, 'utf8'));

/** Many columns share their text: each stands once. */
const descriptions = [];
const rows = Object.entries(tables).map(([resource, columns]) => [resource, columns.map(rowOf)]);

writeFileSync(
  `${root}/src/generated/table-columns.ts`,
  `// The columns of every built-in kind's table; made by scripts/generate-table-columns.mjs, not by hand.

/** Name, type, format, description by its index, priority. */
export type ColumnRow = readonly [string, string, string, number, number];

export const DESCRIPTIONS: readonly string[] = [
${descriptions.map((text) => `  ${JSON.stringify(text)},`).join('\n')}
];

/** By \`v1/pods\`, \`apps/v1/deployments\`. */
export const TABLE_COLUMNS: Readonly<Record<string, readonly ColumnRow[]>> = {
${rows.map(([resource, columns]) => `  ${JSON.stringify(resource)}: ${JSON.stringify(columns)},`).join('\n')}
};
`,
);

function rowOf({ name, type, format, description, priority }) {
  if (!descriptions.includes(description)) descriptions.push(description);
  return [name, type, format, descriptions.indexOf(description), priority];
}
