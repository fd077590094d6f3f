// Lists the project's source files and reads their imports, for the tests that hold the house rules.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NOT_SOURCE = /(^|\/)(node_modules|dist|generated|testdata|transcripts)(\/|$)/;

/** Every source file: where it is from the root, the package it belongs to ("" for scripts and tests), its text. */
export function readSources() {
  const packages = readdirSync(join(root, 'packages'));
  const folders = ['reference', 'scripts', 'tests', ...packages.map((name) => `packages/${name}`)];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => join(folder, file))
      .filter((path) => /\.(ts|mjs)$/.test(path) && !NOT_SOURCE.test(path))
      .map((path) => ({
        path,
        room: path.startsWith('packages/') ? path.split('/')[1] : '',
        name: basename(path).replace(/(\.test|\.fixture)?\.(ts|mjs)$/, ''),
        isTest: /\.(test|fixture)\.(ts|mjs)$/.test(path),
        text: readFileSync(join(root, path), 'utf8'),
      })),
  );
}

/** Paths of tests, and of files that only tests import: what holds for tests holds for them. */
export function testSupport(sources) {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(path), specifier)),
    ]),
  );
  const imported = new Set([...imports.values()].flat());
  // What nobody imports is where a package, a command or a worker begins.
  const product = sources
    .filter(({ path, isTest }) => !isTest && !imported.has(path))
    .map(({ path }) => path);
  for (const path of product) {
    for (const next of imports.get(path) ?? []) if (!product.includes(next)) product.push(next);
  }
  return new Set(sources.map(({ path }) => path).filter((path) => !product.includes(path)));
}

/** The modules a text imports, exports from, or loads when it runs. */
export function importsOf(text) {
  const statements = text.matchAll(
    /^\s*(?:import|export)\s[^'"`;]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...statements].map((match) => match[1] ?? match[2] ?? match[3]);
}

export function readManifest(room) {
  return JSON.parse(readFileSync(join(root, 'packages', room, 'package.json'), 'utf8'));
}
