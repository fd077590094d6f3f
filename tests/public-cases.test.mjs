// Holds packages/conformance/public-cases.txt: every case is named, and every test or recorded step it names is there and passes or runs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONFORMANCE = 'packages/conformance';
const CASES =
  'J01 J03 J04 J06 J09 P01 C01 Y01 T01 G01 G03 N02 PG01 PG03 PG05 R01 W01 W02 W05 H02 H03 H05 H07 B02'.split(
    ' ',
  );

const proofs = linesOf('public-cases.txt').map((line) => {
  const [, id, where, what] = /^(\w+) {2}([^:]+): (.+)$/.exec(line) ?? assert.fail(`can't be read: ${line}`);
  return { id, where, what };
});
const gaps = new Set(linesOf('known-gaps.txt').map((line) => line.split('  ')[0]));

test('every public case has a proof, and no proof another case', () => {
  assert.deepEqual([...new Set(proofs.map(({ id }) => id))].sort(), [...CASES].sort());
});

test('every proof of a public case is a test, or a recorded step that is no known gap', () => {
  const transcripts = readTranscripts();
  const broken = proofs.filter(({ where, what }) =>
    where === 'transcript' ? !transcripts.has(what) || gaps.has(what) : !titlesIn(where).includes(what),
  );
  assert.deepEqual(broken, []);
});

function linesOf(file) {
  return read(join(CONFORMANCE, file))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The beginnings of tests, as far as their line goes. */
function titlesIn(path) {
  return read(path)
    .split('\n')
    .filter((line) => /^\s*test\(/.test(line))
    .join('\n');
}

function readTranscripts() {
  const steps = ['default', 'cbor'].flatMap((folder) =>
    readdirSync(join(root, CONFORMANCE, 'transcripts', folder)).flatMap((file) => {
      const transcript = JSON.parse(read(join(CONFORMANCE, 'transcripts', folder, file)));
      return transcript.steps.map(({ id }) => `${file.replace('.json', '')}/${id}`);
    }),
  );
  return new Set(steps);
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
