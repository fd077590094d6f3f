// Content-Types of request bodies, each as kube-apiserver took or refused it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type Kind } from '@sluice/resources';
import { parseMediaType, readable, readBodyEncoding, readPatchType } from './body-type.ts';
import { DEFAULT_GATES } from './gates.ts';
import { kindsWithCustom } from './kinds.fixture.ts';

const kinds = kindsWithCustom();
const configMap = kinds.find('', 'v1', 'configmaps') as Kind;
const widget = kinds.find('d.example.test', 'v1', 'widgets') as Kind;
const UNKNOWN =
  '415 the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';

test('readBodyEncoding() takes the objects kube-apiserver takes', () => {
  for (const [contentType, expected] of [
    [undefined, 'json'],
    ['', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['Application/JSON', 'json'],
    ['application/json;', 'json'],
    ['application/yaml', 'yaml'],
    ['text/plain', UNKNOWN],
    ['application/x-www-form-urlencoded', UNKNOWN],
    ['application/json; =', UNKNOWN],
    ['application/json;;', UNKNOWN],
    ['*/*', UNKNOWN],
    ['application/cbor', UNKNOWN],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['__proto__', UNKNOWN],
  ] as const) {
    assert.equal(
      told(() => readBodyEncoding(contentType, readable(DEFAULT_GATES))),
      expected,
      contentType,
    );
  }
});

test('readBodyEncoding() takes no Protobuf for custom resources, and names it all the same', () => {
  const asked = (contentType: string): string =>
    told(() => readBodyEncoding(contentType, readable(DEFAULT_GATES), true));
  assert.equal(asked('application/vnd.kubernetes.protobuf'), UNKNOWN);
  assert.equal(asked('application/yaml'), 'yaml');
});

test('readBodyEncoding() takes CBOR, and names it, where its gate is on', () => {
  const withCbor = readable({ ...DEFAULT_GATES, CBORServingAndStorage: true });
  assert.equal(readBodyEncoding('application/cbor', withCbor), 'cbor');
  assert.equal(readBodyEncoding('application/cbor', withCbor, true), 'cbor');
  assert.equal(
    told(() => readBodyEncoding('application/cbor-seq', withCbor)),
    `${UNKNOWN}, application/cbor`,
  );
});

test('readPatchType() lets the router of built-in paths refuse first', () => {
  const router = '415 415: Unsupported Media Type';
  for (const [contentType, expected] of [
    ['application/merge-patch+json', 'merge'],
    ['application/merge-patch+json; charset=utf-8', 'merge'],
    ['application/json-patch+json', 'json'],
    ['application/strategic-merge-patch+json', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
    [undefined, router],
    ['*/*', router],
    ['application/json', router],
    ['Application/merge-patch+json', router],
    [
      'application/merge-patch+json ; x=y',
      '415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml',
    ],
  ] as const) {
    assert.equal(
      told(() => readPatchType(contentType, configMap)),
      expected,
      contentType,
    );
  }
});

test('readPatchType() knows no strategic merge of custom resources', () => {
  const refused =
    '415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  for (const contentType of ['application/strategic-merge-patch+json', 'application/json', undefined]) {
    assert.equal(
      told(() => readPatchType(contentType, widget)),
      refused,
      contentType,
    );
  }
  assert.equal(readPatchType('application/merge-patch+json', widget), 'merge');
});

test('parseMediaType() is not slow on long runs of spaces', () => {
  const start = performance.now();
  parseMediaType(`a/b${' '.repeat(50_000)}x`);
  assert.ok(performance.now() - start < 200);
});

function told(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return `${error.code} ${error.message}`;
  }
}
