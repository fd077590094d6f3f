// Holds the floors of the house: which package may import which, read from every import there is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf, readManifest, readSources, testSupport } from './sources.mjs';

/** A package, the packages of the house it may import, and the packages from npm. */
const FLOORS = {
  encoding: { house: [], npm: [] },
  storage: { house: ['encoding'], npm: ['lmdb'] },
  resources: { house: ['encoding'], npm: [] },
  cache: { house: ['encoding', 'storage', 'resources'], npm: [] },
  server: { house: ['encoding', 'storage', 'resources', 'cache'], npm: ['prom-client', 'yaml'] },
  conformance: { house: [], npm: [] },
  bench: { house: [], npm: ['uplot'] },
  cli: {
    house: ['encoding', 'storage', 'resources', 'cache', 'server', 'conformance', 'bench'],
    npm: ['@peculiar/x509', 'reflect-metadata', 'yaml'],
  },
};

/** Tests may use these as well. */
const TEST_PACKAGES = [
  '@kubernetes/client-node',
  'cborg',
  'client-node-1',
  'fast-check',
  'fastify',
  'playwright-core',
  'protobufjs',
  'yaml',
];

const sources = readSources().filter(({ room }) => room !== '');
const support = testSupport(sources);

test('every package has its floor', () => {
  assert.deepEqual([...new Set(sources.map(({ room }) => room))].sort(), Object.keys(FLOORS).sort());
});

test('no package imports from above, from inside another, or from npm what it is not allowed', () => {
  const broken = sources.flatMap(({ path, room, text }) =>
    importsOf(text)
      .filter((specifier) => !isAllowed(specifier, FLOORS[room], path))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  assert.deepEqual(broken, []);
});

test('package.json names what the sources import, and nothing else', () => {
  for (const [room, { house, npm }] of Object.entries(FLOORS)) {
    const imported = new Set(
      sources
        .filter((source) => source.room === room && !support.has(source.path))
        .flatMap(({ text }) => importsOf(text))
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(packageOf),
    );
    const declared = Object.keys(readManifest(room).dependencies ?? {});
    const allowed = [...house.map((name) => `@sluice/${name}`), ...npm];
    assert.deepEqual(
      declared.filter((name) => !allowed.includes(name)),
      [],
      `${room} depends on`,
    );
    assert.deepEqual(
      [...imported].filter((name) => !declared.includes(name)),
      [],
      `${room} lacks`,
    );
    const outside = declared.filter((name) => !name.startsWith('@sluice/'));
    assert.deepEqual(
      outside.filter((name) => !imported.has(name)),
      [],
      `${room} does not need`,
    );
  }
});

test('importsOf() sees every way to import', () => {
  const text = `import a from 'one';
import { b,
  c } from "two";
import type { D } from 'three';
export * from 'four';
export { e } from './five.ts';
import 'six';
const f = await import('seven');
// a text 'from "nowhere"'
`;
  assert.deepEqual(importsOf(text), ['one', 'two', 'three', 'four', './five.ts', 'six', 'seven']);
});

function isAllowed(specifier, { house, npm }, path) {
  if (specifier.startsWith('node:')) return true;
  if (specifier.startsWith('.')) return staysInside(specifier, path);
  if (specifier.startsWith('@sluice/')) return house.some((name) => specifier === `@sluice/${name}`);
  return npm.includes(packageOf(specifier)) || (support.has(path) && TEST_PACKAGES.includes(specifier));
}

/** A relative import may not climb out of its package. */
function staysInside(specifier, path) {
  const [, ...inside] = new URL(specifier, `file:///${path}`).pathname.slice(1).split('/');
  return inside[0] === path.split('/')[1];
}

function packageOf(specifier) {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}
