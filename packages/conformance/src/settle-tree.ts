// Replaces what varies by nature in a tree of values, and cuts trees to the parts that are compared.
import { revisionName, type Settling, settleText } from './settle-text.ts';

/** Tree members named in `ignore` are dropped at every depth. */
export function settleTree(value: unknown, settling: Settling, ignore: readonly string[]): unknown {
  if (typeof value === 'string') return settleText(value, settling);
  if (typeof value === 'bigint') return isUnixTime(value) ? '<time>' : `${value}n`;
  if (Array.isArray(value)) return value.map((item) => settleTree(item, settling, ignore));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !ignore.includes(key));
  return Object.fromEntries(
    kept.map(([key, member]) => {
      const name = settleText(key, settling);
      return [
        name,
        isRevision(name, member)
          ? revisionName(String(member), settling)
          : settleTree(member, settling, ignore),
      ];
    }),
  );
}

/** Protobuf's times are seconds: anything between 2023 and 2039 is taken for one. */
function isUnixTime(value: bigint): boolean {
  return value > 1_700_000_000n && value < 2_200_000_000n;
}

/** With its path for a name when the tree was picked from another. */
function isRevision(name: string, value: unknown): boolean {
  return (name === 'resourceVersion' || name.endsWith('.resourceVersion')) && /^\d+$/.test(String(value));
}

/** The tree with the keys of every object in order: two objects compare without it. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}

/** Keeps some parts of a JSON tree: "a.b.0.c", or "a.*" for the sorted keys of a map. */
export function pickParts(tree: unknown, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    paths.map((path) => {
      const part = partAt(tree, path.split('.'));
      return [path, part === undefined ? '<absent>' : part];
    }),
  );
}

function partAt(tree: unknown, keys: readonly string[]): unknown {
  let value = tree;
  for (const key of keys) {
    if (value === undefined || value === null) return undefined;
    value = key === '*' ? Object.keys(value).sort() : (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Blanks the cells of the named columns in every Table inside the tree, in place. */
export function blankCells(value: unknown, columns: readonly string[]): void {
  if (Array.isArray(value)) for (const item of value) blankCells(item, columns);
  if (!isObject(value)) return;
  if (Array.isArray(value.columnDefinitions) && Array.isArray(value.rows)) {
    const indexes = value.columnDefinitions.flatMap((column: { name?: string } | null, index) =>
      columns.includes(column?.name ?? '') ? [index] : [],
    );
    for (const row of value.rows as { cells?: unknown[] }[]) {
      for (const index of indexes) if (typeof row.cells?.[index] === 'string') row.cells[index] = '<age>';
    }
  }
  for (const member of Object.values(value)) blankCells(member, columns);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
