// Holds the rules of the house that a reader would otherwise have to remember.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources } from './sources.mjs';

const LINES_MAX = 350;
/** A test's tables may be longer than what a reader must hold in mind. */
const TEST_LINES_MAX = 400;
/** Names that say nothing about what a file knows. */
const EMPTY_NAMES = /(^|-)(utils?|helpers?|common|manager|impl|base|misc|shared|stuff)(-|$)/;
/** Between store and socket an object is bytes. */
const BYTES_ONLY = ['encoding', 'cache', 'storage', 'resources', 'server'];
/** What differs between formats should be all that differs: each of these folders has these files. */
const FORMAT_FOLDERS = ['json', 'protobuf', 'cbor', 'yaml'];
const FORMAT_FILES = ['value.ts'];

const sources = readSources();

test('every source file begins with a comment that says what it is for', () => {
  const broken = sources.filter(({ text }) => !/^(#!.*\n)?(\/\/ \S.*\n)*\/\/ \S.*[.!?)]\n/.test(text));
  assert.deepEqual(paths(broken), []);
});

test('files are named for what they know, in lower case with hyphens', () => {
  const broken = sources.filter(
    ({ name }) => EMPTY_NAMES.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name),
  );
  assert.deepEqual(paths(broken), []);
});

test(`no file has more than ${LINES_MAX} lines, no test more than ${TEST_LINES_MAX}`, () => {
  const broken = sources.filter(
    ({ text, isTest }) => text.split('\n').length - 1 > (isTest ? TEST_LINES_MAX : LINES_MAX),
  );
  assert.deepEqual(paths(broken), []);
});

test('every format has its files under the same names', () => {
  const folders = FORMAT_FOLDERS.map((format) => `packages/encoding/src/${format}/`);
  const present = folders.filter((folder) => sources.some(({ path }) => path.startsWith(folder)));
  const missing = present
    .flatMap((folder) => FORMAT_FILES.map((file) => folder + file))
    .filter((path) => !sources.some((source) => source.path === path));
  assert.deepEqual(missing, []);
});

test('nothing is left for later', () => {
  // Written in two parts, or this file would break its own rule.
  const marks = new RegExp(['\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b', '\\bXX' + 'X\\b'].join('|'));
  assert.deepEqual(paths(sources.filter(({ text }) => marks.test(text))), []);
});

test('no object goes through JSON.parse or JSON.stringify between store and socket', () => {
  const broken = sources.filter(
    ({ room, isTest, path, text }) =>
      BYTES_ONLY.includes(room) &&
      path.includes('/src/') &&
      !isTest &&
      /\bJSON\s*\.\s*(parse|stringify)\b/.test(withoutComments(text)),
  );
  assert.deepEqual(paths(broken), []);
});

test('packages export by name', () => {
  assert.deepEqual(paths(sources.filter(({ text }) => /^export default\b/m.test(text))), []);
});

test('tests are run, not skipped over', () => {
  const broken = sources.filter(({ text, isTest }) => isTest && /\btest\.(skip|only|todo)\(/.test(text));
  assert.deepEqual(paths(broken), []);
});

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function paths(files) {
  return files.map(({ path }) => path);
}
