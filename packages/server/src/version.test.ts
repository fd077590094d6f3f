// The version document, and that it names the version this package has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answerVersion, GIT_VERSION, SLUICE_VERSION } from './version.ts';

test('answerVersion() is indented JSON whose gitVersion is a semantic version of 1.37', () => {
  const { body, mediaType } = answerVersion(undefined);
  const text = Buffer.from(body).toString();
  const version = JSON.parse(text) as Record<string, string>;
  assert.equal(text, JSON.stringify(version, null, 2));
  assert.equal(mediaType, 'application/json');
  assert.deepEqual([version.major, version.minor, version.compiler], ['1', '37', 'gc']);
  assert.match(version.gitVersion ?? '', /^v1\.37\.[0-9]+\+[0-9A-Za-z.-]+$/);
  assert.equal(version.gitVersion, GIT_VERSION);
});

test('answerVersion() is had as JSON only', () => {
  assert.throws(() => answerVersion('text/html'), {
    message: '406: Not Acceptable\n\nAvailable representations: application/json',
  });
  assert.equal(answerVersion('application/json, */*').code, 200);
});

test('SLUICE_VERSION is the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(SLUICE_VERSION, manifest.version);
});
